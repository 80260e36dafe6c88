import { bitLength } from './bits.ts'

const LENGTHS = 56
const counts = new Uint32Array(2 * LENGTHS)

/**
 * About how many bits a column takes in bins: as many as if each number were written by how frequent numbers of its
 * length are, and by its other bits. 0 where all are the same.
 */
export function estimateBits(numbers: Float64Array): number {
  const { length } = numbers
  const middle = middleOf(numbers)
  counts.fill(0)
  for (let index = 0; index < length; index++) {
    const distance = numbers[index]! - middle
    counts[distance < 0 ? LENGTHS + bitLength(-distance) : bitLength(distance)]!++
  }
  if (counts[0] === length) return 0
  let bits = length * Math.log2(length)
  for (let index = 0; index < counts.length; index++) {
    const count = counts[index]!
    if (count > 0) bits += count * (Math.max(0, (index % LENGTHS) - 1) - Math.log2(count))
  }
  return bits
}

/** A number of which most are not far. */
function middleOf(numbers: Float64Array): number {
  const { length } = numbers
  const [a, b, c] = [numbers[length >>> 2]!, numbers[length >>> 1]!, numbers[(length * 3) >>> 2]!]
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}
