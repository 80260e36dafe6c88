import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { cellAt, type Before } from '../../../../src/datapoints/chunks/point-columns.ts'
import { findSeriesOf, requireSeries } from '../../../support/find-series.ts'
import { atOneMoment as readAtOneMoment } from './at-one-moment.ts'
import type { PointReader, SeriesReference } from '../../../../src/platform/datapoints/reading/stored/point-reader.ts'
import {
  readDatapoints,
  readLatest,
  type Reading,
} from '../../../../src/platform/datapoints/reading/read-datapoints.ts'
import { readingQuery, type ReadingArguments } from '../../../../src/platform/datapoints/reading/reading-query.ts'
import { cursorOfPoint, readPage } from '../../../../src/platform/datapoints/reading/forms/read-page.ts'
import { storedPointReader } from '../../../../src/platform/datapoints/reading/stored/stored-point-reader.ts'
import { SAMPLED_DATABASES } from '../../../support/databases.ts'
import { makeDomain } from '../../../support/domain.ts'
import { context, database, datapoints, sender, site, useSite } from '../../one-site.ts'

type ByBuckets = Extract<Reading, { form: 'buckets' }>

const ANYBODY = { systemUuid: null, units: null }
const DAY_MS = 86_400_000
/** Shortly before midnight (UTC), so that what is written lies on two days. */
const START = Date.UTC(2026, 0, 31, 23, 59, 59)

function atOneMoment<T>(series: SeriesReference, to: number, work: (reader: PointReader) => Promise<T>): Promise<T> {
  return readAtOneMoment(database, context.domain.id, [series], to, work)
}

async function seriesOf(code: string, component = 0): Promise<SeriesReference> {
  const name = { component: site.componentUuids[component] ?? '', service: 'room', characteristic: code }
  const { id, kind } = await requireSeries(context, ANYBODY, name)
  if (id === null) throw new Error(`there is no point of ${code}`)
  return { seriesId: id, kind }
}

async function add(...elements: unknown[]): Promise<void> {
  const { errors } = await datapoints.ingest.add(sender, elements)
  expect(errors).toStrictEqual([])
}

describe.each(SAMPLED_DATABASES)('reading what is stored on $name', (kind) => {
  let reader: PointReader

  useSite({ kind, limits: { leastOfChunk: 1 }, isKept: true })
  beforeAll(() => {
    reader = storedPointReader(database, context.domain.id)
  })

  async function allOf(series: SeriesReference, range: { from: number; to: number }): Promise<Before[]> {
    const points: Before[] = []
    for await (const { columns } of reader.read([series], { ...range, order: 'oldest first' })) {
      columns.at.forEach((at, index) => points.push({ at, value: cellAt(columns.values, index) }))
    }
    return points
  }

  it('pages of any length give every point once, in both orders, however they are packed', async () => {
    const expected = new Map<number, Before>()
    // Every second round is packed, and each writes some of the times of the one before again.
    for (let round = 0; round < 5; round++) {
      const written = Array.from({ length: 40 }, (_, index) => ({
        ms: START + (round * 23 + index) * 100,
        value: round + index / 64,
      }))
      await add(...written.map(({ ms, value }) => site.point('temperature', value, ms)))
      for (const { ms, value } of written) expected.set(ms, { at: ms * 1000, value })
      if (round % 2 === 0) await datapoints.compactor.compact()
    }
    const all = [...expected.values()].sort((a, b) => a.at - b.at)
    const series = await seriesOf('temperature')
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 20, max: 200 }), fc.nat(140), fc.nat(140), async (first, one, other) => {
        const from = (all[Math.min(one, other)]?.at ?? 0) - 1
        const to = (all[Math.min(Math.max(one, other), all.length - 1)]?.at ?? 0) + 1
        const inside = all.filter(({ at }) => at >= from && at < to)
        expect(await allOf(series, { from, to })).toStrictEqual(inside)
        for (const order of ['oldest first', 'newest first'] as const) {
          const read: Before[] = []
          for (let after: string | null = null; ;) {
            const page = await readPage(reader, series, { from, to, order, first, after })
            read.push(...page.points)
            after = cursorOfPoint(page.points.at(-1)?.at ?? 0)
            if (!page.hasNextPage) break
          }
          expect(read).toStrictEqual(order === 'oldest first' ? inside : inside.toReversed())
          const query = { from, to, order, first, after: null }
          const page = await atOneMoment(series, to, (moment) => readPage(moment, series, query))
          expect(page.points).toStrictEqual(read.slice(0, first))
        }
      }),
      { numRuns: 15 },
    )
  })

  it('the last point before a time is the same, packed or not, whatever was written after it', async () => {
    const series = await seriesOf('temperature')
    const all = await allOf(series, { from: 0, to: (START + DAY_MS) * 1000 })
    const times = [0, ...all.flatMap(({ at }) => [at, at + 1]), (START + DAY_MS) * 1000]
    for (const before of times) {
      const latest = await reader.latest([series], before)
      expect(latest.get(series.seriesId)).toStrictEqual(all.findLast(({ at }) => at < before))
      const moment = await atOneMoment(series, before, (one) => one.latest([series], before))
      expect(moment).toStrictEqual(latest)
    }
  })

  it('the last point of every series comes at once, of each kind of value', async () => {
    await add(site.point('count', 1, START), site.point('open', true, START), site.point('note', 'old', START, 1))
    await datapoints.compactor.compact()
    await add(site.point('count', '9007199254740993', START + 1), site.point('note', 'new', START - DAY_MS, 1))
    await add(site.point('note', 'newer', START, 1))
    const filter = { characteristics: ['count', 'open', 'note'] }
    const latest = await readLatest(context, ANYBODY, filter, { before: (START + DAY_MS) * 1000 })
    const shown = latest.map(({ series: { characteristicKey }, point }) => [
      characteristicKey,
      point.at / 1000,
      point.value,
    ])
    expect(new Set(shown)).toStrictEqual(
      new Set([
        ['count', START + 1, 9_007_199_254_740_993n],
        ['open', START, true],
        ['note', START, 'newer'],
      ]),
    )
  })

  it('a device sees its own system only', async () => {
    const stranger = { systemUuid: '00000000-0000-4000-8000-000000000000', units: null }
    expect(await findSeriesOf(context, stranger, {})).toStrictEqual([])
    const name = { component: site.componentUuids[0] ?? '', service: 'room', characteristic: 'temperature' }
    await expect(requireSeries(context, stranger, name)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await requireSeries(context, { systemUuid: site.systemUuid, units: null }, name)).toMatchObject({
      kind: 'float',
    })
  })

  it('another domain sees nothing of it', async () => {
    const other = await makeDomain(database, 'other')
    const series = await seriesOf('temperature')
    const foreign = storedPointReader(database, other.domain.id)
    expect(await findSeriesOf(other, ANYBODY, {})).toStrictEqual([])
    expect(await foreign.latest([series], 2 ** 52)).toStrictEqual(new Map())
    for await (const part of foreign.read([series], { from: 0, to: 2 ** 52, order: 'oldest first' })) {
      throw new Error(`${part.columns.at.length} points of somebody else`)
    }
  })

  it('a server whose clock is an hour behind shows all that others have stored, where no end is named', async () => {
    const from = Date.now() - 600_000
    await add(site.point('temperature', 5, from, 1), site.point('temperature', 9, from + 590_000, 1))
    const behind = { ...context, now: () => new Date(from - 3_000_000) }
    const name = { component: site.componentUuids[1] ?? '', service: 'room', characteristic: 'temperature' }
    const ask = async (args: ReadingArguments) => {
      const query = readingQuery({ from: new Date(from).toISOString(), ...args }, behind.now())
      return (await readDatapoints(behind, ANYBODY, name, query, behind.now())).reading
    }
    for (const when of ['hot', 'folded', 'packed']) {
      expect([when, await ask({})]).toMatchObject([when, { points: [{ value: 5 }, { value: 9 }] }])
      expect(await ask({ maxPoints: 10 })).toMatchObject({ points: [{ value: 5 }, { value: 9 }] })
      const { buckets } = (await ask({ interval: 'P1D', aggregations: ['count', 'timeWeightedAvg'] })) as ByBuckets
      expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(2)
      expect(buckets.at(-1)?.to).toBe((from + 590_000) * 1_000 + 1)
      const latest = await readLatest(behind, ANYBODY, { components: [name.component] })
      expect(latest.map(({ point }) => point.value)).toContain(9)
      await datapoints.compactor.compact()
      if (when === 'folded') await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)
    }
    // What it knows to be of the future is so because somebody asks for it.
    expect(await ask({ to: new Date(from + 1).toISOString() })).toMatchObject({ points: [{ value: 5 }] })
  })

  it('what a component supports has no points yet, and what it does not is not found', async () => {
    const [component = ''] = site.componentUuids
    const percent = await requireSeries(context, ANYBODY, { component, service: 'room', characteristic: 'percent' })
    expect(percent).toMatchObject({ id: null, kind: 'float', systemUuid: site.systemUuid })
    const unused = { component, service: 'unused', characteristic: 'temperature' }
    await expect(requireSeries(context, ANYBODY, unused)).rejects.toThrow(
      'does not support the characteristic "temperature" of the service "unused"',
    )
  })
})
