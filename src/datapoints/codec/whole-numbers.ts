import { readRests, writeRests } from './rests.ts'
import { damaged, type BitReader, type BitWriter, bitLength } from './bits.ts'
import { foretell, HEADS, MOST_WHOLE, restore, TRANSFORMS, type Transform } from './transforms.ts'
import { Memory } from './memory.ts'

// A column of whole numbers from -2^50 to 2^50. Everything in a chunk except text becomes such columns.

const memory = new Memory()
const best = new Memory()

export function writeWholeNumbers(writer: BitWriter, numbers: Float64Array): void {
  const { length } = numbers
  if (length === 0) return
  refuseLarge(numbers)
  const { transform, rests } = chooseTransform(numbers)
  const heads = HEADS[transform]
  writer.bits(TRANSFORMS.indexOf(transform), 2)
  if (heads > 0) writer.signed(numbers[0]!)
  if (heads > 1) writer.signed(numbers[transform === 'line' ? length - 1 : 1]! - numbers[0]!)
  writeRests(writer, rests)
}

function refuseLarge(numbers: Float64Array): void {
  for (let index = 0; index < numbers.length; index++)
    if (!(Math.abs(numbers[index]!) <= MOST_WHOLE))
      throw new RangeError(`a chunk cannot hold the number ${numbers[index]}; 2^50 is the most`)
}

/** Chooses the transform with the smallest residuals. */
function chooseTransform(numbers: Float64Array): { readonly transform: Transform; readonly rests: Float64Array } {
  let chosen: Transform = 'none'
  let least = Infinity
  for (const transform of TRANSFORMS) {
    if (numbers.length < 2 * HEADS[transform]) break
    const rests = memory.take(numbers.length - HEADS[transform])
    foretell(numbers, transform, rests)
    const bits = estimateBits(rests)
    if (bits >= least) continue
    ;[chosen, least] = [transform, bits]
    if (bits === 0) break
  }
  const rests = best.take(numbers.length - HEADS[chosen])
  foretell(numbers, chosen, rests)
  return { transform: chosen, rests }
}

export function readWholeNumbers(reader: BitReader, count: number): Float64Array {
  const numbers = new Float64Array(count)
  if (count === 0) return numbers
  const transform = TRANSFORMS[reader.bits(2)]!
  const heads = HEADS[transform]
  if (heads > count) throw damaged(`a column of ${count} begins with ${heads} numbers`)
  if (heads > 0) numbers[0] = reader.signed()
  if (heads > 1) numbers[1] = numbers[0]! + reader.signed()
  readRests(reader, numbers, heads)
  restore(numbers, transform)
  for (let index = 0; index < count; index++)
    if (!(Math.abs(numbers[index]!) <= MOST_WHOLE)) throw damaged(`it holds the number ${numbers[index]}`)
  return numbers
}

/** The maximum number of numbers that an estimate looks at. */
const SAMPLE = 256

/** The number of distances with each bit length: positive ones at even indexes, negative ones at odd indexes. */
const counts = new Uint32Array(128)

/**
 * Estimates how many bits a column takes in bins. It assumes that a number costs the entropy of its bit length, and its
 * other bits. Returns 0 if all sampled numbers are the same.
 */
function estimateBits(numbers: Float64Array): number {
  const stride = 1 + Math.floor(numbers.length / SAMPLE)
  const middle = middleOf(numbers)
  let longest = 0
  let looked = 0
  for (let index = 0; index < numbers.length; index += stride, looked++) {
    const distance = numbers[index]! - middle
    const length = distance < 0 ? bitLength(-distance) * 2 + 1 : bitLength(distance) * 2
    counts[length] = counts[length]! + 1
    if (length > longest) longest = length
  }
  return entropyOf(looked, longest) * stride
}

/** Computes the estimate, and sets all counts back to 0. */
function entropyOf(all: number, longest: number): number {
  const isSame = counts[0] === all
  let bits = all * Math.log2(all)
  for (let length = 0; length <= longest; length++) {
    const count = counts[length]!
    if (count === 0) continue
    bits += count * ((length < 4 ? 0 : (length >> 1) - 1) - Math.log2(count))
    counts[length] = 0
  }
  return isSame ? 0 : bits
}

/** Returns the median of three numbers of the column. Most numbers are near it. */
function middleOf(numbers: Float64Array): number {
  const { length } = numbers
  const [a, b, c] = [numbers[length >>> 2]!, numbers[length >>> 1]!, numbers[(length * 3) >>> 2]!]
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}
