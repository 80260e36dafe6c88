import { bitLength, damaged, type BitReader, type BitWriter } from './bits.ts'
import { MOST_WHOLE } from './transforms.ts'

// Single numbers, as short as they are exact: with decimals, as a whole number times a power of two, which is what sums
// round off, or as their 64 bits.

const DECIMAL = 0
const SCALED = 1
const BITS = 2

const MOST_DIGITS = 15
/** Longer numbers are no shorter when they are scaled. */
const MOST_SCALED = 40
const HALF = 32

const double = new Float64Array(1)
const halves = new Uint32Array(double.buffer)

export function writeDouble(writer: BitWriter, value: number): void {
  const digits = digitsOf(value)
  if (digits !== null) {
    writer.bits(DECIMAL, 2)
    writer.bits(digits, 4)
    return writer.signed(Math.round(value * 10 ** digits))
  }
  const exponent = exponentOf(value)
  const whole = value / 2 ** exponent
  if (whole !== 0 && Number.isInteger(whole) && bitLength(Math.abs(whole)) <= MOST_SCALED) {
    writer.bits(SCALED, 2)
    writer.signed(exponent)
    return writer.signed(whole)
  }
  writer.bits(BITS, 2)
  double[0] = value
  writer.wide(halves[0]!, HALF)
  writer.wide(halves[1]!, HALF)
}

function digitsOf(value: number): number | null {
  for (let digits = 0; digits <= MOST_DIGITS; digits++) {
    // Zero is added, because a whole number has no -0.
    const whole = Math.round(value * 10 ** digits) + 0
    if (Math.abs(whole) <= MOST_WHOLE && Object.is(whole / 10 ** digits, value)) return digits
  }
  return null
}

/** The exponent of its last bit that is set, where powers of two reach that far in doubles of any size. */
function exponentOf(value: number): number {
  double[0] = value
  const [low, high] = [halves[0]!, (halves[1]! & 0xf_ffff) | 0x10_0000]
  const zeros = low === 0 ? HALF + 31 - Math.clz32(high & -high) : 31 - Math.clz32(low & -low)
  return Math.max(-1_000, Math.min(1_000, ((halves[1]! >>> 20) & 0x7ff) - 1_075 + zeros))
}

export function readDouble(reader: BitReader): number {
  const form = reader.bits(2)
  if (form === DECIMAL) {
    const digits = reader.bits(4)
    return reader.signed() / 10 ** digits
  }
  if (form === SCALED) {
    const exponent = reader.signed()
    return reader.signed() * 2 ** exponent
  }
  if (form !== BITS) throw damaged('the form of a number is unknown')
  halves[0] = reader.wide(HALF)
  halves[1] = reader.wide(HALF)
  return double[0]!
}

/** A whole number of any size, in parts of 32 bits. */
export function writeWide(writer: BitWriter, value: bigint): void {
  const parts: number[] = []
  for (let rest = value < 0n ? -value : value; rest > 0n; rest >>= 32n) parts.push(Number(rest & 0xffff_ffffn))
  writer.bits(value < 0n ? 1 : 0, 1)
  writer.unsigned(parts.length)
  for (const [index, part] of parts.entries()) {
    if (index < parts.length - 1) writer.wide(part, HALF)
    else writer.unsigned(part)
  }
}

const MOST_PARTS = 4

export function readWide(reader: BitReader): bigint {
  const isNegative = reader.bits(1) === 1
  const count = reader.unsigned()
  if (count > MOST_PARTS) throw damaged(`it has a whole number of ${count} parts`)
  let value = 0n
  for (let index = 0; index < count; index++) {
    const part = index < count - 1 ? reader.wide(HALF) : reader.unsigned()
    value += BigInt(part) << BigInt(32 * index)
  }
  return isNegative ? -value : value
}
