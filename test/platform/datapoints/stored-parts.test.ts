import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { GeneratedColumns } from '../../../src/datapoints/chunks/chunk.ts'
import { joinGenerated, mergePoints } from '../../../src/datapoints/chunks/merge-points.ts'
import { packSeries, type ChunkRow } from '../../../src/datapoints/chunks/pack-series.ts'
import type { Sql } from '../../../src/db/sql.ts'
import type { BlockValues, SeriesOf } from '../../../src/platform/datapoints/parts/other-series.ts'
import { packedPoints, piecesOf, timesOf } from '../../../src/platform/datapoints/parts/points-of-parts.ts'
import { storedParts, type StoredPart } from '../../../src/platform/datapoints/parts/stored-parts.ts'

const START = Date.UTC(2026, 2, 1) * 1_000
const SECOND = 1_000_000

/** What one flush has stored of one series: points at these seconds. */
interface Flush {
  readonly seriesId: number
  readonly seconds: readonly number[]
  readonly place: 'chunk' | 'block' | 'hot'
}

const flushes = fc.array(
  fc.record({
    // Some are in another block than others.
    seriesId: fc.constantFrom(1, 2, 300),
    seconds: fc.uniqueArray(fc.nat(40), { minLength: 1, maxLength: 12 }),
    place: fc.constantFrom('chunk', 'chunk', 'block', 'hot'),
  }) satisfies fc.Arbitrary<Flush>,
  { maxLength: 20 },
)

/** The points of a flush, whose values say which it was. */
function pointsOf({ seconds }: Flush, generation: number): GeneratedColumns {
  const at = Float64Array.from(
    [...seconds].sort((a, b) => a - b),
    (second) => START + second * SECOND,
  )
  return { at, generation, values: at.map(() => generation) }
}

const flush = (place: Flush['place'], ...seconds: number[]): Flush => ({ seriesId: 1, place, seconds })
/** A chunk as it is found, with its points. */
type Found = ChunkRow & { readonly bytes: number }

const byTime = (a: Found, b: Found) => a.seriesId - b.seriesId || a.t0 - b.t0 || a.generation - b.generation
const read = {
  rows: () => Promise.reject(new Error('no chunk is fetched that came with its points')),
} as unknown as Sql

async function partsOf(stored: readonly Flush[]): Promise<StoredPart<SeriesOf, Found>[]> {
  const inOrder = stored.map((flush, index) => ({ ...flush, points: pointsOf(flush, index + 1) }))
  const chunks = inOrder
    .filter(({ place }) => place === 'chunk')
    .flatMap(({ seriesId, points }) =>
      packSeries({ domainId: 1, seriesId, kind: 'float' }, points, { compress: false }),
    )
    .map((row) => ({ ...row, bytes: row.points.length }))
  const others = (place: string, block?: number) => {
    const own = inOrder.filter((one) => one.place === place && (block ?? one.seriesId >> 8) === one.seriesId >> 8)
    const points = new Map<number, GeneratedColumns[]>()
    for (const one of own) points.set(one.seriesId, [...(points.get(one.seriesId) ?? []), one.points])
    return { origins: [...points.keys()].map((seriesId) => ({ seriesId })), points }
  }
  async function* inBatches() {
    const sorted = chunks.sort(byTime)
    for (let start = 0; start < sorted.length; start += 2) yield sorted.slice(start, start + 2)
  }
  async function* blocks(): AsyncGenerator<BlockValues<SeriesOf>> {
    for (const block of [0, 1]) yield { block, ...others('block', block) }
  }
  const found: StoredPart<SeriesOf, Found>[] = []
  for await (const parts of storedParts<SeriesOf, Found>(inBatches(), { hot: others('hot'), blocks: blocks() }))
    found.push(...parts)
  return found
}

it('what is stored falls into parts, of which only those that overlap must be decoded, each point once', async () => {
  await fc.assert(
    fc.asyncProperty(flushes, async (stored) => {
      const parts = await partsOf(stored)
      const pieces = new Map<number, GeneratedColumns[]>()
      const times = new Map<number, number[]>()
      const [forPieces, forTimes] = [packedPoints(read, 1, parts), packedPoints(read, 1, parts)]
      for (const part of parts) {
        const { seriesId } = part.origin
        for await (const piece of piecesOf(part, forPieces))
          pieces.set(seriesId, [...(pieces.get(seriesId) ?? []), piece])
        for await (const at of timesOf(part, forTimes)) times.set(seriesId, [...(times.get(seriesId) ?? []), ...at])
      }
      for (const seriesId of [1, 2, 300]) {
        const all = stored.map((flush, index) => ({ flush, points: pointsOf(flush, index + 1) }))
        const own = all.filter(({ flush }) => flush.seriesId === seriesId).map(({ points }) => points)
        if (own.length === 0) continue
        const expected = mergePoints(joinGenerated(own))
        const joined = joinGenerated(pieces.get(seriesId) ?? [])
        expect([...joined.at]).toStrictEqual([...expected.at])
        expect(joined.values).toStrictEqual(expected.values)
        expect(times.get(seriesId)).toStrictEqual([...expected.at])
      }
    }),
    { numRuns: 300 },
  )
})

it('a chunk is alone where nothing else of its series lies in its time, whatever lies before and after it', async () => {
  const parts = await partsOf([
    flush('hot', 1, 9, 14, 22, 35),
    flush('block', 2),
    flush('chunk', 3, 8),
    flush('chunk', 10, 13),
    flush('chunk', 20, 25),
    flush('chunk', 24, 30),
    flush('chunk', 31, 34),
  ])
  const sizes = parts.map(({ chunks, others }) => [chunks.length, others?.at.length ?? 0])
  expect(sizes).toStrictEqual([
    [0, 2],
    [1, 0],
    [0, 1],
    [1, 0],
    [0, 1],
    [2, 1],
    [1, 0],
    [0, 1],
  ])
})

it('long chunks are fetched few at a time', async () => {
  const sizes = [1, 9, 9, 9, 20, 1, 1].map((megabytes) => megabytes * 1_048_576)
  const chunks = sizes.map((bytes, t0) => {
    return { seriesId: 1, kind: 'text' as const, t0, t1: t0, generation: 1, count: 1, bytes }
  })
  const asked: number[] = []
  const fetching = {
    rows: (_shape: unknown, _text: string, [, series]: readonly string[][]) => {
      asked.push(series?.length ?? 0)
      return Promise.resolve(series?.map(() => ({ points: new Uint8Array() })))
    },
  } as unknown as Sql
  const part = { origin: { seriesId: 1 }, chunks, others: null }
  for await (const points of packedPoints(fetching, 1, [part])) expect(points).toHaveLength(0)
  expect(asked).toStrictEqual([3, 2, 2])
})
