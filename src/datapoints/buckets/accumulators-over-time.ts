import { asNumbers, sliceColumns, type Before } from '../chunks/columns.ts'
import type { Accumulator } from './accumulators.ts'

export interface Holding {
  readonly before: Before | undefined
  /** The beginning of the first bucket. */
  readonly beginning: number
  /** The time up to which the last value is taken to hold. */
  readonly knownUntil: number
}

/**
 * The mean over time, where a value holds until the next point. The time before the first known value does not count.
 * For booleans the mean is the share of the time in which the value was true.
 */
export function timeWeightedAccumulator({ before, beginning, knownUntil }: Holding): Accumulator {
  let held = before === undefined ? undefined : Number(before.value)
  let since = beginning
  let mean = 0
  let known = 0
  const hold = (until: number): void => {
    const time = until - since
    if (held === undefined || time <= 0) return
    known += time
    // This form keeps a constant value exact to the last bit, and all its terms stay within the range of doubles.
    mean += held * (time / known) - mean * (time / known)
  }
  return {
    take({ at, values }, start, end) {
      for (let index = start; index < end; index++) {
        const time = at[index]!
        hold(time)
        since = time
        held = Number(values[index])
      }
    },
    close(to) {
      hold(Math.min(to, knownUntil))
      const cell = known === 0 ? null : mean
      since = Math.max(since, to)
      mean = 0
      known = 0
      return cell
    },
  }
}

/** Percentiles with linear interpolation between the two nearest ranks, as in SQL's percentile_cont. */
export function percentileAccumulator(share: number): Accumulator {
  let kept = new Float64Array(64)
  let count = 0
  return {
    take(columns, start, end) {
      kept = withRoom(kept, count, count + end - start)
      kept.set(asNumbers(sliceColumns(columns, start, end).values), count)
      count += end - start
    },
    close() {
      if (count === 0) return null
      const cell = percentileOf(kept.subarray(0, count).sort(), share)
      count = 0
      return cell
    },
  }
}

function withRoom(kept: Float64Array<ArrayBuffer>, used: number, needed: number): Float64Array<ArrayBuffer> {
  if (needed <= kept.length) return kept
  const larger = new Float64Array(Math.max(needed, kept.length * 2))
  larger.set(kept.subarray(0, used))
  return larger
}

function percentileOf(sorted: Float64Array, share: number): number {
  const rank = (sorted.length - 1) * share
  const low = sorted[Math.floor(rank)] ?? Number.NaN
  const high = sorted[Math.ceil(rank)] ?? Number.NaN
  const part = rank - Math.floor(rank)
  // The form low + (high - low) × part is avoided, because the difference of two doubles may exceed their range.
  return low === high ? low : low * (1 - part) + high * part
}
