import { bitLength } from './bits.ts'

/** Not more than twice as many numbers are looked at. */
const SAMPLE = 256

/** How many numbers have each length, those above 0 at even and those below 0 at odd indexes. */
const counts = new Uint32Array(128)

/**
 * About how many bits a column takes in bins: as many as if each number were written by how frequent numbers of its
 * length are, and by its other bits. 0 where all that are looked at are the same.
 */
export function estimateBits(numbers: Float64Array): number {
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

/** Leaves all counts at 0. */
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

/** A number of which most are not far. */
function middleOf(numbers: Float64Array): number {
  const { length } = numbers
  const [a, b, c] = [numbers[length >>> 2]!, numbers[length >>> 1]!, numbers[(length * 3) >>> 2]!]
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}
