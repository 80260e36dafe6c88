import { damaged, type BitReader, type BitWriter } from './bits.ts'
import { Memory } from './memory.ts'
import { readWholeNumbers, writeWholeNumbers } from './whole-numbers.ts'

const memory = new Memory()

/** Units in microseconds. Times are counted in the largest unit that all of them are multiples of. */
const UNITS = [1_000_000, 1_000, 1] as const

/** Writes ascending times: the first time, and the distance of each time from it. */
export function writeTimes(writer: BitWriter, at: Float64Array): void {
  const unit = unitOf(at)
  const size = UNITS[unit] ?? 1
  const first = at[0] ?? 0
  const later = memory.take(at.length)
  for (let index = 0; index < at.length; index++) later[index] = (at[index]! - first) / size
  writer.bits(unit, 2)
  writer.signed(first / size)
  writeWholeNumbers(writer, later)
}

// This is a loop rather than `every`, because it runs for each point of every flush.
function unitOf(at: Float64Array): number {
  let unit = 0
  for (let index = 0; index < at.length; index++) while (at[index]! % (UNITS[unit] ?? 1) !== 0) unit++
  return unit
}

export function readTimes(reader: BitReader, count: number): Float64Array {
  const size = UNITS[reader.bits(2)]
  if (size === undefined) throw damaged('the unit of its times is unknown')
  const first = reader.signed()
  const at = readWholeNumbers(reader, count)
  for (let index = 0; index < count; index++) {
    at[index] = (first + at[index]!) * size
    if (index > 0 && !(at[index]! > at[index - 1]!)) throw damaged('its times do not ascend')
  }
  return at
}
