import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DataType } from '../../generated/import-document.ts'
import { sealSession } from '../../src/console/session/session.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import type { Database } from '../../src/db/sql.ts'
import type { ReadingQuery } from '../../src/platform/datapoints/reading/reading-query.ts'
import { MOST_ANSWER_BYTES } from '../../src/platform/answer-budget.ts'
import type { FileType } from '../../src/server/routes/data-points-file.ts'
import { entriesOf, keysOf } from '../../src/lib/entries.ts'
import { giveToken, makeMachine } from '../support/access.ts'
import { makeAnySite, type AnySite } from '../support/any-site.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../support/databases.ts'
import { makeDomain } from '../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../support/global-setup.ts'
import { isLong } from '../support/runs.ts'
import { startWatchedServer, type WatchedCall, type WatchedServer } from '../support/watched-server.ts'
import { follow } from './follow.ts'

// The worst values of each data type, asked for in each way, of a server process with the heap that Node gives it.

const NOON = Date.UTC(2026, 2, 1, 12)
/** So many points of each type: of long texts more than an answer may have. */
const POINTS = 8
const MEGABYTE = 1_000_000

/** A control character is six bytes of JSON, and one of a text. */
const CONTROLS = '\u0001'.repeat(MEGABYTE)

interface Worst {
  readonly definition?: object
  /** Ends with the number of the point where it can, so that no two are alike. */
  value(index: number): unknown
  /** Whether all points are more than one answer may have. */
  readonly isLarge?: true
}

const WORST: { readonly [type in DataType]: Worst } = {
  BLOB: { value: (index) => Buffer.alloc(4.5 * MEGABYTE, index).toString('base64'), isLarge: true },
  BOOLEAN: { value: (index) => index % 2 === 0 },
  DATE: { value: () => '9999-12-31' },
  FLOAT: { value: (index) => (index % 2 === 0 ? -Number.MAX_VALUE : Number.MIN_VALUE) },
  INTEGER: { value: (index) => (index % 2 === 0 ? '-9223372036854775808' : '9223372036854775807') },
  JSON: { value: (index) => [CONTROLS, { [CONTROLS.slice(0, 1_000)]: index }], isLarge: true },
  SELECT: { definition: { options: [{ key: 'k'.repeat(200), label: 'K' }] }, value: () => 'k'.repeat(200) },
  STRING: { value: (index) => `${CONTROLS}${index}`, isLarge: true },
  TIME: { value: () => '23:59:59.999999+14:00' },
  TIMESPAN: { value: (index) => `PT${'9'.repeat(90)}${index}S` },
  TIMESTAMP: { value: () => '9999-12-31T23:59:59.999999Z' },
}

const TYPES = keysOf(WORST)
const LARGE_TYPES = TYPES.filter((type) => WORST[type].isLarge === true)

/** In `npm test`, each way of asking gets one of the long types, another one than its neighbour. */
function sampled(way: number, types: readonly DataType[] = TYPES): DataType[] {
  const rest = LARGE_TYPES.filter((_, index) => !isLong && index !== way % LARGE_TYPES.length)
  return types.filter((type) => !rest.includes(type))
}

let postgres: PostgresDatabase
let database: Database
let site: AnySite
let server: WatchedServer
let token: string
let cookie: string

beforeAll(async () => {
  postgres = await createPostgresDatabase(MIGRATED_TEMPLATE)
  const key = Buffer.alloc(32, 7).toString('base64')
  server = await startWatchedServer({ DATABASE_URL: postgres.url, HOLDFAST_KEY: key })
  database = await openPostgres(postgres.url, { maxConnections: 2 })
  const context = await makeDomain(database)
  const characteristics = entriesOf(WORST).map(([dataType, { definition }]) => [
    dataType.toLowerCase(),
    { dataType, ...definition },
  ])
  site = await makeAnySite(context, Object.fromEntries(characteristics) as { [code: string]: object })
  token = await giveToken(context, await makeMachine(context, 'device'), { scope: 'openid service' })
  cookie = `holdfast-console=${sealSession(context, token)}`
  for (const type of TYPES) await send(type)
})
afterAll(async () => {
  await server.stop()
  await database.close()
  await postgres.drop()
})

/** A batch has at most 16 MiB, which are two of the long values. */
async function send(type: DataType, from = 0, to = POINTS): Promise<void> {
  const { isLarge, value } = WORST[type]
  const step = isLarge === true ? 2 : POINTS
  for (let first = from; first < to; first += step) {
    const points = Array.from({ length: Math.min(step, to - first) }, (_, index) =>
      site.point(type.toLowerCase(), value(first + index), NOON + (first + index) * 1_000),
    )
    const { status, text } = await ask({ path: '/rest/v1/data-points/add', body: JSON.stringify(points) })
    expect([type, status, text]).toStrictEqual([type, 201, ''])
  }
}

/** The answer, also to what is still being stored away. */
async function ask(call: WatchedCall): Promise<{ readonly status: number; readonly text: string }> {
  for (;;) {
    const answer = await server.call({ method: call.body === undefined ? 'GET' : 'POST', token, ...call })
    if (answer.status !== 503) return answer
    expect(answer.headers['retry-after']).toBeDefined()
  }
}

const RANGE = { from: new Date(NOON).toISOString(), to: new Date(NOON + 9_999_000).toISOString() }

function addressOf(type: DataType, query: { readonly [name: string]: string }): string {
  const { component_uuid, service_uuid, characteristic_uuid } = site.point(type.toLowerCase(), null)
  const series = { component_uuid, service_uuid, characteristic_uuid }
  return `/rest/v1/data-points?${new URLSearchParams({ ...series, ...query }).toString()}`
}

/** What all bytes of an answer that is too long are refused with. */
const TOO_LONG = `the answer would have more than ${MOST_ANSWER_BYTES.toLocaleString('en-US')} bytes`

/** The answer in each form of a reading, with arguments that make it as long as it can be. */
const FORMS: { readonly [form in ReadingQuery['form']]: Asked } = {
  page: { rest: { first: '100000' }, graphql: 'first: 100000', fields: 'points { value }' },
  buckets: {
    rest: { ...RANGE, interval: 'PT1S', aggregations: 'first,last', fill: 'previous' },
    graphql: `from: "${RANGE.from}", to: "${RANGE.to}", interval: "PT1S", aggregations: [FIRST, LAST], fill: PREVIOUS`,
    fields: 'buckets { from first last }',
  },
  thinned: {
    rest: { ...RANGE, max_points: '20000' },
    graphql: `from: "${RANGE.from}", to: "${RANGE.to}", maxPoints: 20000`,
    fields: 'points { value } states { value }',
  },
}

interface Asked {
  readonly rest: { readonly [name: string]: string }
  readonly graphql: string
  readonly fields: string
}

describe.each(entriesOf(FORMS).map(([form, query], way) => ({ form, query, way })))(
  'the form $form',
  ({ query, way }) => {
    it.each(sampled(way))('of %s by REST', async (type) => {
      const { status, text } = await ask({ path: addressOf(type, query.rest) })
      const refused = { status: 413, code: 'LIMIT_EXCEEDED', detail: expect.stringContaining(TOO_LONG) as string }
      expect([status, JSON.parse(text)]).toMatchObject(
        LARGE_TYPES.includes(type) ? [413, refused] : [200, { data_type: type }],
      )
    })

    it.each(sampled(way + 1))('of %s by GraphQL', async (type) => {
      const { component_uuid, service_uuid, characteristic_uuid } = site.point(type.toLowerCase(), null)
      const series = `component: "${component_uuid}", service: "${service_uuid}", characteristic: "${characteristic_uuid}"`
      const asked = `{ datapoints(${series}, ${query.graphql}) { ${query.fields} } }`
      const { text } = await ask({ path: '/graphql', body: JSON.stringify({ query: asked }) })
      const refused = { message: expect.stringContaining(TOO_LONG) as string, extensions: { code: 'LIMIT_EXCEEDED' } }
      expect(JSON.parse(text)).toMatchObject(
        LARGE_TYPES.includes(type) ? { errors: [refused] } : { data: { datapoints: {} } },
      )
    })
  },
)

/** How a file is counted. */
const POINTS_OF_FILE: { readonly [type in FileType]: (file: string) => number } = {
  'text/csv': (file) => file.split('\r\n').length - 2,
  'application/x-ndjson': (file) => file.split('\n').length - 1,
  // The last bytes of a file.
  'application/vnd.apache.parquet': (file) => (file.endsWith('PAR1') ? POINTS : 0),
}

describe.each(entriesOf(POINTS_OF_FILE).map(([accept, pointsOf], way) => ({ accept, pointsOf, way })))(
  'a file as $accept',
  ({ accept, pointsOf, way }) => {
    it.each(sampled(way))('has all points of %s', async (type) => {
      const { status, text } = await ask({ path: addressOf(type, {}), headers: { accept } })
      expect([status, pointsOf(text)]).toStrictEqual([200, POINTS])
    })

    it.each(sampled(way + 1, LARGE_TYPES))('repeats a value of %s in each bucket that it fills', async (type) => {
      const filled = { from: new Date(NOON).toISOString(), interval: 'PT1S', aggregations: 'last', fill: 'previous' }
      const query = { ...filled, to: new Date(NOON + 2_000).toISOString() }
      const { status } = await ask({ path: addressOf(type, query), headers: { accept } })
      expect(status).toBe(200)
    })
  },
)

const latest = (type: DataType, alias: string): string =>
  `${alias}: latestDatapoints(characteristics: ["${type.toLowerCase()}"]) { value }`

describe('the last values', () => {
  it('are given one by one', async () => {
    for (const type of TYPES) {
      const { text } = await ask({ path: '/graphql', body: JSON.stringify({ query: `{ ${latest(type, 'a')} }` }) })
      const { data } = JSON.parse(text) as { data: { a: { value: unknown }[] } }
      const sent = WORST[type].value(POINTS - 1)
      expect([type, data.a]).toStrictEqual([type, [{ value: sent }]])
    }
  })

  it.each(sampled(0, LARGE_TYPES))('of %s are refused where one query asks for them under many names', async (type) => {
    const query = `{ ${Array.from({ length: 50 }, (_, index) => latest(type, `a${index}`)).join(' ')} }`
    const { text } = await ask({ path: '/graphql', body: JSON.stringify({ query }) })
    expect(text).toContain('LIMIT_EXCEEDED')
    expect(text).toContain(TOO_LONG)
  })
})

it.each(sampled(1, LARGE_TYPES))('a subscription brings %s', async (type) => {
  const query = `subscription { datapoints(characteristics: ["${type.toLowerCase()}"]) { datapoints { value } } }`
  const followed = follow<{ readonly datapoints: readonly { readonly value: unknown }[] }>(server, query, { token })
  await followed.until((changes) => changes.length > 0)
  await send(type, POINTS, POINTS + 2)
  const values = () => followed.changes.flatMap(({ datapoints }) => datapoints.map(({ value }) => value))
  await followed.until(() => values().length === 2)
  followed.stop()
  const sent = Array.from({ length: 2 }, (_, index) => WORST[type].value(POINTS + index))
  expect(JSON.stringify(values()) === JSON.stringify(sent)).toBe(true)
})

const page = (path: string) => ask({ path, headers: { cookie } })

describe('the console', () => {
  it('shows a system and lists what there is to be analysed', async () => {
    for (const path of ['', '/analyse']) {
      const { status, text } = await page(`/systems/${site.systemUuid}${path}`)
      expect([path, status]).toStrictEqual([path, 200])
      expect(text.length).toBeLessThan(MEGABYTE)
    }
  })

  it.each(sampled(2))('shows %s, or says why it does not', async (type) => {
    const show = `${site.componentUuids[0]}/all/${type.toLowerCase()}`
    const query = new URLSearchParams({ from: '2026-03-01T11:00', to: '2026-03-01T13:00', show }).toString()
    for (const path of ['', '/csv', '/data']) {
      const { status, text } = await page(`/systems/${site.systemUuid}/analyse${path}?${query}`)
      const isShown = status === 200
      const isRefused = status === 413 && LARGE_TYPES.includes(type) && text.toLowerCase().includes(TOO_LONG)
      expect([path, status, isShown || isRefused]).toStrictEqual([path, status, true])
    }
  })
})

it('the server is the process that it was', async () => {
  expect((await ask({ path: '/healthz' })).status).toBe(200)
})
