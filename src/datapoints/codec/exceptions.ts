import { damaged, type BitReader, type BitWriter } from './bits.ts'

// Values that do not fit in with the others of a chunk are kept apart, bit by bit, so that a single one does not make
// all others larger (as ALP does: Afroozeh, Kuffo and Boncz 2023). The columns have numbers between
// those beside it in their place.

/** About how many bits an exception takes: its own, and where it is. */
export const COST = 72

const HALF = 32

/** Writes the values at these indexes, which ascend. */
export function writeExceptions(
  writer: BitWriter,
  values: Float64Array | BigInt64Array,
  indexes: readonly number[],
): void {
  writer.unsigned(indexes.length)
  if (indexes.length === 0) return
  const halves = halvesOf(values)
  let next = 0
  for (const index of indexes) {
    writer.unsigned(index - next)
    writer.wide(halves[index * 2]!, HALF)
    writer.wide(halves[index * 2 + 1]!, HALF)
    next = index + 1
  }
}

/** Fills the places of exceptions evenly from the number before to the one after, as if nothing odd had been there. */
export function fillGaps(numbers: Float64Array, indexes: readonly number[]): void {
  for (let first = 0, after = 0; first < indexes.length; first = after) {
    after = first + 1
    while (indexes[after] === indexes[after - 1]! + 1) after++
    const [start, end] = [indexes[first]!, indexes[after - 1]! + 1]
    const left = numbers[start - 1] ?? numbers[end] ?? 0
    const right = numbers[end] ?? left
    for (let index = start; index < end; index++)
      numbers[index] = left + Math.round(((right - left) * (index - start + 1)) / (end - start + 1))
  }
}

/** Puts the exceptions in their places. */
export function readExceptions(reader: BitReader, values: Float64Array | BigInt64Array): void {
  const count = reader.unsigned()
  if (count === 0) return
  const halves = halvesOf(values)
  let next = 0
  for (let read = 0; read < count; read++) {
    const index = next + reader.unsigned()
    if (index * 2 >= halves.length) throw damaged('an exception is beyond its points')
    halves[index * 2] = reader.wide(HALF)
    halves[index * 2 + 1] = reader.wide(HALF)
    next = index + 1
  }
}

/**
 * The need to serve, of those from `from` on, so that all values and exceptions together take fewest bits. `needs` says
 * how many values have each need; a value whose need is not served is an exception. Serving one more costs each value
 * so many bits.
 */
export function cheapestNeed(needs: Uint32Array, from: number, bitsEach: number): number {
  let values = 0
  for (let need = 0; need < needs.length; need++) values += needs[need]!
  let exceptions = values
  let best = from
  let least = Infinity
  for (let need = 0; need < needs.length; need++) {
    exceptions -= needs[need]!
    if (need < from) continue
    const cost = exceptions * COST + values * need * bitsEach
    if (cost < least) [best, least] = [need, cost]
  }
  return best
}

/** Memory seen as halves of 64 bits. */
export function halvesOf(values: Float64Array | BigInt64Array): Uint32Array {
  return new Uint32Array(values.buffer, values.byteOffset, values.length * 2)
}
