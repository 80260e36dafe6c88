import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packSeries } from '../../src/datapoints/chunks/pack-series.ts'
import { INT8, TEXT } from '../../src/db/columns.ts'
import { Datapoints } from '../../src/platform/datapoints/datapoints.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { encodeChunkRows, insertChunks } from '../../src/store/datapoints/packed/chunks.ts'
import { ensureChunkPartition } from '../../src/store/datapoints/packed/partitions.ts'
import { monthOf } from '../../src/datapoints/chunks/chunk-partition.ts'
import { giveToken, makeMachine } from '../support/access.ts'
import { makeAnySite, type AnySite } from '../support/any-site.ts'
import { DATA_PLACES, onDatabaseOf, type DataPlace } from '../support/data-place.ts'
import { makeDomain } from '../support/domain.ts'
import { leastStall } from '../support/least-stall.ts'
import { isLong } from '../support/runs.ts'
import { startWatchedServer, type WatchedCall, type WatchedServer } from '../support/watched-server.ts'

// Whatever is read, all others are answered in the meantime. It is measured and allowed for as in stalls.test.ts. PGlite runs
// on the thread that it is measured on, so that each statement counts, too.

const LONGEST_MS = { PostgreSQL: 100, PGlite: 250 }
const CURVES = 20
/** Some are asked for under several names. */
const SERIES = 5
const POINTS_OF_CURVE = 15_000
const POINTS_OF_PAGE = 100_000
const MINUTE = 60_000
const BEGIN = Date.UTC(2026, 2, 1)
const RANGE = { from: new Date(BEGIN).toISOString(), to: '2026-06-01T00:00:00Z' }

describe.each(DATA_PLACES)('no other request waits for long on $name', ({ make, name }) => {
  let place: DataPlace
  let server: WatchedServer
  let site: AnySite
  let token: string
  beforeAll(async () => {
    place = await make()
    await onDatabaseOf(place, async (database) => {
      const context = await makeDomain(database)
      site = await makeAnySite(context, { level: { dataType: 'FLOAT' } }, SERIES + 1)
      token = await giveToken(context, await makeMachine(context, 'device'), { scope: 'openid service' })
      await store(context, site)
    })
    server = await startWatchedServer({ ...place.env, HOLDFAST_KEY: Buffer.alloc(32, 7).toString('base64') })
  })
  afterAll(async () => {
    await server.stop()
    await place.remove()
  })

  const series = (component: number) => {
    const { component_uuid, service_uuid, characteristic_uuid } = site.point('level', 0, 0, component)
    return { component_uuid, service_uuid, characteristic_uuid }
  }
  const fields = (count: number, rest: string): WatchedCall => {
    const asked = Array.from({ length: count }, (_, index) => {
      const { component_uuid, service_uuid, characteristic_uuid } = series(index % SERIES)
      return `a${index}: datapoints(component: "${component_uuid}", service: "${service_uuid}", characteristic: "${characteristic_uuid}", from: "${RANGE.from}", to: "${RANGE.to}", ${rest}`
    })
    return { path: '/graphql', token, body: JSON.stringify({ query: `{ ${asked.join(' ')} }` }) }
  }
  const rest = (query: object, accept = 'application/json'): WatchedCall => ({
    method: 'GET',
    path: `/rest/v1/data-points?${new URLSearchParams({ ...series(SERIES), ...query }).toString()}`,
    token,
    headers: { accept },
  })
  const CALLS: readonly (readonly [what: string, call: () => WatchedCall])[] = [
    ['twenty curves', () => fields(CURVES, `maxPoints: ${POINTS_OF_CURVE}) { points { timestamp value } }`)],
    ['twenty curves with their extremes', () => fields(CURVES, EXTREMES)],
    ['a page', () => rest({ first: String(POINTS_OF_PAGE) })],
    ['medians of fifty series', () => fields(50, MEDIANS)],
    ['the median of all', () => rest({ ...RANGE, interval: 'P1Y', aggregations: 'median,p95,time_weighted_avg' })],
    ['a Parquet file', () => rest({}, 'application/vnd.apache.parquet')],
    ['an NDJSON file', () => rest({}, 'application/x-ndjson')],
  ]
  it.each(CALLS.filter((_, at) => isLong || name === 'PostgreSQL' || at % 3 === 0))(
    'for %s',
    async (_, call) => {
      const { status, stall, text } = await leastStall(server, call(), LONGEST_MS[name])
      expect({ status, isRefused: text.startsWith('{"errors"') }).toStrictEqual({ status: 200, isRefused: false })
      expect(stall).toBeLessThan(LONGEST_MS[name])
    },
    60_000,
  )
})

const EXTREMES = 'maxPoints: 10000, thinning: EXTREMES) { points { timestamp value } }'
const MEDIANS = 'interval: "P1D", aggregations: [MEDIAN, P95]) { buckets { from median p95 } }'

/** A series gets its number by a first point. Chunks are stored directly, since to send so many points takes long. */
async function store(context: DomainContext, site: AnySite): Promise<void> {
  const { database, domain } = context
  const datapoints = new Datapoints({ ...context, isAlone: true })
  const who = { domainId: domain.id, actor: 'tester', systemUuid: null, units: null }
  await datapoints.ingest.add(
    who,
    site.componentUuids.map((_, component) => site.point('level', 0.5, BEGIN, component)),
  )
  await datapoints.close()
  for (let month = 0; month < 6; month++) await ensureChunkPartition(database, monthOf(BEGIN * 1_000) + month)
  const numbers = await database.rows(
    { id: INT8, component: TEXT },
    `select id, component_uuid::text as component from series where domain_id = $1`,
    [domain.id],
  )
  for (const { id: seriesId, component } of numbers) {
    const count = component === site.componentUuids[SERIES] ? POINTS_OF_PAGE + 1 : POINTS_OF_CURVE
    const at = Float64Array.from({ length: count }, (_, index) => (BEGIN + (index + 1) * MINUTE) * 1_000)
    const values = at.map(
      (_, index) => Math.round(2_000 + 500 * Math.sin((index + seriesId * 97) / 900) + 1_000 * noise()) / 100,
    )
    const rows = packSeries(
      { domainId: domain.id, seriesId, kind: 'float' },
      { at, values, generation: 1 },
      { compress: true },
    )
    await database.transaction((sql) => insertChunks(sql, encodeChunkRows(rows)))
  }
}

let state = 1
function noise(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}
