import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse as parseGraphql, validate } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { SCHEMA } from '../../src/graphql/schema.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { startTestServer, TOKEN, type TestServer } from '../server/test-server.ts'
import { PGLITE } from '../support/databases.ts'
import { applyAll } from '../support/domain.ts'
import { blocks } from './markdown.ts'

// The commands of the documents do what the documents say, one after the other in one shell.

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const HOW_TO = read('docs/how-to/datapoints.md')
const [SECTION = ''] = /^### Send and read datapoints\n[^]*?(?=^##)/m.exec(read('README.md')) ?? []

const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
)

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

let server: TestServer
let directory: string
/** What the documents take for granted. */
let variables: { readonly [name: string]: string }

beforeAll(async () => {
  server = await startTestServer(await PGLITE.openMigrated())
  directory = mkdtempSync(join(tmpdir(), 'holdfast-how-to-'))
  const [access] = server.access
  if (access === undefined) throw new Error('there is no domain')
  const context: DomainContext = { ...access, actor: 'tester' }
  await applyAll(context, parseYaml(read('models/rooms.yaml')) as object)
  variables = { HOLDFAST_URL: server.url, TOKEN, ...(await makeThermostat()) }
})
afterAll(async () => {
  await server.close()
  rmSync(directory, { recursive: true })
})

async function makeThermostat(): Promise<{ readonly [name: string]: string }> {
  const { createSystem } = await server.data<{ createSystem: { uuid: string } }>(
    'mutation { createSystem(input: { name: "Flat" }) { uuid } }',
  )
  const { createComponent } = await server.data<{ createComponent: Component }>(
    `mutation ($system: ID!) {
       createComponent(input: { system: $system, componentModel: "room-thermostat", name: "Thermostat" }) {
         uuid supports { serviceUuid characteristicUuid characteristic } } }`,
    { system: createSystem.uuid },
  )
  const supported = (code: string) => createComponent.supports.find(({ characteristic }) => characteristic === code)
  return {
    SYSTEM: createSystem.uuid,
    COMPONENT: createComponent.uuid,
    SERVICE: supported('room-temperature')?.serviceUuid ?? '',
    TEMPERATURE: supported('room-temperature')?.characteristicUuid ?? '',
    SETPOINT: supported('room-setpoint')?.characteristicUuid ?? '',
  }
}

interface Component {
  readonly uuid: string
  readonly supports: readonly {
    readonly serviceUuid: string
    readonly characteristicUuid: string
    readonly characteristic: string
  }[]
}

interface Block {
  readonly language: string
  readonly text: string
}

function allBlocks(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = '', text = '']) => ({ language, text }))
}

/** GraphQL is sent by curl as well, so that all happens in the order of the document. */
function commandOf({ language, text }: Block): string {
  if (language === 'sh') return text
  const { SYSTEM, COMPONENT } = variables
  const body = JSON.stringify({ query: text, variables: { systems: [SYSTEM], component: COMPONENT } })
  return `rest --header 'Content-Type: application/json' --data '${body}' "$HOLDFAST_URL/graphql"\n`
}

const SEPARATOR = '\u001e'

/** What each block writes. */
async function outputsOf(commands: readonly string[]): Promise<string[]> {
  const script = commands.map((command) => `${command}\nprintf '${SEPARATOR}'\n`).join('')
  const { PATH } = process.env
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: directory,
    env: { PATH, ...variables },
  })
  return stdout.split(SEPARATOR).slice(0, -1)
}

/** `…` stands for any text. */
function likeShown(actual: unknown, shown: unknown): unknown {
  if (shown === '…' && typeof actual === 'string') return shown
  if (typeof actual !== 'object' || actual === null || typeof shown !== 'object' || shown === null) return actual
  if (Array.isArray(actual)) return actual.map((item, index) => likeShown(item, (shown as unknown[])[index]))
  const members = Object.entries(actual).map(([name, value]) => [name, likeShown(value, (shown as Members)[name])])
  return Object.fromEntries(members)
}

type Members = { readonly [name: string]: unknown }

/** A command, with what it writes and what the document says that it writes. */
function outcomeOf(block: Block, next: Block | undefined, output: string): { actual: unknown; shown: unknown } {
  if (block.language === 'graphql') return { actual: Object.keys(JSON.parse(output) as object), shown: ['data'] }
  if (next?.language !== 'json')
    return { actual: output.trim(), shown: next?.language === 'text' ? next.text.trim() : '' }
  const shown = JSON.parse(next.text) as unknown
  return { actual: likeShown(JSON.parse(output), shown), shown }
}

const isRun = ({ language, text }: Block): boolean =>
  language === 'sh' || (language === 'graphql' && !text.startsWith('subscription'))

describe('docs/how-to/datapoints.md', () => {
  it.skipIf(!hasCurl)('does what it says (needs curl)', async () => {
    const all = allBlocks(HOW_TO)
    const commands = all.filter(isRun)
    expect(commands.length).toBeGreaterThan(8)
    const outputs = await outputsOf(commands.map(commandOf))
    const outcomes = all.flatMap((block, index) =>
      isRun(block) ? [outcomeOf(block, all[index + 1], outputs[commands.indexOf(block)] ?? '')] : [],
    )
    expect(outcomes.map(({ actual }) => actual)).toEqual(outcomes.map(({ shown }) => shown))
  })

  it('asks for what GraphQL has', () => {
    const shown = blocks(HOW_TO, 'graphql').map((text) => parseGraphql(text))
    expect(shown.length).toBeGreaterThan(3)
    expect(shown.flatMap((document) => validate(SCHEMA, document))).toEqual([])
  })

  it('explains every data type', () => {
    const [, table = ''] = /^\| dataType[^\n]*\n\|[ |-]*\n([^]*?)\n\n/m.exec(HOW_TO) ?? []
    const explained = table
      .split('\n')
      .flatMap((row) => (row.split('|')[1] ?? '').split(',').map((name) => name.trim()))
    const { enum: dataTypes } = (JSON.parse(read('schemas/import-document.schema.json')) as SchemaOfDocument).$defs
      .DataType
    expect(explained.toSorted()).toEqual(dataTypes.toSorted())
  })
})

interface SchemaOfDocument {
  readonly $defs: { readonly DataType: { readonly enum: readonly string[] } }
}

describe('README.md', () => {
  it.skipIf(!hasCurl)('sends and reads what it says (needs curl)', async () => {
    const [output = ''] = await outputsOf(blocks(SECTION, 'sh'))
    expect(output).toContain('2026-03-01T06:00:00.000Z,')
    expect(output).toMatch(/,21\.5\r\n/)
  })
})
