import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addConsole } from '../../src/console/console.ts'
import { PAGES } from '../../src/console/pages/pages.ts'
import { openSession, sealSession } from '../../src/console/session/session.ts'
import { masked } from '../../src/server/login/csrf.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import type { Database } from '../../src/db/sql.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { planImport } from '../../src/platform/imports/planning/plan-import.ts'
import { createApp } from '../../src/server/app.ts'
import { Lifecycle } from '../../src/server/lifecycle.ts'
import { ERRORS_ONLY } from '../../src/server/logger.ts'
import { REST_ROUTES } from '../../src/server/routes/rest-routes.ts'
import { giveToken, makeMachine } from '../support/access.ts'
import { makeAnySite, type AnySite } from '../support/any-site.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../support/databases.ts'
import { makeDomain } from '../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../support/global-setup.ts'
import { leastStall } from '../support/least-stall.ts'
import { isLong, runsOf } from '../support/runs.ts'
import { startWatchedServer, type WatchedCall, type WatchedServer } from '../support/watched-server.ts'
import { copySystem, FULL_SYSTEM, worstLists, worstSchemas } from './worst-lists.ts'
import {
  MEBIBYTE,
  worstBatches,
  type WorstBody,
  WORST_FORMS,
  WORST_QUERIES,
  worstUploads,
  worstVariables,
} from './worst-bodies.ts'

// Whatever arrives, all others are answered in the meantime: on a quiet machine a server does one thing for no longer than
// 100 ms at a stretch. It is measured in its own processor time and allowed for by how fast the machine is meanwhile; where
// several programs share its memory that is not enough, so twice as much passes.

const LONGEST_MS = 200
const RECORDS = runsOf('STALL_RECORDS', { sample: 10_000, long: 20_000 })

let postgres: PostgresDatabase
let database: Database
let context: DomainContext
let site: AnySite
let server: WatchedServer
/** Who may do nothing, who may send data, and who may do all. */
let nobody: string
let device: string
let operator: string

beforeAll(async () => {
  postgres = await createPostgresDatabase(MIGRATED_TEMPLATE)
  server = await startWatchedServer({
    DATABASE_URL: postgres.url,
    HOLDFAST_KEY: Buffer.alloc(32, 7).toString('base64'),
  })
  database = await openPostgres(postgres.url, { maxConnections: 2 })
  context = await makeDomain(database)
  site = await makeAnySite(context, { any: { dataType: 'JSON' }, word: { dataType: 'STRING' } })
  const account = await makeMachine(context, 'somebody')
  nobody = await giveToken(context, account, { scope: 'openid' })
  device = await giveToken(context, account, { scope: 'datapoints:write setpoints:write' })
  operator = await giveToken(context, await makeMachine(context, 'operator'), { scope: 'openid service' })
})
afterAll(async () => {
  await server.stop()
  await database.close()
  await postgres.drop()
})

async function stalls(
  calls: readonly (readonly [what: string, call: WatchedCall, status?: number | undefined])[],
): Promise<unknown[]> {
  const found = []
  for (const [what, call, expected] of calls) {
    const { status, stall } = await leastStall(server, call, LONGEST_MS)
    if (stall > LONGEST_MS || (expected ?? status) !== status) found.push([what, status, `${Math.round(stall)} ms`])
  }
  return found
}

const IMPORT_PATH = '/rest/v1/import'

const BATCH_PATHS = REST_ROUTES.map(({ operation }) => operation.split(' '))
  .filter(([method, path]) => method === 'POST' && path !== IMPORT_PATH)
  .map(([, path = '']) => path)

/** What is well-formed there is something else. */
const ANSWERS = /\/acknowledge$/

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

async function sentAs(form: FormData): Promise<Required<Pick<WatchedCall, 'headers' | 'body'>>> {
  const sent = new Response(form)
  return {
    headers: { 'content-type': sent.headers.get('content-type') ?? '' },
    body: new Uint8Array(await sent.arrayBuffer()),
  }
}

/** All that take a form: those of signing in and those of the console. */
const FORM_PATHS = createApp({
  lifecycle: new Lifecycle(),
  logger: ERRORS_ONLY,
  platform: () => {
    throw new Error('no request is made')
  },
  addPages: addConsole,
})
  .app.routes.filter(({ method, path }) => method === 'POST' && path !== '/graphql' && !path.startsWith('/rest/'))
  .map(({ path }) => path)

function addressOf(path: string): string {
  return path.replaceAll(/:\w+(?:\{.+\})?/g, site.systemUuid)
}

/** The cookie of somebody who has signed in to the console with this token, and what their forms hold. */
function sessionOf(token: string): { readonly cookie: string; readonly csrf: string } {
  const cookie = sealSession(context, token)
  return { cookie: `holdfast-console=${cookie}`, csrf: masked(openSession(context, cookie)?.csrf ?? '') }
}

const graphql = (body: string): WatchedCall => ({ path: '/graphql', token: nobody, body })
const ask = (query: string, variables: object = {}): WatchedCall => ({
  path: '/graphql',
  token: operator,
  body: JSON.stringify({ query, variables }),
})

async function exported(): Promise<{ readonly characteristics: readonly object[] }> {
  const { text } = await server.call(ask('{ importDocument }'))
  return (JSON.parse(text) as { data: { importDocument: { characteristics: object[] } } }).data.importDocument
}

describe('nothing that is sent keeps a server from its other requests', () => {
  it('by somebody without any right', async () => {
    const bodies = worstVariables(MEBIBYTE).map(([what, body]) => [what, graphql(body)] as const)
    expect(await stalls(bodies)).toStrictEqual([])
    const queries = WORST_QUERIES.map(([what, query]) => [what, graphql(JSON.stringify({ query }))] as const)
    expect(await stalls(queries)).toStrictEqual([])
  })

  it('by a body that is larger than its sender may send, announced or not', async () => {
    const body = Buffer.alloc(2 * MEBIBYTE, ' ')
    const large: WatchedCall = { path: '/graphql', token: nobody, body }
    const headers = { 'transfer-encoding': 'chunked' }
    expect(
      await stalls([
        ['announced', large, 413],
        ['not announced', { ...large, headers }, 413],
        ['a device', { ...large, token: device }, 413],
        ['an operator', { ...large, token: operator }, 400],
      ]),
    ).toStrictEqual([])
    const { text } = await server.call(large)
    expect(JSON.parse(text)).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      detail: 'a GraphQL request by a token that may neither plan nor apply may have at most 1 MiB; this one is larger',
    })
  })

  /** Hundreds of megabytes, which are made once. */
  let batches: readonly WorstBody[] | undefined
  afterAll(() => (batches = undefined))

  it.each(BATCH_PATHS)('by a batch to %s', async (path) => {
    // All paths read batches by the same code, so in `npm test` a few show that the others ask it.
    const step = isLong ? 1 : path.includes('set-points') ? 4 : 2
    batches ??= worstBatches((code, value) => site.point(code, value))
    const sampled = batches.filter((_, at) => at % step === 0)
    const calls = sampled.map(
      ([what, body, status, headers]) =>
        [
          what,
          { path, token: device, body, ...(headers && { headers }) },
          ANSWERS.test(path) ? undefined : status,
        ] as const,
    )
    expect(await stalls(calls)).toStrictEqual([])
  })

  it('by an import document', async () => {
    const bodies = worstVariables(MEBIBYTE).filter((_, at) => isLong || at % 4 === 0)
    const calls = bodies.map(([what, body]) => [what, { path: IMPORT_PATH, token: operator, body }] as const)
    expect(await stalls(calls)).toStrictEqual([])
  })

  it('by a JSON Schema for values', async () => {
    const calls = worstSchemas().map(
      ([what, query, variables, status]) => [what, ask(query, variables), status] as const,
    )
    expect(await stalls(calls)).toStrictEqual([])
  })

  it('by lists of a filter, and by as much metadata as there may be', async () => {
    const made = await server.call(ask(FULL_SYSTEM.query, FULL_SYSTEM.variables))
    const { data } = JSON.parse(made.text) as { data: { createSystem: { uuid: string } } }
    await copySystem(database, data.createSystem.uuid, 999)
    const calls = worstLists().map(([what, query, variables, status]) => [what, ask(query, variables), status] as const)
    expect(await stalls(calls)).toStrictEqual([])
  })

  it('by a form', async () => {
    const { cookie, csrf } = sessionOf(operator)
    const headers = { ...FORM, cookie }
    const calls = FORM_PATHS.flatMap((path, at) =>
      // The console reads all of its forms by the same code, so that in `npm test` each gets one of them.
      WORST_FORMS.filter((_, index) => isLong || index % WORST_FORMS.length === at % WORST_FORMS.length).map(
        ([what, body]) =>
          [`${path}: ${what}`, { path: addressOf(path), body: `csrf=${csrf}&${body}`, headers }] as const,
      ),
    )
    expect(await stalls(calls)).toStrictEqual([])
  })

  it('by a form with files', async () => {
    const { cookie, csrf } = sessionOf(operator)
    const paths = PAGES.filter(({ mostBytes }) => mostBytes !== undefined).map(({ path }) => path)
    expect(paths).not.toStrictEqual([])
    const uploads = worstUploads(csrf).filter((_, at) => isLong || at % 5 === 0)
    const calls = paths.flatMap((path) =>
      uploads.map(
        ([what, body, status, headers]) => [what, { path, body, headers: { ...headers, cookie } }, status] as const,
      ),
    )
    expect(await stalls(calls)).toStrictEqual([])
  })
})

describe('a large model', () => {
  const characteristics = Array.from({ length: RECORDS }, (_, index) => ({
    code: `c${index}`,
    name: `Characteristic ${index} ${'x'.repeat(200)}`,
    dataType: 'FLOAT',
    characteristicType: 'MEASUREMENT',
  }))
  it('is planned, applied and exported while others are answered, with the same result as ever', async () => {
    // Without accounts: their passwords are in no document.
    const { machineUsers: _, ...before } = (await exported()) as Awaited<ReturnType<typeof exported>> & {
      machineUsers?: object
    }
    const document = { ...before, characteristics: [...before.characteristics, ...characteristics] }
    const planning = ask('query ($document: JSON!) { planImport(document: $document) { json } }', { document })
    expect(await stalls([['plan', planning, 200]])).toStrictEqual([])
    const { data } = JSON.parse((await server.call(planning)).text) as { data: { planImport: { json: object } } }
    const { plan } = await planImport(context, document, undefined)
    expect(data.planImport.json).toStrictEqual(JSON.parse(JSON.stringify(plan)))
    const applying = ask(
      'mutation ($document: JSON!, $plan: JSON!, $origin: ApplyOriginInput) { applyImport(document: $document, plan: $plan, origin: $origin) { summary } }',
      { document, plan: data.planImport.json, origin: { applyId: crypto.randomUUID() } },
    )
    expect(await stalls([['apply', applying, 200]])).toStrictEqual([])
    const rest = { path: '/rest/v1/import', token: operator, body: JSON.stringify(document) }
    expect(await stalls([['import', rest, 200]])).toStrictEqual([])
    const stale = await server.call({ ...rest, path: `${rest.path}?apply=sha256:${'0'.repeat(64)}` })
    expect(JSON.parse(stale.text)).toMatchObject({ status: 412, code: 'STALE_PLAN' })
    const wrong = await server.call({ ...rest, body: '{"services":[{"code":1}]}' })
    expect(JSON.parse(wrong.text)).toMatchObject({ status: 422, errors: expect.any(Array) as unknown })
    expect(await stalls([['export', ask('{ importDocument }'), 200]])).toStrictEqual([])
    expect((await exported()).characteristics).toHaveLength(RECORDS + 2)
  })

  it('is uploaded as a file, planned and applied by the console while others are answered', async () => {
    const { cookie, csrf } = sessionOf(operator)
    const form = new FormData()
    form.set('csrf', csrf)
    const dataSources = characteristics.map(({ code, name }) => ({ code, name }))
    form.set('file', new File([JSON.stringify({ dataSources })], 'model.json'))
    const { headers, body } = await sentAs(form)
    const planning = { path: '/plans/new', headers: { ...headers, cookie }, body }
    expect(await stalls([['plan', planning, 303]])).toStrictEqual([])
    const { location = '' } = (await server.call(planning)).headers
    const applying = { path: location, headers: { ...FORM, cookie }, body: new URLSearchParams({ csrf }).toString() }
    expect(await stalls([['apply', applying, 303]])).toStrictEqual([])
    const { text } = await server.call(ask('{ dataSources(first: 1) { nodes { code } } }'))
    expect(JSON.parse(text)).toMatchObject({ data: { dataSources: { nodes: [{ code: 'c0' }] } } })
  })

  it('of numbers that are long is read beside other requests', async () => {
    const body = `{"query":"{ me { login } }","variables":{"a":[${'1e3,'.repeat(3 * MEBIBYTE)}1]}}`
    expect(await stalls([['numbers', { path: '/graphql', token: operator, body }, 200]])).toStrictEqual([])
  })
})
