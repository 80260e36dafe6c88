import { damaged, type BitReader, type BitWriter } from './bits.ts'
import { cheapestNeed, fillGaps, readExceptions, writeExceptions } from './exceptions.ts'
import { Memory } from './memory.ts'
import { MOST_WHOLE } from './transforms.ts'
import { readWholeNumbers, writeWholeNumbers } from './whole-numbers.ts'

// Values with few decimals become whole numbers.

const MOST_DIGITS = 15
const FACTORS = Float64Array.from({ length: MOST_DIGITS + 1 }, (_, digits) => 10 ** digits)
/** Stands for a value that no number of decimals reproduces exactly. */
const NEVER = MOST_DIGITS + 1
/** Bits that one more digit adds to each value: log2 10. */
const BITS_OF_DIGIT = 3.32
/** The number of values that are sampled to find the digits that most values need. */
const SAMPLE = 32

const memory = new Memory()

interface DecimalPlan {
  readonly digits: number
  /** The number of values that do not have this form. */
  readonly exceptions: number
}

/** For each number of digits, the number of values that need it. */
const needs = new Uint32Array(NEVER + 1)

/** Plans how to write the values as decimals; null if too few values are decimals. */
export function planDecimals(values: Float64Array): DecimalPlan | null {
  const usual = usualDigits(values)
  if (usual === NEVER) return null
  needs.fill(0)
  for (let index = 0; index < values.length; index++) {
    const digits = digitsOf(values[index]!, usual)
    needs[digits] = needs[digits]! + 1
  }
  const none = needs[NEVER]!
  needs[NEVER] = 0
  const digits = cheapestNeed(needs, usual, BITS_OF_DIGIT)
  let exceptions = none
  for (let need = digits + 1; need < NEVER; need++) exceptions += needs[need]!
  return { digits, exceptions }
}

/** Returns the digits that are enough for seven of eight sampled values. */
function usualDigits(values: Float64Array): number {
  const size = Math.min(SAMPLE, values.length)
  needs.fill(0)
  for (let index = 0; index < size; index++) {
    const digits = digitsOf(values[Math.floor((index * values.length) / size)]!, 0)
    needs[digits] = needs[digits]! + 1
  }
  let usual = 0
  for (let above = size - needs[0]!; above > size >>> 3; above -= needs[usual]!) usual++
  return usual
}

/** Returns the least number of decimals, from `least` on, that reproduces the value exactly. */
function digitsOf(value: number, least: number): number {
  let digits = least
  while (digits < NEVER && !isExact(value, FACTORS[digits]!)) digits++
  return digits
}

function isExact(value: number, factor: number): boolean {
  const whole = Math.round(value * factor)
  return whole / factor === value && Math.abs(whole) <= MOST_WHOLE && (value !== 0 || 1 / value > 0)
}

export function writeDecimals(writer: BitWriter, values: Float64Array, { digits }: DecimalPlan): void {
  const factor = FACTORS[digits]!
  const numbers = memory.take(values.length)
  const exceptions: number[] = []
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!
    if (isExact(value, factor)) numbers[index] = Math.round(value * factor)
    else exceptions.push(index)
  }
  fillGaps(numbers, exceptions)
  writer.bits(digits, 4)
  writeWholeNumbers(writer, numbers)
  writeExceptions(writer, values, exceptions)
}

export function readDecimals(reader: BitReader, count: number): Float64Array {
  const factor = FACTORS[reader.bits(4)]
  if (factor === undefined) throw damaged('its number of decimals is unknown')
  const values = readWholeNumbers(reader, count)
  if (factor !== 1) for (let index = 0; index < count; index++) values[index] = values[index]! / factor
  readExceptions(reader, values)
  return values
}
