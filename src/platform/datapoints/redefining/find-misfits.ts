import { lowerBound } from '../../../datapoints/chunks/columns.ts'
import type { Redefinition } from '../../../datapoints/rules/misfits.ts'
import type { Sql } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import type { Misfits } from '../../../plan/guards/stored-data.ts'
import {
  fetchPointsOfChunks,
  readFoldedValues,
  type FoldedValuesOf,
} from '../../../store/datapoints/points/stored-values.ts'
import { MisfitTally, type DecodedPart } from './misfit-tally.ts'
import { readBlockValues, type OtherValues } from './other-values.ts'
import { decodePart, storedParts, type StoredPart } from './stored-parts.ts'

/** A characteristic, by its key, and its redefinition. */
export interface Redefined {
  readonly key: string
  readonly redefinition: Redefinition
}

export interface Looking {
  readonly hot: OtherValues
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

/** The misfits, and all points that were looked at with them. */
export interface Found {
  readonly misfits: Misfits
  readonly seen: Pick<Misfits, 'points' | 'systems'>
}

type Tallies = ReadonlyMap<string, MisfitTally>

/**
 * Checks every stored value of these characteristics, a part of a series at a time, and lets other work run in between.
 * Where the smallest and the largest value of a chunk say it all, its values are not read.
 */
export async function findMisfits(
  sql: Sql,
  domainId: number,
  redefined: readonly Redefined[],
  looking: Looking,
): Promise<ReadonlyMap<string, Found>> {
  // A search that others wait for does not read points that fit only to count them.
  const isForAll = looking.haste === undefined
  const tallies: Tallies = new Map(
    redefined.map(({ key, redefinition }) => [key, new MisfitTally(redefinition, isForAll)]),
  )
  const kinds = new Map(redefined.map(({ key, redefinition }) => [key, redefinition.after.kind]))
  const wanted = redefined.map((one) => toRead(one, looking))
  const others = { hot: looking.hot, blocks: await readBlockValues(sql, domainId, wanted) }
  const chunks = readFoldedValues(sql, domainId, wanted)
  const isEnough = patience(tallies, looking.haste)
  const giveWay = breather()
  let looked = 0
  for await (const parts of storedParts(chunks, others, (key) => kinds.get(key) ?? 'text')) {
    if (looking.left?.aborted === true) throw new HoldfastError('UNAVAILABLE', 'whoever asked for the plan has left')
    for await (const part of judged(sql, domainId, parts, tallies, looking)) {
      const tally = tallies.get(part.origin.key)
      for (const { start, end } of steps(part)) {
        if (isEnough(looked)) return finished(tallies, true)
        tally?.add(part, start, end)
        looked += end - start
        await giveWay()
      }
    }
  }
  return finished(tallies, false)
}

function finished(tallies: Tallies, isIncomplete: boolean): ReadonlyMap<string, Found> {
  return new Map([...tallies].map(([key, tally]) => [key, { misfits: tally.finish(isIncomplete), seen: tally.seen }]))
}

/** An apply reads points with their chunks: it has no snapshot, and a chunk may be joined to others meanwhile. */
function toRead({ key, redefinition: { after } }: Redefined, { haste }: Looking): FoldedValuesOf {
  return { key, kind: after.kind, bySummary: haste === undefined && after.judgeRange !== undefined }
}

/** The parts that must be looked at value by value. Of the others, the misfits are counted. */
async function* judged(
  sql: Sql,
  domainId: number,
  parts: readonly StoredPart[],
  tallies: Tallies,
  { earliestOf }: Looking,
): AsyncGenerator<DecodedPart> {
  const open = parts.filter((part) => {
    const tally = tallies.get(part.origin.key)
    return tally !== undefined && !tally.countSummed(part, earliestOf(part.origin.characteristicUuid))
  })
  const unread = open.flatMap(({ chunks }) => chunks.filter(({ points }) => points === null))
  const read = (await fetchPointsOfChunks(sql, domainId, unread)).values()
  for (const part of open) {
    const points = part.chunks.map((chunk) => chunk.points ?? read.next().value ?? new Uint8Array())
    const columns = decodePart(part, points)
    yield { origin: part.origin, columns, since: lowerBound(columns.at, earliestOf(part.origin.characteristicUuid)) }
  }
}

/** The number of values that are checked in one go. */
const STEP = 500

function* steps({ columns: { at }, since }: DecodedPart): Generator<{ readonly start: number; readonly end: number }> {
  for (let start = since; start < at.length; start += STEP) yield { start, end: Math.min(start + STEP, at.length) }
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
