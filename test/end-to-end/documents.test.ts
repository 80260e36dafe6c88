import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parse as parseGraphql, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments, parse as parseYaml } from 'yaml'
import { SCHEMA } from '../../src/server/graphql/schema.ts'
import { readConfig } from '../../src/config.ts'
import type { Environment } from '../../src/shell/io.ts'
import { holdfast } from '../reconcile/run-command.ts'
import { workspace } from '../reconcile/workspace.ts'
import { PAGES, readPage, ROOT } from './documents.ts'
import { allBlocks, anchorsOf, blocks, codes, picturesOf, sentencesOf, targetsOf } from './markdown.ts'
import { syntaxErrors } from './shell-blocks.ts'
import { npmCommands, ownCommands, unknownOptions, unknownWords } from './shown-commands.ts'

// What the documents name is there. That their commands do what they say is shown by document-commands.test.ts.

const EVERY_PAGE = globSync(['*.md', 'docs/**/*.md', 'generated/*.md'], { cwd: ROOT, exclude: isOfPackages })
  .map((path) => path.replaceAll('\\', '/'))
  .sort()
/** The others are written by programs, in part. */
const HAND_WRITTEN = PAGES.filter((page) => page !== 'docs/specification.md')
const OWN = [...PAGES, 'CONTRIBUTING.md', 'src/README.md']

function isOfPackages(path: string): boolean {
  return path.includes('node_modules')
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

/** Links that lead nowhere: to no file, or to no heading of it. */
function deadLinks(page: string): string[] {
  const markdown = readPage(page)
  return targetsOf(markdown).filter((target) => {
    if (/^[a-z]+:/.test(target)) return false
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? page : join(dirname(page), path)
    if (!existsSync(join(ROOT, file))) return true
    return anchor !== undefined && !anchorsOf(readPage(file)).includes(anchor)
  })
}

describe.each(EVERY_PAGE)('%s', (page) => {
  it('has no dead link', () => {
    expect(deadLinks(page)).toEqual([])
  })
})

describe.each(OWN)('%s', (page) => {
  const markdown = readPage(page)

  it('names only scripts, commands and options that exist', () => {
    const commands = npmCommands(markdown).filter((command) => command.startsWith('npm run '))
    expect(commands.flatMap(unknownWords)).toEqual([])
    expect(ownCommands(markdown).flatMap(unknownOptions)).toEqual([])
  })

  it('names only files of the project that exist', () => {
    const named = codes([markdown]).filter((code) =>
      /^(?:src|test|schemas|generated|docs|scripts|bench)\/[\w./-]*$/.test(code),
    )
    expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  })

  it('has blocks that say what they are, and are left out of no test but by name', () => {
    const languages = /^(?:sh|graphql|yaml|json|text|js|ts|python|ini|nginx|apache)$/
    const wrong = allBlocks(markdown).filter(
      ({ language, note }) =>
        !languages.test(language) ||
        !(note === 'not-run' ? /^(?:sh|graphql)$/ : /^$|\.(?:yaml|py|mjs)$/).test(note === 'not-run' ? language : note),
    )
    expect(wrong).toEqual([])
    expect(markdown.match(/^```/gm)?.length ?? 0).toBe(2 * allBlocks(markdown).length)
  })

  it('shows GraphQL that the schema has', () => {
    const shown = blocks(markdown, 'graphql').map((text) => parseGraphql(text))
    expect(shown.flatMap((document) => validate(SCHEMA, document))).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('shows commands that bash can read', async () => {
    const left = allBlocks(markdown).filter(({ language, note }) => language === 'sh' && note !== '')
    expect(await syntaxErrors(left.map(({ text }) => text))).toEqual([])
  })

  it('shows models that are valid, and YAML that can be read', async () => {
    const shown = blocks(markdown, 'yaml')
    expect(shown.flatMap((text) => parseAllDocuments(text).flatMap(({ errors }) => errors))).toEqual([])
    // Others are of GitHub Actions, Prometheus and the like.
    for (const text of shown.filter(isModel))
      expect(await validated(text)).toEqual({ text, code: 0, found: 'The models are valid.\n' })
  })
})

const SETTINGS = /^(?:acknowledge|protect|moved|access):/m

function isModel(text: string): boolean {
  const { properties } = JSON.parse(readPage('schemas/import-document.schema.json')) as { properties: object }
  const keys = Object.keys((parseYaml(text) ?? {}) as object)
  return SETTINGS.test(text) || keys.some((key) => key in properties)
}

async function validated(text: string): Promise<{ text: string; code: number; found: string }> {
  const isSettings = SETTINGS.test(text)
  const cwd = workspace(
    isSettings ? { 'models/a.yaml': '{}', 'models/holdfast.yaml': text } : { 'models/a.yaml': text },
  )
  const secrets = [...text.matchAll(/\$\{env:(\w+)\}/g)].map(([, name]) => [name, 'a-secret-of-the-test'])
  const { code, stdout } = await holdfast('validate', { cwd, env: Object.fromEntries(secrets) as Environment })
  return { text, code, found: stdout }
}

describe('the pages together', () => {
  it('are all in docs/README.md, but decisions', () => {
    const unlisted = EVERY_PAGE.filter((page) => page.startsWith('docs/') && !page.startsWith('docs/decisions/'))
    expect(unlisted.filter((page) => !PAGES.includes(page))).toEqual([])
  })

  it('say nothing twice', () => {
    const said = HAND_WRITTEN.flatMap((page) => sentencesOf(readPage(page)).map((sentence) => ({ sentence, page })))
    const long = said.filter(({ sentence }) => sentence.length > 60 && !sentence.startsWith('| -'))
    const pages = Map.groupBy(long, ({ sentence }) => sentence)
    const twice = [...pages].filter(([, where]) => where.length > 1)
    expect(twice.map(([sentence, where]) => ({ sentence, pages: where.map(({ page }) => page) }))).toEqual([])
  })
})

describe('README.md', () => {
  const README = readPage('README.md')

  it('is short', () => {
    expect(README.split('\n').length).toBeLessThanOrEqual(120)
  })
})

it('the pictures of the pages are there, light and dark, and small', () => {
  const pictures = EVERY_PAGE.flatMap((page) => picturesOf(readPage(page)).map((path) => join(dirname(page), path)))
  expect([...new Set(pictures)].sort()).toEqual(globSync('docs/*.{svg,webp,png}', { cwd: ROOT }).sort())
  for (const path of pictures) expect(readFileSync(join(ROOT, path)).length).toBeLessThan(200_000)
})

describe('docs/plans.md', () => {
  it('explains every guard, and no other', () => {
    const schema = JSON.parse(readPage('schemas/settings.schema.json')) as { $defs: { GuardCode: { enum: string[] } } }
    const explained = codes(firstCells(readPage('docs/plans.md'), '| guard | stops |'))
    expect(explained.sort()).toEqual(schema.$defs.GuardCode.enum.toSorted())
  })
})

describe('docs/variables.md', () => {
  it('names every variable that the server and the command line read', () => {
    const documented = codes(firstCells(readPage('docs/variables.md'), '| variable | default | |'))
    const source = ['src/config.ts', ...['src/shell', 'src/client', 'src/reconcile'].flatMap(sourcesOf)]
      .map(readPage)
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
})

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
  return globSync('**/*.ts', { cwd: join(ROOT, folder) }).map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
}

describe('docs/troubleshooting.md', () => {
  it('has messages that there are', () => {
    const source = [...sourcesOf('src'), 'bin/on-node.js']
      .map(readPage)
      .join('\n')
      // Where a text is put together of parts on two lines.
      .replaceAll(/['`"] \+\s+['`"]/g, '')
    const headings = [...readPage('docs/troubleshooting.md').matchAll(/^### .*$/gm)].map(([heading]) => heading)
    const messages = codes(headings).flatMap((message) => message.split('…'))
    const parts = messages.map((part) => part.trim()).filter((part) => part.length > 3)
    expect(parts.length).toBeGreaterThan(20)
    expect(parts.filter((part) => !source.includes(part))).toEqual([])
  })
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

it.runIf(hasSystemd)('docs/operating.md has a unit that systemd reads, and that exposes little', () => {
  const [unit = ''] = blocks(readPage('docs/operating.md'), 'ini')
  const path = join(workspace({ 'holdfast.service': unit }), 'holdfast.service')
  const { status, stdout, stderr } = spawnSync(
    'systemd-analyze',
    ['security', '--offline=true', '--threshold=20', path],
    { encoding: 'utf8' },
  )
  expect({ status, stderr, said: status === 0 ? '' : stdout }).toEqual({ status: 0, stderr: '', said: '' })
  expect(unit).toMatch(/^\[Install\]\n.+/m)
})

describe('docs/pull-requests.md', () => {
  it('shows a workflow of ten lines that calls those of the project, and allows them what they need', () => {
    const [workflow = ''] = blocks(readPage('docs/pull-requests.md'), 'yaml').filter((text) => /^on:/m.test(text))
    expect(workflow.trim().split('\n').length).toBeLessThanOrEqual(10)
    const { permissions, jobs } = parseYaml(workflow) as Workflow
    for (const [name, { uses = '', with: inputs = {} }] of Object.entries(jobs)) {
      const [, path = ''] = /^OWNER\/holdfast\/(.+)@COMMIT$/.exec(uses) ?? []
      const called = parseYaml(readPage(path)) as Workflow
      expect(Object.keys(called.jobs)).toContain(name)
      expect(Object.keys(called.on.workflow_call.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)))
      for (const job of Object.values(called.jobs)) expect(permissions).toMatchObject(job.permissions)
    }
  })
})

interface Workflow {
  readonly on: { readonly workflow_call: { readonly inputs: object } }
  readonly permissions: object
  readonly jobs: { readonly [name: string]: { uses?: string; with?: object; permissions: object } }
}

it('the site finds every file that its style names', () => {
  const theme = 'docs/site/.vitepress/theme'
  const files = [...readPage(`${theme}/style.css`).matchAll(/url\('([^']+)'\)/g)].map(([, path = '']) => path)
  expect(files).toHaveLength(2)
  expect(files.filter((path) => !existsSync(join(ROOT, theme, path)))).toEqual([])
})

it('CONTRIBUTING.md is one page', () => {
  expect(readPage('CONTRIBUTING.md').split(/\s+/).length).toBeLessThanOrEqual(700)
})

it('src/README.md explains every folder of src', () => {
  const explained = codes(firstCells(readPage('src/README.md'), '| folder | |')).map((folder) =>
    folder.replace(/\/$/, ''),
  )
  const folders = globSync('src/*/', { cwd: ROOT }).map((folder) => relative('.', folder).replaceAll('\\', '/'))
  expect(folders.filter((folder) => !explained.includes(folder))).toEqual([])
  expect(explained.filter((folder) => !existsSync(join(ROOT, folder)))).toEqual([])
})
