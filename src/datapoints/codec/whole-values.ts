import type { BitReader, BitWriter } from './bits.ts'
import { COST, fillGaps, halvesOf, readExceptions, writeExceptions } from './exceptions.ts'
import { MOST_WHOLE } from './transforms.ts'
import { readWholeNumbers, writeWholeNumbers } from './whole-numbers.ts'

// Whole numbers of 64 bits. Most are small. If many are large, the column holds their first 50 bits, and the last 14
// bits follow unchanged.

const SMALL = 0
const WIDE = 1
const TAIL = 14
const WORD = 2 ** 32

export function writeWholes(writer: BitWriter, values: Float64Array | BigInt64Array): void {
  if (values instanceof Float64Array) {
    if (values.every((value) => Math.abs(value) <= MOST_WHOLE)) {
      writer.bits(SMALL, 1)
      writeWholeNumbers(writer, values)
      writer.unsigned(0)
      return
    }
    return writeWholes(writer, BigInt64Array.from(values, BigInt))
  }
  const halves = halvesOf(values)
  const exceptions = largeOnes(halves)
  const isWide = exceptions.length * COST > values.length * TAIL
  writer.bits(isWide ? WIDE : SMALL, 1)
  if (isWide) writeWide(writer, halves)
  else writeSmall(writer, values, exceptions)
}

function largeOnes(halves: Uint32Array): number[] {
  const large: number[] = []
  for (let index = 0; index < halves.length; index += 2)
    if (Math.abs(numberOf(halves[index]!, halves[index + 1]!)) > MOST_WHOLE) large.push(index >>> 1)
  return large
}

/** Makes a double of two halves. Converting a bigint would take ten times as long. */
function numberOf(low: number, high: number): number {
  return (high | 0) * WORD + low
}

function writeSmall(writer: BitWriter, values: BigInt64Array, exceptions: readonly number[]): void {
  const halves = halvesOf(values)
  const numbers = new Float64Array(halves.length >>> 1)
  for (let index = 0; index < numbers.length; index++)
    numbers[index] = numberOf(halves[index * 2]!, halves[index * 2 + 1]!)
  fillGaps(numbers, exceptions)
  writeWholeNumbers(writer, numbers)
  writeExceptions(writer, values, exceptions)
}

function writeWide(writer: BitWriter, halves: Uint32Array): void {
  const numbers = new Float64Array(halves.length >>> 1)
  for (let index = 0; index < numbers.length; index++)
    numbers[index] = (halves[index * 2 + 1]! | 0) * 2 ** (32 - TAIL) + (halves[index * 2]! >>> TAIL)
  writeWholeNumbers(writer, numbers)
  for (let index = 0; index < halves.length; index += 2) writer.bits(halves[index]! & ((1 << TAIL) - 1), TAIL)
}

export function readWholes(reader: BitReader, count: number): BigInt64Array {
  const form = reader.bits(1)
  const numbers = readWholeNumbers(reader, count)
  const values = new BigInt64Array(count)
  const halves = halvesOf(values)
  const [size, factor] = form === WIDE ? [TAIL, 2 ** TAIL] : [0, 1]
  for (let index = 0; index < count; index++) {
    // Exact, because the factor is a power of two.
    const number = numbers[index]! * factor
    halves[index * 2] = (number >>> 0) | reader.bits(size)
    halves[index * 2 + 1] = Math.floor(number / WORD)
  }
  if (form === SMALL) readExceptions(reader, values)
  return values
}
