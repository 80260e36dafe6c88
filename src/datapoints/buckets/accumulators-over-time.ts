import { sliceColumns, type Before } from '../chunks/point-columns.ts'
import type { ValueKind } from '../../records/values/value.ts'
import type { Accumulator } from './accumulators.ts'
import { nearestQuotient } from './nearest-quotient.ts'
import { SortedValues } from './sorted-values.ts'

export interface Holding {
  readonly before: Before | undefined
  /** The beginning of the first bucket. */
  readonly beginning: number
  /** The last value is assumed to hold until this time. */
  readonly knownUntil: number
}

/** Computes the mean of the values of a bucket, weighted by the time that each held. */
interface MeanOverTime<Value> {
  readonly known: number
  add(value: Value, time: number): void
  mean(): number
}

/**
 * Computes the mean over time: a value holds until the next point. The time before the first known value does not
 * count. For booleans the mean is the share of the time in which the value was true.
 */
export function timeWeightedAccumulator(kind: ValueKind, holding: Holding): Accumulator {
  return kind === 'integer'
    ? overTime(holding, (value) => value as bigint, meanOfWhole)
    : overTime(holding, Number, meanOfDoubles)
}

function overTime<Value>(
  { before, beginning, knownUntil }: Holding,
  asHeld: (value: unknown) => Value,
  begin: () => MeanOverTime<Value>,
): Accumulator {
  let held = before === undefined ? undefined : asHeld(before.value)
  let since = beginning
  let bucket = begin()
  const hold = (until: number): void => {
    if (held !== undefined && until > since) bucket.add(held, until - since)
  }
  return {
    take({ at, values }, start, end) {
      for (let index = start; index < end; index++) {
        const time = at[index]!
        hold(time)
        since = time
        held = asHeld(values[index])
      }
    },
    close(to) {
      hold(Math.min(to, knownUntil))
      const cell = bucket.known === 0 ? null : bucket.mean()
      since = Math.max(since, to)
      bucket = begin()
      return cell
    },
  }
}

function meanOfDoubles(): MeanOverTime<number> {
  let [mean, known] = [0, 0]
  return {
    get known() {
      return known
    },
    add(value, time) {
      known += time
      // This form keeps a constant value exact to the last bit, and all its terms stay within the range of doubles.
      mean += value * (time / known) - mean * (time / known)
    },
    mean: () => mean,
  }
}

/** Adds whole numbers exactly. Only the mean is rounded. */
function meanOfWhole(): MeanOverTime<bigint> {
  let [area, known] = [0n, 0]
  return {
    get known() {
      return known
    },
    add(value, time) {
      known += time
      area += value * BigInt(time)
    },
    mean: () => nearestQuotient(area, BigInt(known)),
  }
}

/** Computes percentiles by linear interpolation between the two nearest ranks, like percentile_cont in SQL. */
export function percentileAccumulator(kind: ValueKind, percent: number): Accumulator {
  const values = new SortedValues(kind === 'integer' ? 'integer' : 'float')
  return {
    take(columns, start, end) {
      values.add(sliceColumns(columns, start, end).values as Float64Array | BigInt64Array)
    },
    get held() {
      return values.count
    },
    close() {
      if (values.count === 0) return null
      const rank = (values.count - 1) * percent
      const [low = 0, high = 0] = values.takeAt([Math.floor(rank / 100), Math.ceil(rank / 100)])
      const part = rank % 100
      if (typeof low === 'bigint' || typeof high === 'bigint')
        return nearestQuotient(BigInt(low) * BigInt(100 - part) + BigInt(high) * BigInt(part), 100n)
      // The form low + (high - low) × part is avoided, because the difference of two doubles may exceed their range.
      return low === high ? low : low * (1 - part / 100) + high * (part / 100)
    },
  }
}
