import { lowerBound } from '../../../datapoints/chunks/columns.ts'
import type { Redefinition } from '../../../datapoints/rules/misfits.ts'
import type { Sql } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import type { Misfits } from '../../../plan/guards/stored-data.ts'
import { readFoldedValues, type StoredHotPoint } from '../../../store/datapoints/stored-values.ts'
import { MisfitTally } from './misfit-tally.ts'
import { storedParts, type StoredPart } from './stored-parts.ts'

/** A characteristic, by its key, and its redefinition. */
export interface Redefined {
  readonly key: string
  readonly redefinition: Redefinition
}

export interface Looking {
  readonly hot: readonly StoredHotPoint[]
  /** The time before which nothing is kept of a characteristic, given by its uuid. */
  earliestOf(characteristicUuid: string): number
  /** The limits of a search that others wait for; left out where no one waits. */
  readonly haste: Haste | undefined
  /** The signal that no one waits for the answer any more. */
  readonly left: AbortSignal | undefined
}

export interface Haste {
  /** The number of values after which one misfit is enough. */
  readonly values: number
  /** The time after which one misfit is enough, and none is an error. */
  readonly ms: number
}

type Tallies = ReadonlyMap<string, MisfitTally>

/**
 * Checks every stored value of these characteristics, a part of a series at a time, and lets other work run in
 * between.
 */
export async function findMisfits(
  sql: Sql,
  domainId: number,
  redefined: readonly Redefined[],
  { hot, earliestOf, haste, left }: Looking,
): Promise<ReadonlyMap<string, Misfits>> {
  const tallies: Tallies = new Map(redefined.map(({ key, redefinition }) => [key, new MisfitTally(redefinition)]))
  const kinds = new Map(redefined.map(({ key, redefinition }) => [key, redefinition.after.kind]))
  const wanted = [...kinds].map(([key, kind]) => ({ key, kind }))
  const parts = storedParts(readFoldedValues(sql, domainId, wanted), hot, (key) => kinds.get(key) ?? 'text')
  const isEnough = patience(tallies, haste)
  const giveWay = breather()
  let looked = 0
  let isIncomplete = false
  for await (const { stored, start, end } of keptParts(parts, earliestOf)) {
    if (left?.aborted === true) throw new HoldfastError('UNAVAILABLE', 'whoever asked for the plan has left')
    isIncomplete = isEnough(looked) && start < end
    if (isIncomplete) break
    tallies.get(stored.origin.key)?.add(stored, start, end)
    looked += end - start
    await giveWay()
  }
  return new Map([...tallies].map(([key, tally]) => [key, tally.finish(isIncomplete)]))
}

/** The number of values that are checked in one go. */
const STEP = 500

interface KeptPart {
  readonly stored: StoredPart
  readonly start: number
  readonly end: number
}

/** The values that are still kept, some at a time. Where nothing is kept, that is none of them. */
async function* keptParts(
  parts: AsyncIterable<StoredPart>,
  earliestOf: Looking['earliestOf'],
): AsyncGenerator<KeptPart, void> {
  for await (const stored of parts) {
    const { at } = stored.columns
    let start = lowerBound(at, earliestOf(stored.origin.characteristicUuid))
    do {
      const end = Math.min(start + STEP, at.length)
      yield { stored, start, end }
      start = end
    } while (start < at.length)
  }
}

/** Tells whether enough values were checked. A search without a result ends in time. */
function patience(tallies: Tallies, { values, ms }: Haste = { values: Infinity, ms: Infinity }) {
  const end = performance.now() + ms
  return (looked: number): boolean => {
    const isLate = performance.now() >= end
    if (looked < values && !isLate) return false
    const hasFound = [...tallies.values()].some((tally) => !tally.isEmpty)
    if (isLate && !hasFound) throw tooLong(ms)
    return hasFound
  }
}

function tooLong(ms: number): HoldfastError {
  const message = `there are more stored values to check than an apply can look at in ${ms / 1000} s while others wait for it, and nothing was changed: acknowledge invalidates-data, or apply at a quieter time`
  return new HoldfastError('UNAVAILABLE', message)
}

/** The longest time that other work waits for its turn. */
const LONGEST_MS = 10

function breather(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < LONGEST_MS) return
    await new Promise(setImmediate)
    since = performance.now()
  }
}
