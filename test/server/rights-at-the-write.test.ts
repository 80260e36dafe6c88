import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/sql.ts'
import type { AccessContext } from '../../src/platform/access/access-context.ts'
import { tokenHash } from '../../src/platform/access/sessions/token-hash.ts'
import { deleteArtifact } from '../../src/store/access/artifacts.ts'
import { writeAccess } from '../../src/store/domains.ts'
import { giveToken, makeMachine } from '../support/access.ts'
import { ANY_DATABASE } from '../support/databases.ts'
import { isLong } from '../support/runs.ts'
import { makeSettingSite, type SettingSite } from '../support/setting-site.ts'
import { sampleCalls } from './sample-arguments.ts'
import { REST_RIGHTS } from './rest-rights.ts'
import { startTestServer, type Answer, type Call, type GraphqlAnswer, type TestServer } from './test-server.ts'

// Between the look-up of a token and the write that it asks for, the token or the right may end. So every write asks again
// in its own transaction, whatever the way in.

let server: TestServer
let access: AccessContext
let database: Database
let site: SettingSite
let components: string[]
/** Runs once, right before the next transaction that writes. */
let before: (() => Promise<unknown>) | null = null
beforeAll(async () => {
  database = await ANY_DATABASE.openMigrated()
  server = await startTestServer(
    new Proxy(database, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (name !== 'transaction') return typeof value === 'function' ? value.bind(target) : value
        return async (work: Parameters<Database['transaction']>[0]) => {
          const due = before
          before = null
          await due?.()
          return target.transaction(work)
        }
      },
    }),
  )
  access = { ...server.access[0]!, database }
  site = await makeSettingSite({ ...access, actorName: 'tester' })
  components = site.thermostats.slice(0, 2)
})
afterAll(() => server.close())

let login: string
let token: string
beforeEach(async () => {
  before = null
  login = `mallory-${crypto.randomUUID()}`
  token = await giveToken(access, await makeMachine(access, login))
  await server.data(`mutation { createGrant(input: { role: ADMINISTRATOR, machineUser: "${login}" }) { key } }`)
})

const ENDS = {
  'the token ends': () =>
    writeAccess(database, access.domain.id, (sql) =>
      deleteArtifact(sql, access.domain.id, 'AccessToken', tokenHash(token)),
    ),
  'the account ends': () =>
    server.data(`mutation { updateMachineUser(username: "${login}", input: { status: DEACTIVATED }) { uuid } }`),
  'the grant ends': () => server.data(`mutation { deleteGrant(key: "administrator/machineUser/${login}") { key } }`),
}

/** The samples of these do not come as far as their transaction. */
const WHOLE: { readonly [name: string]: () => string | Promise<string> } = {
  applyImport: async () => {
    const { planImport } = await server.data<{ planImport: { json: object } }>('{ planImport(document: {}) { json } }')
    return `mutation { applyImport(document: {}, plan: ${literal(planImport.json)}) { uuid } }`
  },
  createOpenIdDelegatedAuthenticationMethod: () =>
    `mutation { createOpenIdDelegatedAuthenticationMethod(
      configuration: { clientId: "a", issuer: "https://login.example.com" }) { uuid } }`,
  createComponents: () =>
    `mutation { createComponents(input: [
      { system: "${site.systems[0]}", componentModel: "boiler", name: "Late" }]) { uuid } }`,
  clearRetention: () => `mutation { clearRetention(characteristic: "target") { datapoints } }`,
  setSetpoints: () =>
    `mutation { setSetpoints(components: [
      { component: "${site.boiler}", service: "heating", characteristic: "pump", value: true }]) { uuid } }`,
  deleteSystem: async () => {
    const uuid = await archivedSystem()
    return `mutation { deleteSystem(uuid: "${uuid}", token: "${await previewed(`system: "${uuid}"`)}") { uuid } }`
  },
  deleteComponent: async () => {
    const uuid = await archivedComponent()
    return `mutation { deleteComponent(uuid: "${uuid}", token: "${await previewed(`component: "${uuid}"`)}") { uuid } }`
  },
  deleteEvent: async () => {
    const uuid = await newEvent()
    return `mutation { deleteEvent(uuid: "${uuid}", token: "${await previewed(`event: "${uuid}"`)}") { uuid } }`
  },
  deleteDatapoints: async () => {
    const series = `series: { components: ["${site.boiler}"] }`
    return `mutation { deleteDatapoints(${series}, token: "${await previewed(series)}") { uuid } }`
  },
}

/** The token of a preview that the account of the test asked for. */
async function previewed(what: string): Promise<string> {
  const query = `{ deletionPreview(${what}) { token } }`
  const { json, text } = await server.call({ body: JSON.stringify({ query }), authorization: `Bearer ${token}` })
  const { data } = json as { readonly data: { readonly deletionPreview: { readonly token: string } | null } }
  if (data.deletionPreview === null) throw new Error(text)
  return data.deletionPreview.token
}

async function archivedSystem(): Promise<string> {
  const uuid = crypto.randomUUID()
  await server.data(`mutation {
    createSystem(input: { uuid: "${uuid}", name: "Old" }) { uuid }
    updateSystem(uuid: "${uuid}", input: { status: ARCHIVED }) { uuid } }`)
  return uuid
}

async function archivedComponent(): Promise<string> {
  const uuid = crypto.randomUUID()
  await server.data(`mutation {
    createComponent(input: { uuid: "${uuid}", system: "${site.systems[0]}", componentModel: "boiler", name: "Old" }) { uuid }
    updateComponent(uuid: "${uuid}", input: { status: ARCHIVED }) { uuid } }`)
  return uuid
}

async function newEvent(): Promise<string> {
  const uuid = crypto.randomUUID()
  await server.data(`mutation {
    createEventModel(input: { code: "${uuid}", entityType: SYSTEM, eventType: SINGLE_POINT }) { uuid }
    createEvent(input: { uuid: "${uuid}", eventModel: "${uuid}", system: "${site.systems[0]}" }) { uuid } }`)
  return uuid
}

/** JSON as GraphQL writes it, whose names have no quotes. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([name, one]) => `${name}: ${literal(one)}`)
    .join(', ')} }`
}

const ROUTES: { readonly [operation: string]: () => Call | Promise<Call> } = {
  // Of a series that has no point yet, for which a row is written first.
  'POST /rest/v1/data-points/add': () => body([site.element('temperature', 20, { component: components.pop()! })]),
  'POST /rest/v1/set-points/add': () => body([site.element('limit', 3)]),
  'POST /rest/v1/set-points/acknowledge': async () => body([{ uuid: await newSetpoint(), state: 'DONE' }]),
  'GET /rest/v1/set-points/pending': async () => {
    await newSetpoint()
    return { method: 'GET', path: `/rest/v1/set-points/pending?component_uuid=${site.boiler}` }
  },
  'POST /rest/v1/import': async () => {
    const document = { dataSources: [{ code: 'late', name: 'Late' }] }
    const { headers } = await server.call({ path: '/rest/v1/import', ...body(document) })
    return { path: `/rest/v1/import?apply=${String(headers['x-plan-digest'])}`, ...body(document) }
  },
}

const body = (content: object): Call => ({ body: JSON.stringify(content) })

async function newSetpoint(): Promise<string> {
  const { json } = await server.call({
    path: '/rest/v1/set-points/add',
    ...body([site.element('pump', true, { component: site.boiler })]),
  })
  return String(json)
}

/** Reads, which write nothing. */
const READS = REST_RIGHTS.map(([operation]) => operation).filter(
  (operation) => operation.startsWith('GET') && !Object.hasOwn(ROUTES, operation),
)

it('the table has every route that writes', () => {
  expect([...READS, ...Object.keys(ROUTES)].toSorted()).toStrictEqual(REST_RIGHTS.map(([one]) => one).toSorted())
  expect(READS).toStrictEqual(['GET /rest/v1/data-points'])
})

/** Asks, and lets the token or the right end right before the first write. */
async function askAndEnd(call: Call, end: () => Promise<unknown>): Promise<Answer> {
  before = end
  const answer = await server.call({ ...call, authorization: `Bearer ${token}` })
  expect(before, `nothing was written: ${answer.text}`).toBeNull()
  return answer
}

const MUTATIONS = sampleCalls().filter(({ query }) => query.startsWith('mutation'))
const CASES = Object.entries(ENDS).map(([what, end], turn, { length }) => {
  // Every write asks by the same code whether it still may, so in `npm test` each mutation meets one of the ends.
  const mutations = MUTATIONS.filter((_, at) => isLong || at % length === turn)
  return { what, end, mutations }
})

describe.each(CASES)('where $what right before the write', ({ what, end, mutations }) => {
  it.each(mutations)('$name is refused', async ({ name, query }) => {
    const answer = await askAndEnd({ body: JSON.stringify({ query: await (WHOLE[name]?.() ?? query) }) }, end)
    expect((answer.json as GraphqlAnswer).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
  })

  // Every machine user may send data, whatever else they are granted.
  it.skipIf(what === 'the grant ends').each(Object.entries(ROUTES))('%s is refused', async (operation, call) => {
    const [method = '', path = ''] = operation.split(' ')
    const answer = await askAndEnd({ method, path, ...(await call()) }, end)
    expect([401, 403]).toContain(answer.status)
  })
})
