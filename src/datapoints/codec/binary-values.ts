import { damaged, type BitReader, type BitWriter } from './bits.ts'
import { cheapestNeed, fillGaps, halvesOf, readExceptions, writeExceptions } from './exceptions.ts'
import { readWholeNumbers, writeWholeNumbers } from './whole-numbers.ts'

// Packs doubles by their bits. Without the sign, these bits are a whole number, which ascends with the double. Zero
// bits at the end are left out; a double that was a 32-bit float has 29 of them. The first 50 remaining bits go to a
// column of whole numbers. The other bits have no known pattern, so they follow unchanged.

const MAGNITUDE = 63
const COLUMN = 50
const HALF = 32
const WORD = 2 ** 32

/** Chooses how many of the bits after the sign are written. */
function chooseLength(halves: Uint32Array): number {
  const needs = new Uint32Array(MAGNITUDE + 1)
  for (let index = 0; index < halves.length; index += 2) needs[neededBits(halves[index]!, halves[index + 1]!)]!++
  return cheapestNeed(needs, 0, 1)
}

function neededBits(low: number, high: number): number {
  if (low !== 0) return MAGNITUDE - zerosAtEnd(low)
  const rest = high & 0x7fff_ffff
  return rest === 0 ? 0 : MAGNITUDE - HALF - zerosAtEnd(rest)
}

function zerosAtEnd(half: number): number {
  return 31 - Math.clz32(half & -half)
}

export function writeBinary(writer: BitWriter, values: Float64Array): void {
  const halves = halvesOf(values)
  const length = chooseLength(halves)
  const left = MAGNITUDE - Math.min(length, COLUMN)
  const numbers = new Float64Array(values.length)
  const exceptions: number[] = []
  for (let index = 0; index < values.length; index++) {
    const [low, high] = [halves[index * 2]!, halves[index * 2 + 1]!]
    if (neededBits(low, high) > length) exceptions.push(index)
    else numbers[index] = withSign(shifted(low, high & 0x7fff_ffff, left), high)
  }
  fillGaps(numbers, exceptions)
  writer.bits(length, 6)
  writeWholeNumbers(writer, numbers)
  writeTails(writer, halves, Math.max(0, length - COLUMN))
  writeExceptions(writer, values, exceptions)
}

/** Returns the magnitude without its last bits. */
function shifted(low: number, high: number, left: number): number {
  return left >= HALF ? Math.floor(high / 2 ** (left - HALF)) : high * 2 ** (HALF - left) + (low >>> left)
}

/** Adds the sign. The whole number of -0 is -1, so that it stays distinct from 0 and next to it. */
function withSign(magnitude: number, high: number): number {
  return high >= 0x8000_0000 ? -magnitude - 1 : magnitude
}

/** Writes the bits that do not fit into the column. */
function writeTails(writer: BitWriter, halves: Uint32Array, size: number): void {
  if (size === 0) return
  const unused = MAGNITUDE - COLUMN - size
  for (let index = 0; index < halves.length; index += 2)
    writer.bits((halves[index]! >>> unused) & ((1 << size) - 1), size)
}

export function readBinary(reader: BitReader, count: number): Float64Array {
  const length = reader.bits(6)
  const left = MAGNITUDE - Math.min(length, COLUMN)
  const values = readWholeNumbers(reader, count)
  const halves = halvesOf(values)
  for (let index = 0; index < count; index++) {
    const number = values[index]!
    const magnitude = number < 0 ? -number - 1 : number
    const high = left >= HALF ? magnitude * 2 ** (left - HALF) : Math.floor(magnitude / 2 ** (HALF - left))
    if (high >= WORD / 2) throw damaged('it holds a number beyond all doubles')
    halves[index * 2] = left >= HALF ? 0 : (magnitude % 2 ** (HALF - left)) * 2 ** left
    halves[index * 2 + 1] = high + (number < 0 ? WORD / 2 : 0)
  }
  readTails(reader, halves, Math.max(0, length - COLUMN))
  readExceptions(reader, values)
  return values
}

function readTails(reader: BitReader, halves: Uint32Array, size: number): void {
  if (size === 0) return
  const unused = MAGNITUDE - COLUMN - size
  for (let index = 0; index < halves.length; index += 2) halves[index] = halves[index]! | (reader.bits(size) << unused)
}
