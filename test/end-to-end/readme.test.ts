import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse as parseGraphql, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { SCHEMA } from '../../src/server/graphql/schema.ts'
import { buildProgram } from '../../src/reconcile/program.ts'
import { readConfig } from '../../src/config.ts'
import type { Context, Environment } from '../../src/shell/io.ts'
import { holdfast } from '../reconcile/session.ts'
import { workspace } from '../reconcile/workspace.ts'
import { blocks } from './markdown.ts'

// What the documents promise is there.

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const README = read('README.md')
const CONTRIBUTING = read('CONTRIBUTING.md')

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** The first cells of the rows of a table, found by its heading row. */
function firstCells(markdown: string, heading: string): string[] {
  // However wide the formatter makes the columns.
  const lines = markdown.split('\n').map((line) => line.replaceAll(/ +/g, ' '))
  const start = lines.findIndex((line) => line.startsWith(heading))
  if (start < 0) throw new Error(`there is no table ${heading}`)
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'))
  return lines.slice(start + 2, end).map((line) => line.split('|')[1]?.trim() ?? '')
}

/** The words in backticks of some cells. */
function codes(cells: readonly string[]): string[] {
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? ''))
}

/** `npm run plan -- --out x` wherever it stands, without what follows in the sentence. */
function npmCommands(markdown: string): string[] {
  const inline = codes([markdown.replaceAll(/^```[\s\S]*?^```$/gm, '')])
  const lines = [...inline, ...blocks(markdown, 'sh').flatMap((block) => block.split('\n'))]
  return lines.flatMap((line) =>
    [...line.matchAll(/\bnpm (?:run [^#&`]*|start|test|cit|ci)/g)].map(([found]) => found.trim()),
  )
}

const SCRIPTS = (JSON.parse(read('package.json')) as { scripts: { readonly [name: string]: string } }).scripts
const PROGRAM = buildProgram({} as Context, '', () => {})

function optionsOf(command: string): string[] {
  const found = PROGRAM.commands.find((one) => one.name() === command)
  return (found?.options ?? []).flatMap(({ long }) => long ?? [])
}

/** The script of a command, and those of its options, that do not exist. */
function unknownWords(command: string): string[] {
  const [, , script = '', ...words] = command.replace(' --silent', '').split(/\s+/)
  const program = SCRIPTS[script]
  if (program === undefined) return [command]
  if (!program.includes('bin/holdfast.js')) return []
  const options = words.filter((word) => /^--./.test(word)).map((word) => word.replace(/[=,.].*$/, ''))
  return options.filter((option) => !optionsOf(script).includes(option)).map((option) => `${script} ${option}`)
}

describe.each([
  ['README.md', README],
  ['CONTRIBUTING.md', CONTRIBUTING],
])('%s', (_, markdown) => {
  it('names only scripts and options that exist', () => {
    const commands = npmCommands(markdown)
    expect(commands.length).toBeGreaterThan(2)
    expect(commands.filter((command) => command.startsWith('npm run ')).flatMap(unknownWords)).toEqual([])
  })

  it('links only to files that exist', () => {
    const targets = [...markdown.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, target]) => target ?? '')
    const files = targets.filter((target) => !/^[a-z]+:/.test(target))
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  })

  it('names only files of the project that exist', () => {
    const named = codes([markdown]).filter((code) =>
      /^(?:src|test|schemas|generated|docs|scripts|bench)\/[\w./-]*$/.test(code),
    )
    expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  })
})

describe('README.md', () => {
  it('explains every guard, and no other', () => {
    const schema = JSON.parse(read('schemas/settings.schema.json')) as { $defs: { GuardCode: { enum: string[] } } }
    expect(codes(firstCells(README, '| guard | stops |')).sort()).toEqual(schema.$defs.GuardCode.enum.toSorted())
  })

  it('names every variable that the server and the command line read', () => {
    const documented = codes(firstCells(README, '| variable | default | |'))
    const source = ['src/config.ts', ...['src/shell', 'src/client', 'src/reconcile'].flatMap(sourcesOf)]
      .map(read)
      .join('\n')
    const used = new Set(
      [...source.matchAll(/'(HOLDFAST_[A-Z_]+|DATABASE_URL|(?:METRICS_)?PORT|HOST|WORKERS)'/g)].map(
        ([, name]) => name ?? '',
      ),
    )
    expect(documented.filter((name) => !used.has(name))).toEqual([])
    const { details } = refusalOfEverything()
    expect(details.map(({ variable }) => variable).filter((name) => !documented.includes(name))).toEqual([])
  })

  it('shows operations that the schema has', () => {
    const shown = blocks(README, 'graphql').map((text) => parseGraphql(text))
    expect(shown.length).toBeGreaterThanOrEqual(2)
    expect(shown.flatMap((document) => validate(SCHEMA, document))).toEqual([])
  })

  it('shows a workflow of ten lines that calls those of the project, and allows them what they need', () => {
    const [workflow = ''] = blocks(README, 'yaml').filter((text) => /^on:/m.test(text))
    expect(workflow.trim().split('\n').length).toBeLessThanOrEqual(10)
    const { permissions, jobs } = parseYaml(workflow) as Workflow
    for (const [name, { uses = '', with: inputs = {} }] of Object.entries(jobs)) {
      const [, path = ''] = /^OWNER\/holdfast\/(.+)@COMMIT$/.exec(uses) ?? []
      const called = parseYaml(read(path)) as Workflow
      expect(Object.keys(called.jobs)).toContain(name)
      expect(Object.keys(called.on.workflow_call.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)))
      for (const job of Object.values(called.jobs)) expect(permissions).toMatchObject(job.permissions)
    }
  })

  it('shows models that are valid', async () => {
    // The other ones are workflows of GitHub Actions.
    const shown = blocks(README, 'yaml').filter((text) => !/^on:/m.test(text))
    expect(shown.length).toBeGreaterThanOrEqual(3)
    for (const text of shown) {
      const isSettings = /^(?:acknowledge|protect|moved|access):/m.test(text)
      const cwd = workspace(
        isSettings ? { 'models/a.yaml': '{}', 'models/holdfast.yaml': text } : { 'models/a.yaml': text },
      )
      const secrets = [...text.matchAll(/\$\{env:(\w+)\}/g)].map(([, name]) => [name, 'a-secret-of-the-test'])
      const outcome = await holdfast('validate', { cwd, env: Object.fromEntries(secrets) as Environment })
      expect({ text, code: outcome.code, found: outcome.stdout }).toEqual({
        text,
        code: 0,
        found: 'The models are valid.\n',
      })
    }
  })
})

interface Workflow {
  readonly on: { readonly workflow_call: { readonly inputs: object } }
  readonly permissions: object
  readonly jobs: { readonly [name: string]: { uses?: string; with?: object; permissions: object } }
}

/** A wrong value for all that can be wrong. */
function refusalOfEverything(): { readonly details: readonly { readonly variable: string }[] } {
  const env = new Proxy({}, { get: () => '?' })
  try {
    readConfig(env, ROOT)
  } catch (error) {
    return error as { details: { variable: string }[] }
  }
  throw new Error('every value was accepted')
}

function sourcesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`)
}

it('CONTRIBUTING.md explains every folder of src', () => {
  const explained = codes(firstCells(CONTRIBUTING, '| folder | |')).map((folder) => folder.replace(/\/$/, ''))
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const missing = folders.map(({ name }) => `src/${name}`).filter((folder) => !explained.includes(folder))
  expect(missing).toEqual([])
  expect(explained.filter((folder) => !existsSync(join(ROOT, folder)))).toEqual([])
})
