import { generationAt, type GeneratedColumns } from '../../../datapoints/chunks/chunk.ts'
import { withoutErased } from '../../../datapoints/chunks/erased.ts'
import { isMisfit, type Redefinition } from '../../../datapoints/chunks/misfits.ts'
import type { Sql } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { present } from '../../../lib/present.ts'
import { fetchBlockDirectoriesAfter, readBlocksAfter } from '../../../store/datapoints/points/changed-datapoints.ts'
import { lookAtHotPoints } from '../../../store/datapoints/points/points.ts'
import {
  fetchOrigins,
  fetchPointsOfChunks,
  readChunksOfAfter,
  type SeriesOrigin,
  type ValuesOf,
} from '../../../store/datapoints/points/stored-values.ts'
import { fetchKeysByUuid } from '../../../store/model/records.ts'
import { decodeStored, decodeStoredDirectory } from '../damaged-points.ts'
import type { OtherValues } from '../parts/other-series.ts'
import { segmentPoints } from '../reading/stored/segment-points.ts'
import type { Redefined } from './misfit-tally.ts'
import { readHotValues } from './other-values.ts'

// An apply checks stored values and then continues for a while, in which more values are stored by the old rules. The
// lock of the model stops that. Once the apply holds the lock, it checks the new values, too.

/** A check of the data that a change depends on. */
export interface Look {
  readonly redefined: readonly Redefined[]
  /** The check has seen all flushes up to this number, and perhaps some later ones. */
  readonly through: number
  /** The uuids of the characteristics by their earlier keys, if the change may have renamed them since. */
  readonly uuids?: ReadonlyMap<string, string>
}

/** New values arrived that the change would invalidate. The change starts again with a check that counts them. */
export class NewMisfits extends HoldfastError {
  constructor() {
    super(
      'UNAVAILABLE',
      'datapoints that this change would invalidate kept arriving while it was made, and nothing was changed; try again',
    )
  }
}

/** Fails if values that do not fit were stored since a check. The transaction holds the lock of the model. */
export async function lookAgain(sql: Sql, domainId: number, look: Look): Promise<void> {
  const { through } = look
  const redefined = await underKeysNow(sql, domainId, look)
  const redefinitions = new Map(redefined.map(({ key, redefinition }) => [key, redefinition]))
  const refuseMisfits = ({ origins, points }: OtherValues<SeriesOrigin>): void => {
    for (const { key, seriesId, erased } of origins) {
      const redefinition = redefinitions.get(key)
      const parts = points.get(seriesId) ?? []
      if (
        redefinition !== undefined &&
        parts.some((part) => hasMisfitAfter(redefinition, withoutErased(part, erased), through))
      )
        throw new NewMisfits()
    }
  }
  const wanted = redefined.map(({ key, redefinition }) => ({ key, kind: redefinition.after.kind }))
  const hot = await lookAtHotPoints(sql, () => readHotValues(sql, domainId, wanted, through))
  refuseMisfits(hot)
  // Points move from hot segments to blocks and then to chunks, so reading in this order misses none.
  for await (const values of packedAfter(sql, domainId, wanted, through)) refuseMisfits(values)
}

async function underKeysNow(sql: Sql, domainId: number, { redefined, uuids }: Look): Promise<readonly Redefined[]> {
  if (uuids === undefined) return redefined
  const keys = await fetchKeysByUuid(sql, domainId, [...uuids.values()])
  return redefined.map((one) => ({ ...one, key: keys.get(uuids.get(one.key) ?? '') ?? one.key }))
}

/** Reads piece by piece, because a row may have one new point and many old ones. */
async function* packedAfter(
  sql: Sql,
  domainId: number,
  wanted: readonly ValuesOf[],
  after: number,
): AsyncGenerator<OtherValues<SeriesOrigin>> {
  // Blocks are found by their generations, so the number of series does not matter. The points of only a few are read.
  const directories = await fetchBlockDirectoriesAfter(sql, domainId, after)
  const ids = new Set(directories.flatMap((one) => [...decodeStoredDirectory(one, `of the block ${one.block}`).series]))
  const origins = new Map<number, SeriesOrigin>()
  for (const origin of await fetchOrigins(sql, domainId, wanted, [...ids])) origins.set(origin.seriesId, origin)
  const own = new Set(origins.keys())
  if (own.size > 0)
    for await (const blocks of readBlocksAfter(sql, domainId, after, [...own]))
      for (const one of blocks) {
        const points = await segmentPoints([one], own)
        // Passes only the series of this block. With all series for each block, the work would grow with blocks times
        // series.
        yield { origins: Array.from(points.keys(), (seriesId) => present(origins.get(seriesId))), points }
      }
  for await (const chunks of readChunksOfAfter(sql, domainId, wanted, after))
    for (const chunk of chunks) {
      const [long] = chunk.points === null ? await fetchPointsOfChunks(sql, domainId, [chunk]) : []
      const points = decodeStored(chunk, chunk.points ?? present(long), chunk.kind)
      yield { origins: [chunk], points: new Map([[chunk.seriesId, [points]]]) }
    }
}

function hasMisfitAfter(redefinition: Redefinition, points: GeneratedColumns, after: number): boolean {
  return points.at.some(
    (_, index) => generationAt(points, index) > after && isMisfit(redefinition, points.values, index),
  )
}
