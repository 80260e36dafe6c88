import { SERIES_OF_BLOCK } from '../../../datapoints/segments/fold-into-blocks.ts'
import type { StoredBlockOf } from '../../../store/datapoints/points/stored-values.ts'
import { segmentPoints } from '../reading/stored/segment-points.ts'
import type { BlockValues, SeriesOf } from './other-series.ts'

export interface SeriesBetween {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** Reads the points in blocks of the series that `originsBetween` names, block by block. */
export async function* readBlocks<Origin extends SeriesOf>(
  rows: AsyncIterable<StoredBlockOf>,
  originsBetween: (series: SeriesBetween) => Promise<readonly Origin[]>,
): AsyncGenerator<BlockValues<Origin>> {
  for await (const [block, own] of byBlock(rows)) {
    const origins = await originsBetween({ from: block * SERIES_OF_BLOCK, to: (block + 1) * SERIES_OF_BLOCK })
    const wanted = new Set(origins.map(({ seriesId }) => seriesId))
    const segments = own.map(({ series, points }) => ({ generation: null, series, points }))
    yield { block, origins, points: await segmentPoints(segments, wanted) }
  }
}

/** The rows of each block, which come one after the other. */
async function* byBlock(
  rows: AsyncIterable<StoredBlockOf>,
): AsyncGenerator<readonly [block: number, rows: readonly StoredBlockOf[]]> {
  let own: StoredBlockOf[] = []
  for await (const row of rows) {
    const [first] = own
    if (first !== undefined && first.block !== row.block) {
      yield [first.block, own]
      own = []
    }
    own.push(row)
  }
  const [first] = own
  if (first !== undefined) yield [first.block, own]
}
