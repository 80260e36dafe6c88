import { expect, it } from 'vitest'
import { blockOf, SERIES_OF_BLOCK } from '../../../src/datapoints/segments/fold-into-blocks.ts'
import { OtherSeries, type BlockValues, type SeriesOf } from '../../../src/platform/datapoints/parts/other-series.ts'
import { countCalls } from '../../support/count-calls.ts'

async function* noBlocks(): AsyncGenerator<BlockValues<SeriesOf>> {}

it('the blocks that wait are looked through once for each block, and not for each series', async () => {
  const blocks = 8
  const origins = Array.from({ length: blocks * SERIES_OF_BLOCK }, (_, index) => ({ seriesId: index }))
  const points = new Map(
    origins.map(({ seriesId }) => [
      seriesId,
      [{ at: Float64Array.of(seriesId), generation: 1, values: Float64Array.of(seriesId) }],
    ]),
  )
  const others = new OtherSeries({ hot: { origins, points }, blocks: noBlocks() })
  const [left, taken]: [number[], number[]] = [[], []]
  const sorts = await countCalls(Array.prototype, 'sort', async () => {
    for (const { seriesId } of origins) {
      for await (const { origin } of others.moveTo(blockOf(seriesId))) left.push(origin.seriesId)
      // Every other series has chunks, and takes its own points.
      taken.push(...(seriesId % 2 === 0 ? (others.take(seriesId, Infinity)?.at ?? []) : []))
    }
    for await (const { origin } of others.moveTo(Infinity)) left.push(origin.seriesId)
  })
  expect(taken).toStrictEqual(origins.map(({ seriesId }) => seriesId).filter((seriesId) => seriesId % 2 === 0))
  expect(left).toStrictEqual(origins.map(({ seriesId }) => seriesId).filter((seriesId) => seriesId % 2 === 1))
  expect(sorts).toBeLessThan(3 * blocks)
})
