import { fromOn, lowerBound } from '../../../datapoints/chunks/point-columns.ts'
import type { Sql } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import type { Misfits } from '../../../plan/guards/stored-data.ts'
import {
  readFoldedValues,
  type FoldedValuesOf,
  type SeriesOrigin,
} from '../../../store/datapoints/points/stored-values.ts'
import { breather } from '../../../db/breather.ts'
import type { OtherValues } from '../parts/other-series.ts'
import { packedPoints, piecesOf, timesOf } from '../parts/points-of-parts.ts'
import { storedParts } from '../parts/stored-parts.ts'
import { MisfitTally, type Redefined } from './misfit-tally.ts'
import { readBlockValues } from './other-values.ts'

interface Looking {
  readonly hot: OtherValues<SeriesOrigin>
  /** The earliest time within the retention of a characteristic, given by its uuid. */
  earliestOf(characteristicUuid: string): number
  /** The number of values after which the search stops at the first misfit; left out if all points are counted. */
  readonly enough: number | undefined
  /** Fires when nobody waits for the answer any more. */
  readonly left: AbortSignal | undefined
}

/** The misfits, and the number of all checked points. */
interface Found {
  readonly misfits: Misfits
  readonly seen: Pick<Misfits, 'points' | 'systems'>
}

type Tallies = ReadonlyMap<string, MisfitTally>

/**
 * Checks every stored value of these characteristics, a part of a series at a time, and lets other work run in between.
 * If the smallest and the largest value of a chunk decide, its values are not read. If nothing else lies in its time
 * either, its times are not read.
 */
export async function findMisfits(
  sql: Sql,
  domainId: number,
  redefined: readonly Redefined[],
  looking: Looking,
): Promise<ReadonlyMap<string, Found>> {
  const { enough = Infinity, hot, earliestOf, left } = looking
  // If one misfit is enough, valid points are not read only to count them.
  const tallies: Tallies = new Map(redefined.map((one) => [one.key, new MisfitTally(one, enough === Infinity)]))
  const wanted = redefined.map(toRead)
  const others = { hot, blocks: await readBlockValues(sql, domainId, wanted) }
  const chunks = readFoldedValues(sql, domainId, wanted)
  const giveWay = breather()
  let looked = 0
  for await (const parts of storedParts(chunks, others)) {
    if (left?.aborted === true)
      throw new HoldfastError('UNAVAILABLE', 'the client that requested the plan has disconnected')
    await giveWay()
    const open = parts.flatMap((part) => {
      const tally = tallies.get(part.origin.key)
      const earliest = earliestOf(part.origin.characteristicUuid)
      const share = tally?.countKnown(part, earliest) ?? null
      return tally === undefined || share === null ? [] : [{ ...part, tally, share, earliest }]
    })
    const packed = packedPoints(sql, domainId, open)
    for (const part of open) {
      const { origin, tally, share, earliest } = part
      if (share === 'unknown') {
        for await (const columns of piecesOf(part, packed)) {
          for (const { start, end } of stepsOf(columns.at, earliest)) {
            if (looked >= enough && hasFound(tallies)) return finished(tallies, true)
            tally.add({ origin, columns }, start, end)
            looked += end - start
            await giveWay()
          }
        }
      } else {
        for await (const at of timesOf(part, packed)) {
          tally.count(origin, fromOn(at, earliest).length, share)
          await giveWay()
        }
      }
    }
  }
  return finished(tallies, false)
}

function finished(tallies: Tallies, isIncomplete: boolean): ReadonlyMap<string, Found> {
  return new Map([...tallies].map(([key, tally]) => [key, { misfits: tally.finish(isIncomplete), seen: tally.seen }]))
}

function toRead({ key, redefinition: { after }, mayRefuse }: Redefined): FoldedValuesOf {
  return { key, kind: after.kind, bySummary: !mayRefuse || after.judgeRange !== undefined }
}

function hasFound(tallies: Tallies): boolean {
  return [...tallies.values()].some((tally) => !tally.isEmpty)
}

/** The number of values that are checked without a pause. */
const STEP = 500

function* stepsOf(at: Float64Array, earliest: number): Generator<{ readonly start: number; readonly end: number }> {
  for (let start = lowerBound(at, earliest); start < at.length; start += STEP)
    yield { start, end: Math.min(start + STEP, at.length) }
}
