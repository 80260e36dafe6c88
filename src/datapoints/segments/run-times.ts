import type { VarintReader, VarintWriter } from './varints.ts'

// The times of a run are counted from a base that all runs of a segment share. Devices measure at nearly regular times,
// so the differences between consecutive differences are written. If the step is always the same, it is written once.

/** Units in microseconds. The times of a segment are counted in the largest unit that all of them are multiples of. */
const UNITS = [1_000_000, 1_000, 1] as const

export interface TimeFrame {
  /** An index into UNITS. */
  readonly unit: number
  /** The time from which the times of runs are counted, in that unit. */
  readonly base: number
  /** The expected first difference of each run, in that unit. */
  readonly step: number
}

/** Returns the frame of times. The base is the middle time: most are near it even if a few are not. */
export function frameOf(at: Float64Array, starts: Uint32Array): TimeFrame {
  let unit = 0
  for (let index = 0; index < at.length && unit < UNITS.length - 1; index++)
    while ((at[index] ?? 0) % (UNITS[unit] ?? 1) !== 0) unit++
  const size = UNITS[unit] ?? 1
  const middle = starts[(starts.length - 1) >> 1] ?? 0
  const isLong = (starts[1] ?? 0) > 1
  return { unit, base: (at[middle] ?? 0) / size, step: isLong ? ((at[1] ?? 0) - (at[0] ?? 0)) / size : 0 }
}

export function writeFrame(writer: VarintWriter, { unit, base, step }: TimeFrame): void {
  writer.byte(unit)
  writer.signed(base)
  writer.unsigned(step)
}

export function readFrame(reader: VarintReader): TimeFrame {
  return { unit: reader.byte(), base: reader.signed(), step: reader.unsigned() }
}

export function areRegular(numbers: Float64Array, start: number, end: number): boolean {
  const step = (numbers[start + 1] ?? 0) - (numbers[start] ?? 0)
  for (let index = start + 2; index < end; index++)
    if ((numbers[index] ?? 0) - (numbers[index - 1] ?? 0) !== step) return false
  return end - start > 2
}

export function writeRunTimes(
  writer: VarintWriter,
  { unit, base, step: usual }: TimeFrame,
  at: Float64Array,
  isRegular: boolean,
  start: number,
  end: number,
): void {
  const size = UNITS[unit] ?? 1
  let last = (at[start] ?? 0) / size
  let step = usual
  writer.signed(last - base)
  const written = isRegular ? start + 2 : end
  for (let index = start + 1; index < written; index++) {
    const time = (at[index] ?? 0) / size
    writer.signed(time - last - step)
    step = time - last
    last = time
  }
}

/** Fills the times of a run. */
export function readRunTimes(
  reader: VarintReader,
  { unit, base, step: usual }: TimeFrame,
  isRegular: boolean,
  at: Float64Array,
): void {
  const size = UNITS[unit] ?? 1
  let time = base + reader.signed()
  let step = usual
  at[0] = time * size
  for (let index = 1; index < at.length; index++) {
    if (!isRegular || index === 1) step += reader.signed()
    time += step
    at[index] = time * size
  }
}

export function skipRunTimes(reader: VarintReader, isRegular: boolean, count: number): void {
  const written = isRegular ? 2 : count
  for (let index = 0; index < written; index++) reader.unsigned()
}
