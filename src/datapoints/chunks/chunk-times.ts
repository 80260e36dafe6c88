import type { PackedReader, PackedWriter } from './packed-bytes.ts'

/** Units in microseconds. Times are counted in the largest unit that all of them are multiples of. */
const UNITS = [1_000_000, 1_000, 1] as const

const REGULAR = 0
const EACH = 1

/** Devices measure at nearly regular times, so the differences between consecutive differences are stored. */
export function writeTimes(writer: PackedWriter, at: Float64Array): void {
  const unit = unitOf(at)
  const size = UNITS[unit] ?? 1
  const first = at[0] ?? 0
  const step = at.length > 1 ? (at[1] ?? 0) - first : 0
  const isRegular = areRegular(at, first, step)
  writer.byte(unit)
  writer.byte(isRegular ? REGULAR : EACH)
  writer.unsigned(first / size)
  if (isRegular) writer.unsigned(step / size)
  else writeDifferences(writer, at, size)
}

// This is a loop rather than `every`, because it runs for each point of every flush.

function unitOf(at: Float64Array): number {
  let unit = 0
  for (let index = 0; index < at.length; index++) while ((at[index] ?? 0) % (UNITS[unit] ?? 1) !== 0) unit++
  return unit
}

function areRegular(at: Float64Array, first: number, step: number): boolean {
  for (let index = 0; index < at.length; index++) if (at[index] !== first + index * step) return false
  return true
}

function writeDifferences(writer: PackedWriter, at: Float64Array, size: number): void {
  let step = 0
  for (let index = 1; index < at.length; index++) {
    const next = ((at[index] ?? 0) - (at[index - 1] ?? 0)) / size
    writer.signed(next - step)
    step = next
  }
}

export function readTimes(reader: PackedReader, count: number): Float64Array {
  const size = UNITS[reader.byte()] ?? 1
  const form = reader.byte()
  const at = new Float64Array(count)
  let time = reader.unsigned()
  at[0] = time * size
  let step = form === REGULAR ? reader.unsigned() : 0
  for (let index = 1; index < count; index++) {
    if (form === EACH) step += reader.signed()
    time += step
    at[index] = time * size
  }
  return at
}
