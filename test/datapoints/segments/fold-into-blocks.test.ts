import { expect, it } from 'vitest'
import { DAY } from '../../../src/datapoints/chunks/pack-series.ts'
import { HOUR } from '../../../src/datapoints/chunks/summaries.ts'
import { foldIntoBlocks } from '../../../src/datapoints/segments/fold-into-blocks.ts'
import { decodeSegment } from '../../../src/datapoints/segments/segment.ts'

const MONDAY = Date.UTC(2026, 2, 2) * 1_000

/** The chunks and the points that stay, at the beginning of a day, of one series with points at these times. */
function gathered(times: readonly number[], day: number) {
  const at = Float64Array.from(times)
  const points = { at, generation: 1, values: at.map((time) => time / HOUR) }
  const { chunks, blocks } = foldIntoBlocks(1, [{ seriesId: 7, kind: 'float', points }], MONDAY + day * DAY)
  const staying = blocks.flatMap((row) => decodeSegment(row)).reduce((sum, part) => sum + part.points.at.length, 0)
  return { chunks: chunks.map(({ count, span }) => ({ count, span })), staying }
}

function hours(days: number): number[] {
  return Array.from({ length: days * 24 }, (_, hour) => MONDAY + hour * HOUR)
}

it('points of each hour stay in their block for a week, and leave it as one chunk', () => {
  for (let day = 1; day <= 7; day++) expect(gathered(hours(day), day)).toStrictEqual({ chunks: [], staying: day * 24 })
  expect(gathered(hours(8), 8)).toStrictEqual({ chunks: [{ count: 8 * 24, span: 1 }], staying: 0 })
  // The day that goes on stays.
  expect(gathered([...hours(8), MONDAY + 8 * DAY], 8)).toMatchObject({ staying: 1 })
})

it('single points that came late for several days are a chunk for each day, which is joined with what it lies over', () => {
  const late = [0, 3, 5].map((day) => MONDAY + day * DAY)
  const one = { count: 1, span: 0 }
  expect(gathered(late, 20)).toStrictEqual({ chunks: [one, one, one], staying: 0 })
})

it('points that are enough for a chunk leave at once', () => {
  const minutes = Array.from({ length: 600 }, (_, minute) => MONDAY + (minute * HOUR) / 60)
  expect(gathered(minutes, 0)).toStrictEqual({ chunks: [{ count: 600, span: 0 }], staying: 0 })
})
