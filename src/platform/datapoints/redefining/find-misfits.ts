import { placeOf } from '../../../datapoints/columns.ts'
import type { Redefinition } from '../../../datapoints/misfits.ts'
import type { Sql } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import type { Misfits } from '../../../plan/stored-data.ts'
import { readFoldedValues, type StoredHotPoint } from '../../../store/datapoints/stored-values.ts'
import { MisfitTally } from './misfit-tally.ts'
import { storedDays } from './stored-days.ts'

/** A characteristic by its key, and what becomes of it. */
export interface Redefined {
  readonly key: string
  readonly redefinition: Redefinition
}

export interface Looking {
  readonly hot: readonly StoredHotPoint[]
  /** Of a characteristic, by its uuid: nothing before this time is kept. */
  earliestOf(characteristicUuid: string): number
  /** After so many values it is enough to have found one. Left out: all are looked at. */
  readonly enough: number | undefined
  /** When nobody waits for the answer any more. */
  readonly left: AbortSignal | undefined
}

/** Looks at every stored value of these characteristics, a day of a series at a time, and gives way to others meanwhile. */
export async function findMisfits(
  sql: Sql,
  domainId: number,
  redefined: readonly Redefined[],
  { hot, earliestOf, enough = Infinity, left }: Looking,
): Promise<ReadonlyMap<string, Misfits>> {
  const tallies = new Map(redefined.map(({ key, redefinition }) => [key, new MisfitTally(redefinition)]))
  const kinds = new Map(redefined.map(({ key, redefinition }) => [key, redefinition.after.kind]))
  const chunks = readFoldedValues(
    sql,
    domainId,
    [...kinds].map(([key, kind]) => ({ key, kind })),
  )
  let looked = 0
  let isIncomplete = false
  const giveWay = breather()
  for await (const day of storedDays(chunks, hot, (key) => kinds.get(key) ?? 'text')) {
    if (left?.aborted === true) throw new HoldfastError('UNAVAILABLE', 'whoever asked for the plan has left')
    const { at } = day.columns
    for (let start = placeOf(at, earliestOf(day.origin.characteristicUuid)); start < at.length; start += STEP) {
      tallies.get(day.origin.key)?.add(day, start, Math.min(start + STEP, at.length))
      await giveWay()
    }
    looked += at.length
    isIncomplete = looked >= enough && [...tallies.values()].some((tally) => !tally.isEmpty)
    if (isIncomplete) break
  }
  return new Map([...tallies].map(([key, tally]) => [key, tally.finish(isIncomplete)]))
}

/** Values that are looked at in one go. */
const STEP = 500
/** Nobody waits longer for their turn. */
const LONGEST_MS = 10

function breather(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < LONGEST_MS) return
    await new Promise(setImmediate)
    since = performance.now()
  }
}
