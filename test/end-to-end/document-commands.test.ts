import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperationTypeNode, parse, type OperationDefinitionNode } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PAGES, readPage } from './documents.ts'
import { openDocumentFolder, type DocumentFolder } from './document-folder.ts'
import { allBlocks, type Block } from './markdown.ts'
import { hasCurl, likeShown, outputsOf } from './shell-blocks.ts'

// The commands and the GraphQL of the documents do what the documents say, unaltered and in their order: one shell for each
// page, all in one clone of the project with the sample model, and one server. What stands below a command is what it writes.

/** It is about a platform without the sample model; import-how-to.test.ts runs it. */
const RUN_BY_OTHERS = ['docs/how-to/import-without-git.md']

/** From this page on there are those that documents name: people, programs, and a thermostat. */
const FIRST_WITH_OTHERS = 'docs/pull-requests.md'

let folder: DocumentFolder
let given: { readonly [name: string]: string } = {}
beforeAll(async () => {
  folder = await openDocumentFolder()
})
afterAll(() => folder.close())

async function tokenOf(credential: DocumentFolder['credential']): Promise<string> {
  const form = {
    grant_type: 'password',
    client_id: credential['HOLDFAST_CLIENT_ID'] ?? '',
    client_secret: credential['HOLDFAST_CLIENT_SECRET'] ?? '',
    username: credential['HOLDFAST_USERNAME'] ?? '',
    password: credential['HOLDFAST_PASSWORD'] ?? '',
  }
  const answer = await fetch(`${folder.url}/authenticate/token`, { method: 'POST', body: new URLSearchParams(form) })
  return ((await answer.json()) as { access_token: string }).access_token
}

async function graphql<Data>(query: string): Promise<Data> {
  const headers = { authorization: `Bearer ${given['TOKEN']}`, 'content-type': 'application/json' }
  const answer = await fetch(`${folder.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
  const { data, errors } = (await answer.json()) as { data: Data; errors?: unknown }
  if (errors !== undefined) throw new Error(JSON.stringify(errors))
  return data
}

const SECRETS = {
  WEATHER_IMPORT_SECRET: 'weather+import/secret%0123456789',
  WEATHER_PASSWORD: 'password of the weather & more',
}

/** What the documents take for granted. */
async function makeOthers(): Promise<object> {
  const machine = (name: string) =>
    `${name.replace('-', '_')}: createMachineUser(input: { username: "${name}", password: "${SECRETS.WEATHER_PASSWORD}" }) { uuid }`
  const { consumer, component } = await graphql<Others>(`mutation {
    ${['weather', 'github-plan', 'github-apply'].map(machine).join('\n')}
    createUser(input: { email: "anna@example.com" }) { uuid }
    consumer: createApplicationConsumer(name: "Weather import", slug: "weather-import",
      secret: "${SECRETS.WEATHER_IMPORT_SECRET}", grantTypes: [PASSWORD], scopes: ["datapoints:write"]) { identifier }
    createSystem(input: { uuid: "${SYSTEM}", name: "Flat" }) { uuid }
    component: createComponent(input: { system: "${SYSTEM}", componentModel: "room-thermostat", name: "Thermostat" }) {
      uuid supports { serviceUuid characteristicUuid characteristic } }
  }`)
  const supported = (code: string) => component.supports.find(({ characteristic }) => characteristic === code)
  return {
    ...SECRETS,
    CLIENT_ID: consumer.identifier,
    SYSTEM,
    COMPONENT: component.uuid,
    SERVICE: supported('room-temperature')?.serviceUuid,
    TEMPERATURE: supported('room-temperature')?.characteristicUuid,
    SETPOINT: supported('room-setpoint')?.characteristicUuid,
  }
}

const SYSTEM = '0193b9a2-5a0e-7cc1-b1f4-0f2f7a3c9d10'

interface Others {
  readonly consumer: { readonly identifier: string }
  readonly component: {
    readonly uuid: string
    readonly supports: readonly {
      readonly serviceUuid: string
      readonly characteristicUuid: string
      readonly characteristic: string
    }[]
  }
}

/** What a query may ask for. One that asks for more is about a session; test/server/oidc/sessions.test.ts runs it. */
function graphqlVariables(): { readonly [name: string]: unknown } {
  return { systems: [SYSTEM], component: given['COMPONENT'] }
}

/** What a reader saves. */
function isFile({ note }: Block): boolean {
  return note.includes('.')
}

function isRun(block: Block): boolean {
  const { language, note, text } = block
  if (isFile(block)) return true
  if (note === 'not-run' || (language === 'graphql' && !canBeRun(text))) return false
  return language === 'sh' || language === 'graphql'
}

function canBeRun(text: string): boolean {
  const { operation, variableDefinitions = [] } = parse(text).definitions[0] as OperationDefinitionNode
  const names = variableDefinitions.map(({ variable }) => variable.name.value)
  return operation !== OperationTypeNode.SUBSCRIPTION && names.every((name) => name in graphqlVariables())
}

/** GraphQL is sent by curl as well, so that all happens in the order of the document. */
function commandOf(block: Block, index: number): string {
  const { language, note, text } = block
  if (isFile(block)) return `cat > ${note} <<'END OF FILE'\n${text}END OF FILE\n`
  if (language === 'sh') return text
  const file = join(folder.cwd, `.shims/query-${index}.json`)
  writeFileSync(file, JSON.stringify({ query: text, variables: graphqlVariables() }))
  const headers = `--header "Authorization: Bearer $TOKEN" --header 'Content-Type: application/json'`
  return `curl --silent ${headers} --data @${file} "$HOLDFAST_URL/graphql"\n`
}

interface Outcome {
  readonly actual: unknown
  readonly shown: unknown
}

/** What a block writes, and what the document says that it writes. */
function outcomeOf(block: Block, next: Block | undefined, output: string): Outcome[] {
  if (next?.language === 'json') {
    const shown = JSON.parse(next.text) as unknown
    return [{ actual: likeShown(JSON.parse(output), shown), shown }]
  }
  if (next?.language === 'text') return [{ actual: output.trim(), shown: next.text.trim() }]
  if (block.language === 'sh' || isFile(block)) return []
  return [{ actual: { ...(JSON.parse(output) as object), data: 'something' }, shown: { data: 'something' } }]
}

async function variablesOf(page: string): Promise<object> {
  if (Object.keys(given).length === 0 && page !== FIRST_WITH_OTHERS)
    return { ...folder.variables, ...folder.credential, PLATFORM: folder.url }
  given = { ...given, TOKEN: await tokenOf(folder.credential) }
  if (page === FIRST_WITH_OTHERS) given = { ...given, ...(await makeOthers()) }
  return { ...folder.variables, ...folder.credential, ...given, HOLDFAST_URL: folder.url }
}

const PAGES_WITH_COMMANDS = PAGES.filter((page) => !RUN_BY_OTHERS.includes(page)).filter((page) =>
  allBlocks(readPage(page)).some(({ language, note }) => /^(?:sh|graphql)$/.test(language) && note !== 'not-run'),
)

describe.skipIf(!hasCurl)('the commands of the documents (need curl)', () => {
  it.each(PAGES_WITH_COMMANDS)('%s', async (page) => {
    const variables = (await variablesOf(page)) as { [name: string]: string }
    const all = allBlocks(readPage(page))
    const commands = all.filter(isRun)
    const outputs = await outputsOf(commands.map(commandOf), { cwd: folder.cwd, variables })
    const outcomes = all.flatMap((block, index) =>
      isRun(block) ? outcomeOf(block, all[index + 1], outputs[commands.indexOf(block)] ?? '') : [],
    )
    expect(outcomes.map(({ actual }) => actual)).toEqual(outcomes.map(({ shown }) => shown))
  })
})
