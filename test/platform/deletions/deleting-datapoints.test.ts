import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { carryOutDeletion, listDeletions, previewDeletion } from '../../../src/platform/deletions/deletions.ts'
import type { Wanted } from '../../../src/platform/deletions/deletion-target.ts'
import { eraseDatapoints } from '../../../src/platform/datapoints/erasing/erase.ts'
import { exportCsv } from '../../../src/platform/datapoints/export/export-csv.ts'
import { exportPoints, withPoints } from '../../../src/platform/datapoints/export/export-points.ts'
import { readDatapoints, readLatest, type Reading } from '../../../src/platform/datapoints/reading/read-datapoints.ts'
import { readingQuery, type ReadingArguments } from '../../../src/platform/datapoints/reading/reading-query.ts'
import { lookUpAll } from '../../../src/platform/datapoints/reading/series/find-series.ts'
import { referenceOf } from '../../../src/platform/datapoints/reading/series/readable-series.ts'
import { setRetention } from '../../../src/platform/datapoints/retention/set-retention.ts'
import { AnswerBudget } from '../../../src/platform/answer-budget.ts'
import { DatapointSource } from '../../../src/platform/changes/datapoint-source.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { settledGeneration } from '../../../src/store/datapoints/arriving/writer-slots.ts'
import { writeAccess } from '../../../src/store/domains.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { makeDomain, plan } from '../../support/domain.ts'
import { SITE_MODEL } from '../../support/site.ts'
import { context, database, datapoints, sender, site, useSite } from '../one-site.ts'

const NOON = Date.UTC(2026, 1, 20, 12)
const HOUR = 3_600_000
const AFTER = Number.MAX_SAFE_INTEGER

async function send(...values: readonly (readonly [hours: number, value: number])[]): Promise<void> {
  const elements = values.map(([hours, value]) => site.point('temperature', value, NOON + hours * HOUR))
  expect((await datapoints.ingest.add(sender, elements)).errors).toStrictEqual([])
}

/** Temperatures of the first sensor between two hours. */
function between(from: number | null, to: number | null): Wanted {
  return {
    kind: 'DATAPOINTS',
    series: {
      systems: null,
      components: [site.componentUuids[0] ?? ''],
      services: ['room'],
      characteristics: ['temperature'],
    },
    from: from === null ? null : (NOON + from * HOUR) * 1_000,
    to: to === null ? null : (NOON + to * HOUR) * 1_000,
  }
}

const preview = (wanted: Wanted, by = context) => previewDeletion(by, EVERYWHERE, wanted)
const carryOut = (wanted: Wanted, token: string, by = context) => carryOutDeletion(by, EVERYWHERE, wanted, token)

async function remove(wanted: Wanted): Promise<number> {
  const { token } = await preview(wanted)
  return (await carryOut(wanted, token)).counts.datapoints
}

async function read(args: ReadingArguments): Promise<Reading> {
  const name = { component: site.componentUuids[0] ?? '', service: 'room', characteristic: 'temperature' }
  const range = { from: new Date(NOON - 48 * HOUR).toISOString(), to: new Date(NOON + 48 * HOUR).toISOString() }
  const query = readingQuery({ ...range, ...args }, context.now())
  return (await readDatapoints(context, EVERYWHERE, name, query, context.now())).reading
}

async function values(): Promise<unknown[]> {
  const reading = await read({})
  return reading.form === 'page' ? reading.points.map(({ value }) => value) : []
}

async function latest(): Promise<unknown[]> {
  return (await readLatest(context, EVERYWHERE, {})).map(({ point }) => point.value)
}

async function status() {
  const settled = await writeAccess(database, context.domain.id, settledGeneration)
  return { settled, drawn: settled, folds: 'none', identity: '', outbox: [] }
}

/** Where the points are when they are deleted. */
const PLACES = {
  'hot tables': () => Promise.resolve(),
  blocks: () => datapoints.compactor.compact(),
  chunks: async () => {
    await datapoints.compactor.compact()
    await datapoints.blockMerger.merge(AFTER)
  },
}

describe.each(SAMPLED_DATABASES)('deleted datapoints on $name', (kind) => {
  useSite({ kind, limits: { leastOfChunk: 1 } })

  it.each(Object.entries(PLACES))('are in no answer, where they are in %s', async (_, move) => {
    await send([0, 1], [1, 2], [2, 3], [3, 4])
    await move()
    expect(await remove(between(1, 3))).toBe(2)
    expect(await remove(between(3, null))).toBe(1)
    expect(await values()).toStrictEqual([1])
    expect(await latest()).toStrictEqual([1])
    const buckets = await read({ interval: 'P1D', aggregations: ['count', 'sum', 'max', 'p95'] })
    expect(buckets).toMatchObject({ buckets: [{ cells: { count: 1, sum: 1, max: 1, p95: 1 } }] })
    const summed = await read({ interval: 'P1D', aggregations: ['sum', 'max'] })
    expect(summed).toMatchObject({ buckets: [{ count: 1, cells: { sum: 1, max: 1 } }] })
    expect(await read({ maxPoints: 100 })).toMatchObject({ points: [{ value: 1 }] })
    const keep = setRetention(context, { characteristic: null, keep: 'P1D', acknowledge: false })
    await expect(keep).rejects.toThrow(/^1 datapoint /)
    const changed = SITE_MODEL.characteristics.map((one) =>
      one.code === 'temperature' ? { ...one, boundaryMin: 0.5, boundaryMax: 0.6 } : one,
    )
    const narrowed = await plan(context, { ...SITE_MODEL, characteristics: changed })
    expect(JSON.stringify(narrowed)).toMatch(/[ :]1 stored datapoint of 1 system would no longer fit/)
  })

  it('are not counted where the summary of their chunk would tell how many values no longer fit', async () => {
    const month = 24 * 30
    await send([-month, 1], [1 - month, 1], [2 - month, 1], [0, 1], [1, 1], [2, 1], [3, 1])
    await PLACES.chunks()
    expect(await remove(between(1, null))).toBe(3)
    const changed = SITE_MODEL.characteristics.map((one) =>
      one.code === 'temperature' ? { ...one, boundaryMin: 5, boundaryMax: 6 } : one,
    )
    const narrowed = await plan(context, { ...SITE_MODEL, characteristics: changed })
    expect(JSON.stringify(narrowed)).toContain(' 4 stored datapoints of 1 system would no longer fit')
  })

  it('are gone from the tables after upkeep, however they were folded meanwhile', async () => {
    await send([0, 1], [1, 2], [30, 3])
    await datapoints.compactor.compact()
    await send([2, 4], [31, 5])
    await remove(between(1, 31))
    await datapoints.erase()
    // The last point is hot, so nothing is known of it yet.
    expect(await database.statement('select 1 as one from erased_ranges')).toHaveLength(1)
    await datapoints.compactor.compact()
    await datapoints.blockMerger.merge(AFTER)
    await datapoints.erase()
    expect(await database.statement('select 1 as one from erased_ranges')).toHaveLength(0)
    const rows = await database.statement(
      'select sum(count)::integer as points from (select count from datapoint_blocks union all select count from datapoint_chunks) all_rows',
    )
    expect(rows).toStrictEqual([{ points: 2 }])
    expect(await values()).toStrictEqual([1, 5])
  })

  it('are removed where chunks and blocks have no other points', async () => {
    await send(...Array.from({ length: 40 }, (_, hour) => [hour, hour] as const))
    await datapoints.compactor.compact()
    await datapoints.blockMerger.merge(AFTER)
    expect(await remove(between(null, null))).toBe(40)
    await datapoints.erase()
    expect(await database.statement('select 1 as one from datapoint_chunks')).toHaveLength(0)
    expect(await values()).toStrictEqual([])
    await send([1, 7])
    expect(await values()).toStrictEqual([7])
  })

  it.each([
    ['whole chunks', null],
    ['parts of chunks', 1],
  ])('are no reason to remove %s where a restored database does not know the deletion', async (_, from) => {
    await send([0, 1], [1, 2])
    await PLACES.chunks()
    await remove(between(from, null))
    const restored = countingDatabase(database, async ({ text: statement }) => {
      if (statement.startsWith('with held as')) await database.statement('delete from erased_ranges')
    })
    await eraseDatapoints(restored)
    expect(await database.statement('select 1 as one from erased_ranges')).toHaveLength(0)
    expect(await values()).toStrictEqual([1, 2])
  })

  it('are those of the preview: later ones stay, also where they replace one', async () => {
    await send([0, 1], [1, 2])
    const { token, counts } = await preview(between(null, null))
    expect(counts).toMatchObject({ datapoints: 2, systems: 0, events: 0 })
    await send([1, 20], [2, 30])
    await datapoints.compactor.compact()
    await carryOut(between(null, null), token)
    expect(await values()).toStrictEqual([20, 30])
    await datapoints.blockMerger.merge(AFTER)
    await datapoints.erase()
    expect(await values()).toStrictEqual([20, 30])
  })

  it('are in no subscription that begins again before them', async () => {
    await send([0, 1], [1, 2])
    const source = new DatapointSource(database, context.domain.id, context.now)
    const from = await source.start({ ...(await status()), settled: 0 })
    await send([2, 3], [3, 4])
    const found = async () => {
      const to = (await source.poll(from, await status()))?.after ?? from
      const flushes = await source.between(from, to, {})
      return flushes.flatMap(({ runs }) => runs.flatMap(({ columns }) => [...columns.values]))
    }
    expect(await found()).toStrictEqual([3, 4])
    await remove(between(3, null))
    expect(await found()).toStrictEqual([3])
    await datapoints.compactor.compact()
    expect(await found()).toStrictEqual([3])
  })

  it('are in no file', async () => {
    await send([0, 1], [1, 2])
    await datapoints.compactor.compact()
    await remove(between(1, null))
    const file = datapoints.exports.open(
      {
        domainId: context.domain.id,
        account: 'tester',
        units: null,
        to: 2 ** 52,
        async find(sql) {
          const found = withPoints(await lookUpAll(sql, context, EVERYWHERE, {}))
          return { found, series: found.map(referenceOf) }
        },
      },
      (reader, found) => exportCsv(exportPoints(reader, found, { from: 0, to: 2 ** 52 }), { guardFormulas: false }),
    )
    const lines = (await text(file)).trimEnd().split('\r\n')
    expect(lines.slice(1)).toStrictEqual([expect.stringMatching(/,1$/)])
  })

  it('are deleted once, and a second request gives the first answer', async () => {
    await send([0, 1], [1, 2])
    const wanted = between(0, 1)
    const { token } = await preview(wanted)
    const first = await carryOut(wanted, token)
    await send([0, 5])
    expect(await carryOut(wanted, token)).toStrictEqual(first)
    expect(await values()).toStrictEqual([5, 2])
    const { items } = await listDeletions(context, EVERYWHERE, { first: 10, after: null })
    expect(items).toStrictEqual([first])
    expect(first).toMatchObject({ kind: 'DATAPOINTS', deletedBy: 'tester', counts: { datapoints: 1 } })
  })

  it('are deleted once where two requests come together', async () => {
    await send([0, 1])
    const { token } = await preview(between(null, null))
    const [one, other] = await Promise.all([1, 2].map(() => carryOut(between(null, null), token)))
    expect(one).toStrictEqual(other)
    expect((await listDeletions(context, EVERYWHERE, { first: 10, after: null })).items).toHaveLength(1)
  })

  it('are listed only if the page fits into the answer, which is counted before it is read', async () => {
    const series = { ...ALL, systems: [site.systemUuid], services: ['x'.repeat(900)] }
    await remove({ kind: 'DATAPOINTS', series, from: null, to: null })
    const statements = countingDatabase(database)
    const narrow = { ...context, database: statements, budget: new AnswerBudget(800) }
    const listed = listDeletions(narrow, EVERYWHERE, { first: 10, after: null })
    await expect(listed).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
    expect(
      statements.statements.filter((one) => one.includes('from deletions') && !one.includes('octet_length')),
    ).toStrictEqual([])
  })

  it('need the token of exactly this preview', async () => {
    await send([0, 1], [1, 2])
    const wanted = between(0, 1)
    const { token, expiresAt } = await preview(wanted)
    const other = await makeDomain(database, 'another')
    const foreign = await previewDeletion(other, EVERYWHERE, { ...wanted })
    const NOT_OURS = 'this token is not from a deletionPreview of this domain and account'
    const other20 = token[20] === 'A' ? 'B' : 'A'
    for (const one of ['', 'x', foreign.token, token.slice(0, 20) + other20 + token.slice(21), token.slice(4)])
      await expect(carryOut(wanted, one)).rejects.toMatchObject({ code: 'BAD_USER_INPUT', message: NOT_OURS })
    await expect(carryOut(wanted, token, { ...context, actorName: 'somebody else' })).rejects.toThrow(NOT_OURS)
    const namesake = { ...context, accountUuid: crypto.randomUUID() }
    await expect(carryOut(wanted, token, namesake)).rejects.toThrow(NOT_OURS)
    await expect(carryOut(between(0, 2), token)).rejects.toThrow('from the preview of another deletion')
    const late = { ...context, now: () => new Date(expiresAt.getTime() + 1) }
    await expect(carryOut(wanted, token, late)).rejects.toThrow('this token has expired')
    expect(await values()).toStrictEqual([1, 2])
    const first = await carryOut(wanted, token)
    expect(await carryOut(wanted, token, late)).toStrictEqual(first)
    expect(await values()).toStrictEqual([2])
  })

  it('are deleted a limited number of times before they are removed', async () => {
    await send([0, 1])
    await remove(between(0, 1))
    await database.script(`insert into erased_ranges (domain_id, series_id, deletion_uuid, since, until, generation)
      select domain_id, series_id, gen_random_uuid(), since, until, generation from erased_ranges, generate_series(1, 62)`)
    await remove(between(1, 2))
    await expect(remove(between(0, 1))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await datapoints.compactor.compact()
    await datapoints.erase()
    expect(await remove(between(0, 1))).toBe(0)
  })

  it('of at most 20,000 series are deleted together', async () => {
    await send([0, 1])
    await database.script(`insert into series
      (domain_id, id, system_uuid, component_uuid, service_uuid, characteristic_uuid, value_kind, created_at)
      select domain_id, nextval('series_ids'), system_uuid, gen_random_uuid(), service_uuid, characteristic_uuid, value_kind, created_at
      from series, generate_series(1, 20000)`)
    const wanted = { ...between(null, null), series: { ...ALL, systems: [site.systemUuid] } }
    await expect(preview(wanted as Wanted)).rejects.toThrow('at most 20,000 series')
  })
})

const ALL = { systems: null, components: null, services: null, characteristics: null }
