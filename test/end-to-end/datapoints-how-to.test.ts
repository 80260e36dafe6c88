import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse as parseGraphql, validate } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { SCHEMA } from '../../src/server/graphql/schema.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { HOSTS, startTestServer, TOKEN, type TestServer } from '../server/test-server.ts'
import { ANY_DATABASE } from '../support/databases.ts'
import { applyAll } from '../support/domain.ts'
import { blocks } from './markdown.ts'
import { allBlocks, hasCurl, likeShown, outputsOf, type Block } from './shell-blocks.ts'

// The commands of the documents do what the documents say, one after the other in one shell.

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const HOW_TO = read('docs/how-to/datapoints.md')
const [SECTION = ''] = /^### Send and read datapoints\n[^]*?(?=^##)/m.exec(read('README.md')) ?? []

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

let server: TestServer
let directory: string
/** What the documents take for granted. */
let variables: { readonly [name: string]: string }

beforeAll(async () => {
  server = await startTestServer(await ANY_DATABASE.openMigrated())
  directory = mkdtempSync(join(tmpdir(), 'holdfast-how-to-'))
  const [access] = server.access
  if (access === undefined) throw new Error('there is no domain')
  const context: DomainContext = { ...access, actorName: 'tester' }
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

/** GraphQL is sent by curl as well, so that all happens in the order of the document. */
function commandOf({ language, text }: Block): string {
  if (language === 'sh') return text
  const { SYSTEM, COMPONENT } = variables
  const body = JSON.stringify({ query: text, variables: { systems: [SYSTEM], component: COMPONENT } })
  return `rest --header 'Content-Type: application/json' --data '${body}' "$HOLDFAST_URL/graphql"\n`
}

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
    const outputs = await outputsOf(commands.map(commandOf), { cwd: directory, variables })
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

/** Of the sample model, without what needs secrets. */
function sampleModel(): object {
  const files = readdirSync(join(ROOT, 'models')).filter((file) => !/^(holdfast|access)\.yaml$/.test(file))
  const parts = files.map((file) => parseYaml(read(`models/${file}`)) as { readonly [type: string]: unknown[] })
  const types = new Set(parts.flatMap(Object.keys)).difference(
    new Set(['$schema', 'machineUsers', 'applicationConsumers']),
  )
  return Object.fromEntries([...types].map((type) => [type, parts.flatMap((part) => part[type] ?? [])]))
}

describe('README.md', () => {
  it('makes a system of the sample model', async () => {
    const [, second] = server.access
    if (second === undefined) throw new Error('there is no second domain')
    await applyAll({ ...second, actorName: 'tester' }, sampleModel())
    const readme = blocks(read('README.md'), 'graphql').filter((text) => text.includes('createSystem('))
    expect(readme).toHaveLength(1)
    for (const mutation of readme)
      expect(await server.data(mutation, {}, HOSTS.second)).toHaveProperty('createComponent')
  })

  it.skipIf(!hasCurl)('sends and reads what it says (needs curl)', async () => {
    const [output = ''] = await outputsOf(blocks(SECTION, 'sh'), { cwd: directory, variables })
    expect(output).toContain('2026-03-01T06:00:00.000Z,')
    expect(output).toMatch(/,21\.5\r\n/)
  })
})
