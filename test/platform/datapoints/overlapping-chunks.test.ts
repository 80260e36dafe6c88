import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../src/db/sql.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { setRetention } from '../../../src/platform/datapoints/retention/set-retention.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { ANY_DATABASE } from '../../support/databases.ts'
import { makeDomain, plan } from '../../support/domain.ts'
import { changeOf } from '../../support/plan-parts.ts'
import { makeSite, SITE_MODEL, type CharacteristicCode, type Site } from '../../support/site.ts'

// Points that were sent again count once, and only chunks that overlap others are decoded for that.

const DAY = 86_400_000
const TODAY = Date.UTC(2026, 2, 28)

let database: Database
let context: DomainContext
let datapoints: Datapoints
let site: Site
/** The chunks whose points were fetched, and the statements that were sent. */
let [decoded, statements] = [0, 0]

beforeAll(async () => {
  database = await ANY_DATABASE.openMigrated()
  const counting = countingDatabase(database, ({ text, values }) => {
    statements += 1
    if (text.includes('select c.points from unnest')) decoded += (values[1] as string[]).length
  })
  context = { ...(await makeDomain(database)), now: () => new Date(TODAY + DAY / 2) }
  site = await makeSite(context)
  datapoints = new Datapoints({ ...context, isAlone: true, limits: { leastOfChunk: 1 } })
  // Three chunks of 1,000 points for each of two sensors, of whose texts nothing is known without reading them.
  for (const component of [0, 1])
    for (const days of [3, 2, 1]) {
      await store('temperature', days, 1_000, component)
      await store('note', days, 1_000, component)
    }
  await fold()
  // The 40 first ones of one day are sent again, and of another day a few, which stay in their block.
  await store('temperature', 2, 40, 1)
  await store('note', 2, 40, 1)
  await fold()
  await store('temperature', 1, 7, 0)
  await store('note', 1, 7, 0)
  // Points after all chunks overlap none.
  await store('temperature', 0, 5, 0)
  context = { ...context, database: counting }
})
afterAll(async () => {
  await datapoints.close()
  await database.close()
})

async function fold(): Promise<void> {
  await datapoints.compactor.compact()
  while (await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)) continue
}

async function store(code: CharacteristicCode, daysBack: number, count: number, component: number): Promise<void> {
  const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
  const from = TODAY - daysBack * DAY
  const elements = Array.from({ length: count }, (_, index) =>
    site.point(code, code === 'note' ? `note ${index}` : index % 100, from + index * 1_000, component),
  )
  expect(await datapoints.ingest.add(who, elements)).toMatchObject({ errorCount: 0 })
}

/** How much is read for it. */
async function costOf<T>(work: () => Promise<T>): Promise<{ result: T; decoded: number; statements: number }> {
  ;[decoded, statements] = [0, 0]
  const result = await work()
  return { result, decoded, statements }
}

const planned = (code: CharacteristicCode, definition: object) =>
  costOf(async () => {
    const characteristics = SITE_MODEL.characteristics.map((one) =>
      one.code === code ? { ...one, ...definition } : one,
    )
    const { guards } = changeOf(await plan(context, { ...SITE_MODEL, characteristics }), 'characteristics', code)
    return guards.map(({ message }) => /([\d,]+) (?:stored )?datapoints/.exec(message)?.[1]).join()
  })

// Three overlap others: two chunks each other, and one of them points that are not in a chunk.
it.each<[string, CharacteristicCode, object, string]>([
  ['another unit', 'temperature', { symbol: 'K' }, '6,005'],
  ['another unit of texts', 'note', { symbol: 'K' }, '6,000'],
  ['a boundary that all values meet', 'temperature', { boundaryMax: 99 }, ''],
])('a plan with %s decodes only the chunks that overlap others', async (_, code, definition, expected) => {
  expect(await planned(code, definition)).toMatchObject({ result: expected, decoded: 3 })
})

it('a plan with a boundary that no value meets reads values for its examples, and then counts by summaries', async () => {
  const { result, decoded: read } = await planned('temperature', { boundaryMax: -1 })
  // Those that come at once are read before there is an example, and of the last one the summary is enough.
  expect([result, read]).toStrictEqual(['6,005', 6])
})

it.each([
  ['two days', 1, '8,000', 4],
  ['one day', 2, '4,000', 0],
])('of a retention that loses %s, only the chunks that overlap others are decoded', async (_, days, lost, expected) => {
  const set = () => setRetention(context, { characteristic: null, keep: `P${days}D`, acknowledge: false })
  const cost = await costOf(() => set().catch((error: Error) => error.message))
  expect(cost.result).toMatch(new RegExp(`^${lost} datapoints`))
  expect(cost.decoded).toBe(expected)
})
