import { expect, it } from 'vitest'
import { DAY } from '../../../src/datapoints/chunks/pack-series.ts'
import { HOUR } from '../../../src/datapoints/chunks/summaries.ts'
import { FULL, LASTING, levelOfLasting, POINTS_OF_LEVEL } from '../../../src/datapoints/segments/block-levels.ts'
import { ENOUGH_POINTS } from '../../../src/datapoints/segments/divide-points.ts'
import { foldIntoBlocks, foldLasting, type BlockRow } from '../../../src/datapoints/segments/fold-into-blocks.ts'
import { decodeSegment } from '../../../src/datapoints/segments/segment.ts'

const MONDAY = Date.UTC(2026, 2, 2) * 1_000

function partOf(times: readonly number[]) {
  const at = Float64Array.from(times)
  return { seriesId: 7, kind: 'float' as const, points: { at, generation: 1, values: at.map((time) => time / HOUR) } }
}

function countOf(rows: readonly BlockRow[]): number {
  return rows.flatMap((row) => decodeSegment(row)).reduce((sum, part) => sum + part.points.at.length, 0)
}

/** The chunks and the points that stay, at the beginning of a day, of one series with points at these times. */
function gathered(times: readonly number[], day: number, leastOfChunk = 1) {
  const { chunks, blocks, lasting } = foldIntoBlocks(1, [partOf(times)], { until: MONDAY + day * DAY, leastOfChunk })
  const stored = { staying: countOf(blocks), lasting: countOf(lasting) }
  return { chunks: chunks.map(({ count, span }) => ({ count, span })), ...stored }
}

/** The same of rows that last. */
function gatheredLater(times: readonly number[]) {
  const { chunks, blocks, lasting } = foldLasting(1, [partOf(times)])
  expect(blocks).toStrictEqual([])
  return { chunks: chunks.map(({ count }) => count), lasting: countOf(lasting) }
}

function hours(days: number): number[] {
  return Array.from({ length: days * 24 }, (_, hour) => MONDAY + hour * HOUR)
}

it('points of each hour stay in their block for a week, and then last or leave it as one chunk', () => {
  for (let day = 1; day <= 7; day++)
    expect(gathered(hours(day), day)).toStrictEqual({ chunks: [], staying: day * 24, lasting: 0 })
  expect(gathered(hours(8), 8)).toStrictEqual({ chunks: [{ count: 8 * 24, span: 1 }], staying: 0, lasting: 0 })
  expect(gathered(hours(8), 8, ENOUGH_POINTS)).toStrictEqual({ chunks: [], staying: 0, lasting: 8 * 24 })
  // The day that goes on stays.
  const goesOn = [...hours(8), MONDAY + 8 * DAY]
  expect(gathered(goesOn, 8)).toMatchObject({ staying: 1 })
  expect(gathered(goesOn, 8, ENOUGH_POINTS)).toMatchObject({ staying: 1, lasting: 8 * 24 })
})

it('what lasts leaves when it is enough for chunks that are not small, month by month', () => {
  expect(gatheredLater(hours(24))).toStrictEqual({ chunks: [], lasting: 24 * 24 })
  expect(gatheredLater(hours(25))).toStrictEqual({ chunks: [25 * 24], lasting: 0 })
  expect(gatheredLater(hours(40))).toStrictEqual({ chunks: [30 * 24], lasting: 10 * 24 })
  expect(gatheredLater(hours(100))).toStrictEqual({ chunks: [30 * 24, 30 * 24, 31 * 24], lasting: 9 * 24 })
  // Three years of a point a day would be chunks of thirty points.
  const days = Array.from({ length: 1_000 }, (_, day) => MONDAY + day * DAY)
  expect(gatheredLater(days)).toStrictEqual({ chunks: [], lasting: 1_000 })
})

function levelOf(count: number, bytes: number, level = 3): number {
  return levelOfLasting({ count, points: new Uint8Array(bytes) }, level)
}

it('a row that lasts is full when series of it must have enough points for two chunks, or when it has two mebibytes', () => {
  expect(levelOf(1, 1)).toBe(LASTING)
  expect(levelOf(2 * POINTS_OF_LEVEL - 1, 2 ** 21 - 1, LASTING + 2)).toBe(LASTING + 2)
  expect([levelOf(2 * POINTS_OF_LEVEL, 1), levelOf(1, 2 ** 21)]).toStrictEqual([FULL, FULL])
})

it('single points that came late for several days are a chunk for each day, which is joined with what it lies over', () => {
  const late = [0, 3, 5].map((day) => MONDAY + day * DAY)
  const one = { count: 1, span: 0 }
  expect(gathered(late, 20)).toStrictEqual({ chunks: [one, one, one], staying: 0, lasting: 0 })
})

it('points that are enough for a chunk leave at once', () => {
  const minutes = Array.from({ length: 600 }, (_, minute) => MONDAY + (minute * HOUR) / 60)
  expect(gathered(minutes, 0)).toStrictEqual({ chunks: [{ count: 600, span: 0 }], staying: 0, lasting: 0 })
})
