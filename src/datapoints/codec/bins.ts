import { bitLength } from './bits.ts'
import { MOST_LOG, MOST_SYMBOLS, type Weights } from './state-table.ts'

// A column of whole numbers is divided into bins. For each number, a column holds its bin and its place within the bin.
// Frequent bins take fewer bits; the place takes as many bits as the bin is wide. A frequent value is a bin of 0 bits,
// numbers without any pattern share one wide bin, and outliers have a bin of their own.

export interface Bins extends Weights {
  count: number
  log: number
  /** The least number of each bin, ascending. */
  readonly lowers: Float64Array
  /** Width of each bin in bits: the bits that distinguish its numbers. */
  readonly sizes: Uint8Array
}

export function newBins(): Bins {
  return {
    count: 0,
    lowers: new Float64Array(MOST_SYMBOLS),
    sizes: new Uint8Array(MOST_SYMBOLS),
    weights: new Uint16Array(MOST_SYMBOLS),
    log: 0,
  }
}

/**
 * The maximum number of groups of about equal size. They leave room for the groups at both ends and the groups of
 * frequent numbers.
 */
const MOST_EQUAL_GROUPS = 44

/** Groups of neighbouring numbers. A bin consists of whole groups. */
const groups = {
  count: 0,
  lowest: new Float64Array(MOST_SYMBOLS),
  highest: new Float64Array(MOST_SYMBOLS),
  /** The number of numbers before each group; the last entry is the count of all numbers. */
  below: new Uint32Array(MOST_SYMBOLS + 1),
}

const bins = newBins()

/** Approximate bits per bin in the head of a column, besides the bin's frequency and its distance from other bins. */
const HEAD = 6

/**
 * Divides numbers into bins so that they take as few bits as possible. The numbers must be sorted, not negative, and
 * not all the same. The next call overwrites the returned bins.
 */
export function chooseBins(sorted: Float64Array): Bins {
  const { length } = sorted
  group(sorted, Math.min(MOST_EQUAL_GROUPS, 8 + (length >>> 2)))
  divide(logOf(length, 1) + HEAD + (bitLength(sorted[length - 1]!) >>> 1))
  bins.log = bins.count === 1 ? 0 : logOf(length, bins.count)
  weigh(length)
  return bins
}

/**
 * Returns log2 of the sum of all weights. A step of a weight stands for two to four numbers: finer steps would make the
 * head longer by more than they make the rest shorter.
 */
export function logOf(numbers: number, count: number): number {
  return Math.max(Math.min(MOST_LOG, bitLength(numbers) - 2), bitLength(count - 1))
}

/**
 * Makes a group of each distinct number if there are at most `most`. Otherwise makes groups of about equal size, at
 * most twice as many. Equal numbers share a group, and frequent ones have a group of their own. The groups at both ends
 * are small, from one number on, because the numbers there may be outliers.
 */
function group(sorted: Float64Array, most: number): void {
  const { lowest, highest, below } = groups
  const { length } = sorted
  const size = areFew(sorted, most) ? 1 : Math.ceil(length / most)
  let count = 0
  for (let start = 0, end = 0; start < length; start = end) {
    end = endOfGroup(sorted, start, size)
    lowest[count] = sorted[start]!
    highest[count] = sorted[end - 1]!
    below[count++] = start
  }
  below[count] = length
  groups.count = count
}

function areFew(sorted: Float64Array, most: number): boolean {
  let distinct = 1
  for (let index = 1; index < sorted.length && distinct <= most; index++)
    if (sorted[index] !== sorted[index - 1]) distinct++
  return distinct <= most
}

function endOfGroup(sorted: Float64Array, start: number, size: number): number {
  const { length } = sorted
  const own = Math.min(size, start + 1, (length - start + 1) >>> 1)
  let end = start + 1
  for (; end < length; end++) {
    if (sorted[end] === sorted[end - 1]) continue
    const isFrequent = end + size <= length && sorted[end] === sorted[end + size - 1]
    if (end - start >= own || isFrequent) break
  }
  return end
}

const FEW = 4_096
/** The bits that a bin of x numbers saves by its frequency: x × log2 x. */
const savings = Float64Array.from({ length: FEW }, (_, count) => (count === 0 ? 0 : count * Math.log2(count)))

const costs = new Float64Array(MOST_SYMBOLS + 1)
const beginnings = new Uint8Array(MOST_SYMBOLS + 1)

/** Makes bins of neighbouring groups with the lowest total cost. `head` is the cost of a bin itself, in bits. */
function divide(head: number): void {
  const { count, lowest, highest, below } = groups
  for (let end = 1; end <= count; end++) {
    const [last, after] = [highest[end - 1]!, below[end]!]
    let least = Infinity
    for (let start = end - 1; start >= 0; start--) {
      const numbers = after - below[start]!
      const saved = numbers < FEW ? savings[numbers]! : numbers * Math.log2(numbers)
      const cost = costs[start]! + head + numbers * bitLength(last - lowest[start]!) - saved
      if (cost >= least) continue
      least = cost
      beginnings[end] = start
    }
    costs[end] = least
  }
  takeBins()
}

/** Follows the beginnings from the last group to the first. Until `weigh`, a weight is the index of the first group. */
function takeBins(): void {
  const { count, lowest, highest } = groups
  bins.count = 0
  for (let end = count; end > 0; end = beginnings[end]!) bins.count++
  for (let bin = bins.count - 1, end = count; bin >= 0; bin--) {
    const start = beginnings[end]!
    bins.lowers[bin] = lowest[start]!
    bins.sizes[bin] = bitLength(highest[end - 1]! - lowest[start]!)
    bins.weights[bin] = start
    end = start
  }
}

/** Scales the counts so that they add up to 2^log, and each is at least 1. */
function weigh(all: number): void {
  const { weights, count, log } = bins
  const scale = 2 ** log / all
  let left = 2 ** log
  for (let bin = 0; bin < count; bin++) {
    const end = bin + 1 < count ? groups.below[weights[bin + 1]!]! : all
    const weight = Math.max(1, Math.round((end - groups.below[weights[bin]!]!) * scale))
    weights[bin] = weight
    left -= weight
  }
  while (left !== 0) {
    const largest = largestWeight()
    const change = Math.max(left, -(weights[largest]! >>> 1))
    weights[largest] = weights[largest]! + change
    left -= change
  }
}

function largestWeight(): number {
  let largest = 0
  for (let bin = 1; bin < bins.count; bin++) if (bins.weights[bin]! > bins.weights[largest]!) largest = bin
  return largest
}
