import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { INT8 } from '../../../../src/db/columns.ts'
import type { Database, Sql } from '../../../../src/db/sql.ts'
import { Datapoints } from '../../../../src/platform/datapoints/datapoints.ts'
import { findSeriesOf } from '../../../support/find-series.ts'
import { referenceOf } from '../../../../src/platform/datapoints/reading/series/readable-series.ts'
import { readLatest } from '../../../../src/platform/datapoints/reading/read-datapoints.ts'
import type { DomainContext } from '../../../../src/platform/domain-context.ts'
import { NEWEST_ROWS } from '../../../../src/platform/datapoints/reading/stored/latest-in-blocks.ts'
import { storedPointReader } from '../../../../src/platform/datapoints/reading/stored/stored-point-reader.ts'
import { fetchLatestOfChunks } from '../../../../src/store/datapoints/points/latest-points.ts'
import { EVER, fetchChunks, preferOrderOfIndex } from '../../../../src/store/datapoints/points/points.ts'
import { readDomain } from '../../../../src/store/domains.ts'
import { countingDatabase } from '../../../support/counting-database.ts'
import { SAMPLED_DATABASES, POSTGRES } from '../../../support/databases.ts'
import { emptyDomain, makeDomain } from '../../../support/domain.ts'
import { rowsRead } from '../../../support/rows-read.ts'
import { makeSite, type CharacteristicCode, type Site } from '../../../support/site.ts'

const MIDNIGHT = Date.UTC(2026, 2, 1)
const ANYBODY = { systemUuid: null, units: null }
const DAY = 86_400_000_000
const LATER = (MIDNIGHT + 86_400_000_000) * 1000

interface Write {
  readonly code: CharacteristicCode
  readonly ms: number
  readonly afterwards: 'nothing' | 'fold' | 'merge'
}

/** Around midnight, so that chunks of two days overlap in time; few times, so that they are written again and again. */
const write: fc.Arbitrary<Write> = fc.record({
  code: fc.constantFrom('temperature', 'count', 'open', 'note'),
  ms: fc.integer({ min: -8, max: 8 }).map((step) => MIDNIGHT + step * 1_000),
  afterwards: fc.constantFrom('nothing', 'nothing', 'fold', 'merge'),
})

/** Another one for each write, and one that the kind of value holds. */
function valueOf(code: CharacteristicCode, index: number): number | string | boolean {
  if (code === 'count') return String(2n ** 62n + BigInt(index))
  if (code === 'open') return index % 2 === 0
  // Some are too long to be kept in the clear.
  return code === 'note' ? `${index}`.padEnd(index % 3 === 0 ? 1_000 : 1, '.') : index / 8
}

function stored(value: number | string | boolean, code: CharacteristicCode): unknown {
  return code === 'count' ? BigInt(value) : value
}

function expected(writes: readonly Write[], before: number): unknown {
  const last = new Map<string, { at: number; value: unknown }>()
  for (const [index, { code, ms }] of writes.entries()) {
    const at = ms * 1000
    if (at < before && at >= (last.get(code)?.at ?? 0))
      last.set(code, { at, value: stored(valueOf(code, index), code) })
  }
  return Object.fromEntries(last)
}

describe.each(SAMPLED_DATABASES)('the latest of many series on $name', ({ name, openMigrated }) => {
  let database: Database
  let context: DomainContext
  let site: Site
  let datapoints: Datapoints

  beforeAll(async () => {
    database = await openMigrated()
    context = await makeDomain(database)
  })
  beforeEach(async () => {
    await emptyDomain(context)
    site = await makeSite(context)
    datapoints = new Datapoints({ ...context, isAlone: true, limits: { leastOfChunk: 1 } })
    return () => datapoints.close()
  })
  afterAll(() => database.close())

  async function add(...elements: unknown[]): Promise<void> {
    const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
    expect((await datapoints.ingest.add(who, elements)).errors).toStrictEqual([])
  }

  async function latest(before: number): Promise<unknown> {
    const found = await readLatest(context, ANYBODY, {}, { before })
    return Object.fromEntries(found.map(({ series, point }) => [series.characteristicKey, point]))
  }

  it(
    'is the last one that was written of the last time, however late, folded or merged',
    { timeout: 180_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(write, { maxLength: 30 }), async (writes) => {
          await database.transaction(async (sql) => {
            for (const table of ['datapoint_chunks', 'datapoint_blocks', 'series'])
              await sql.query(`delete from ${table}`)
          })
          const once = new Datapoints({ ...context, isAlone: true, limits: { rowsOfLevel: 2, leastOfChunk: 2 } })
          datapoints = once
          for (const [index, { code, ms, afterwards }] of writes.entries()) {
            await add(site.point(code, valueOf(code, index), ms))
            if (afterwards !== 'nothing') await once.compactor.compact()
            if (afterwards !== 'nothing' && index % 3 === 0) await once.blockMerger.merge(Number.MAX_SAFE_INTEGER)
            if (afterwards === 'merge') {
              await once.blockMerger.merge(0)
              await once.merger.sweep()
              await once.merger.merge(Number.MAX_SAFE_INTEGER)
            }
          }
          for (const ms of [-8, -3, 0, 1, 5, 9])
            expect(await latest((MIDNIGHT + ms * 1_000) * 1_000)).toStrictEqual(
              expected(writes, (MIDNIGHT + ms * 1_000) * 1_000),
            )
          await once.close()
        }),
        { numRuns: name === 'PGlite' ? 25 : 10 },
      )
    },
  )

  it('is found in an old row of a block where neighbours have many newer ones', async () => {
    await add(site.point('note', 'old', MIDNIGHT), site.point('count', 1, MIDNIGHT))
    for (let round = 0; round < NEWEST_ROWS * 2; round++) {
      await datapoints.compactor.compact()
      await add(site.point('temperature', round, MIDNIGHT + 1 + round))
    }
    await datapoints.compactor.compact()
    await add(site.point('count', 2, MIDNIGHT - 1))
    expect(await latest(LATER)).toStrictEqual({
      note: { at: MIDNIGHT * 1_000, value: 'old' },
      count: { at: MIDNIGHT * 1_000, value: 1n },
      temperature: { at: (MIDNIGHT + NEWEST_ROWS * 2) * 1_000, value: NEWEST_ROWS * 2 - 1 },
    })
  })

  it.skipIf(name === 'PGlite').each([
    ['before rows are listed', 'listed.*'],
    ['after rows were listed', 'select b.series, b.points'],
  ])('is found where the row that has it begins to last %s', async (_, statement) => {
    const server = new Datapoints({ ...context, isAlone: true })
    const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
    const note = site.point('note', 'old', MIDNIGHT)
    for (let round = 0; round <= NEWEST_ROWS; round++) {
      await server.ingest.add(who, [round === 0 ? note : site.point('temperature', round, MIDNIGHT + round)])
      await server.compactor.compact()
    }
    // Begun out here, since no transaction begins within that of the reader.
    const { promise: look, resolve: lookNow } = Promise.withResolvers<void>()
    const merged = look.then(() => server.blockMerger.merge(Number.MAX_SAFE_INTEGER))
    let looks = 0
    const merging = countingDatabase(database, async ({ text }) => {
      if (!text.includes(statement) || ++looks !== 1) return
      lookNow()
      await merged
    })
    const all = await findSeriesOf(context, ANYBODY, {})
    const references = all.flatMap(({ id, ...series }) => (id === null ? [] : [referenceOf({ ...series, id })]))
    const found = await storedPointReader(merging, context.domain.id).latest(references, LATER)
    expect(looks).toBe(2)
    expect(new Set(Array.from(found.values(), ({ value }) => value))).toStrictEqual(new Set(['old', NEWEST_ROWS]))
    await server.close()
  })

  it('takes few rows of each series and unpacks nothing, whatever is stored', async () => {
    const codes = ['temperature', 'count', 'open', 'note'] as const
    for (let round = 0; round < 30; round++) {
      const points = codes.flatMap((code) =>
        Array.from({ length: 5 }, (_, index) => site.point(code, valueOf(code, 1), MIDNIGHT + round * 60_000 + index)),
      )
      await add(...points)
      await datapoints.compactor.compact()
      await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)
    }
    const series = await findSeriesOf(context, ANYBODY, {})
    const ids = series.map(({ id }) => ({ seriesId: id ?? 0, since: EVER }))
    const [chunks] = await database.rows({ count: INT8 }, 'select count(*) as count from datapoint_chunks')
    expect(chunks?.count).toBe(30 * codes.length)
    const rows = await readDomain(database, context.domain.id, (sql) =>
      fetchLatestOfChunks(sql, context.domain.id, ids, LATER),
    )
    expect(rows).toHaveLength(codes.length)
    expect(rows.every(({ points }) => points === null)).toBe(true)
  })
})

describe.each(['', 'analyze datapoint_chunks'])('the statement, with statistics or without; %s', (analyze) => {
  const [series, days, perDay] = [50, 40, 20]
  /** Of a series with many points a day, which are the others, and of one with few, whose days are joined. */
  const [dense, sparse] = ['1', String(series + 1)]
  let database: Database
  let context: DomainContext

  beforeAll(async () => {
    database = await POSTGRES.openMigrated()
    context = await makeDomain(database)
    await database.script(`
      create table datapoint_chunks_1970_01 partition of datapoint_chunks for values from (0) to (${31 * DAY});
      create table datapoint_chunks_1970_02 partition of datapoint_chunks for values from (${31 * DAY}) to (${59 * DAY});
      insert into series (domain_id, id, system_uuid, component_uuid, service_uuid, characteristic_uuid, value_kind, created_at)
      select ${context.domain.id}, s, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'float', now()
      from generate_series(1, ${series}) s;
      insert into datapoint_chunks (domain_id, series_id, t0, t1, generation, count, last_generation, last_float8, summary, points)
      select ${context.domain.id}, s, d * ${DAY}::int8 + c * 1000000000::int8, d * ${DAY}::int8 + c * 1000000000::int8 + 999000000,
        d * 100 + c, 100, 1, 1.5, '', '' from generate_series(1, ${series}) s, generate_series(1, ${days}) d,
        generate_series(1, ${perDay}) c;
      insert into series (domain_id, id, system_uuid, component_uuid, service_uuid, characteristic_uuid, value_kind, created_at)
      values (${context.domain.id}, ${sparse}, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'float', now());
      insert into datapoint_chunks (domain_id, series_id, t0, t1, generation, count, span, last_generation, last_float8, summary, points)
      select ${context.domain.id}, ${sparse}, d * ${DAY}::int8, (d + 4) * ${DAY}::int8 + 1, d, 100, 1, 1, 1.5, '', ''
      from generate_series(0, 50, 5) d;
      ${analyze}`)
  })
  afterAll(() => database.close())

  it.each([
    ['now', 50 * DAY],
    ['the middle of a day', 20 * DAY + 10_500_000_000],
    ['a day without points', 35 * DAY - 1],
  ])('reads a few rows of each series, not all that there are, before %s', async (_, before) => {
    const ids = Array.from({ length: series }, (__, index) => ({ seriesId: index + 1, since: EVER }))
    const scanned = await rowsOfChunks((sql) => fetchLatestOfChunks(sql, context.domain.id, ids, before))
    expect(scanned).toBeGreaterThanOrEqual(series)
    expect(scanned).toBeLessThanOrEqual(series * (before % DAY === 0 ? 3 : perDay + 3))
  })

  it.each([
    ['of a series with many points a day', dense, 20 * DAY + 10_500_000_000, 11],
    ['of one whose days are joined, in the middle of some', sparse, 22 * DAY, 7],
    ['of one whose days are joined, in a month without points', sparse, 58 * DAY, 9],
  ])('of a short range reads few rows %s', async (_, id, from, most) => {
    const to = from + 1_000_000_000
    expect(
      await rowsOfChunks((sql) => fetchChunks(sql, context.domain.id, [Number(id)], { from, to })),
    ).toBeLessThanOrEqual(most)
    const latest = await rowsOfChunks((sql) =>
      fetchLatestOfChunks(sql, context.domain.id, [{ seriesId: Number(id), since: EVER }], from),
    )
    expect(latest).toBeGreaterThan(0)
    expect(latest).toBeLessThanOrEqual(perDay + most)
  })

  function rowsOfChunks(ask: (sql: Sql) => Promise<unknown>): Promise<number> {
    return database.read(async (sql) => {
      await preferOrderOfIndex(sql)
      return rowsRead(sql, 'datapoint_chunks', ask)
    })
  }
})
