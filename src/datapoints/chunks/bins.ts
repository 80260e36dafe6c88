import { bitLength } from './bits.ts'
import { MOST_LOG, MOST_SYMBOLS } from './state-table.ts'

// A column of whole numbers is divided into bins: the number of its bin is written by how frequent it is, and where it
// is within the bin by as many bits as the bin is wide. One value that comes often is a bin of no bits, numbers without
// any pattern are one wide bin, and what is far from all others is a bin of its own.

export interface Bins {
  /** The least number of each bin, ascending. */
  readonly lowers: Float64Array
  /** How many bits tell the numbers of a bin apart. */
  readonly sizes: Uint8Array
  /** How frequent each bin is; they add up to 2^log. */
  readonly weights: Uint16Array
  readonly log: number
}

/** Neighbouring numbers that are not told apart when bins are chosen. */
interface Groups {
  count: number
  readonly lowest: Float64Array
  readonly highest: Float64Array
  /** How many numbers are below each group, and then the number of all. */
  readonly below: Uint32Array
}

const groups: Groups = {
  count: 0,
  lowest: new Float64Array(MOST_SYMBOLS),
  highest: new Float64Array(MOST_SYMBOLS),
  below: new Uint32Array(MOST_SYMBOLS + 1),
}

/** Divides the numbers, which are sorted, not negative, and not all the same, so that they take as few bits as can be. */
export function chooseBins(sorted: Float64Array): Bins {
  group(sorted, Math.min(MOST_SYMBOLS >>> 1, 8 + (sorted.length >>> 2)))
  const log = Math.min(MOST_LOG, bitLength(sorted.length))
  const ends = divide(groups, log + 4 + (bitLength(sorted.at(-1)!) >>> 1))
  const starts = [0, ...ends.slice(0, -1)]
  const own = Math.max(log, bitLength(ends.length - 1))
  return {
    lowers: Float64Array.from(starts, (start) => groups.lowest[start]!),
    sizes: Uint8Array.from(starts, (start, index) => bitLength(groups.highest[ends[index]! - 1]! - groups.lowest[start]!)),
    weights: weigh(
      starts.map((start, index) => groups.below[ends[index]!]! - groups.below[start]!),
      ends.length === 1 ? 0 : own,
    ),
    log: ends.length === 1 ? 0 : own,
  }
}

/**
 * Makes a group of each number where they are at most `most`, and otherwise groups of about the same size, at most twice
 * as many. Equal numbers are in one group, which is theirs alone where they are many.
 */
function group(sorted: Float64Array, most: number): void {
  const { lowest, highest, below } = groups
  const size = areFew(sorted, most) ? 1 : Math.ceil(sorted.length / most)
  let count = 0
  for (let start = 0, end = 0; start < sorted.length; start = end) {
    end = start + 1
    while (end < sorted.length && (end - start < size || sorted[end] === sorted[end - 1])) {
      const isFrequent = sorted[end] !== sorted[end - 1] && sorted[end] === sorted[end + size - 1]
      if (isFrequent) break
      end++
    }
    lowest[count] = sorted[start]!
    highest[count] = sorted[end - 1]!
    below[count++] = start
  }
  groups.count = count
  below[count] = sorted.length
}

function areFew(sorted: Float64Array, most: number): boolean {
  let distinct = 1
  for (let index = 1; index < sorted.length && distinct <= most; index++)
    if (sorted[index] !== sorted[index - 1]) distinct++
  return distinct <= most
}

/** What x numbers of one bin cost less because there are x of them: x × log2 x, for few of them. */
const savings = Float64Array.from({ length: 4_096 }, (_, count) => (count === 0 ? 0 : count * Math.log2(count)))

const costs = new Float64Array(MOST_SYMBOLS + 1)
const beginnings = new Uint8Array(MOST_SYMBOLS + 1)

/** The end of each bin among the groups, so that all bins together cost least. `head` is what a bin itself costs. */
function divide({ count, lowest, highest, below }: Groups, head: number): number[] {
  for (let end = 1; end <= count; end++) {
    const [most, all] = [highest[end - 1]!, below[end]!]
    let best = Infinity
    for (let start = end - 1; start >= 0; start--) {
      const width = most - lowest[start]!
      const numbers = all - below[start]!
      const saved = numbers < 4_096 ? savings[numbers]! : numbers * Math.log2(numbers)
      const cost = costs[start]! + head + numbers * bitLength(width) - saved
      if (cost >= best) continue
      best = cost
      beginnings[end] = start
    }
    costs[end] = best
  }
  const ends: number[] = []
  for (let end = count; end > 0; end = beginnings[end]!) ends.push(end)
  return ends.reverse()
}

/** Scales the counts so that they add up to 2^log, and each is at least 1. */
function weigh(counts: readonly number[], log: number): Uint16Array {
  const all = counts.reduce((sum, count) => sum + count, 0)
  const weights = Uint16Array.from(counts, (count) => Math.max(1, Math.round((count * 2 ** log) / all)))
  let left = weights.reduce((left, weight) => left - weight, 2 ** log)
  while (left !== 0) {
    const largest = weights.indexOf(Math.max(...weights))
    const change = left > 0 ? left : Math.max(left, -(weights[largest]! >>> 1))
    weights[largest]! += change
    left -= change
  }
  return weights
}
