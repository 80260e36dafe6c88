import { damaged, type BitReader, type BitWriter } from './bits.ts'

// Exceptions are values that do not fit in with the others of a chunk. They are stored separately with all their bits,
// so that a single one does not make all others larger (as in ALP: Afroozeh, Kuffo and Boncz 2023). In the column,
// a number between its neighbours takes the place of an exception.

/** Approximate bits of an exception: its value and its index. */
export const COST = 72

const HALF = 32

/** Writes the values at these indexes. The indexes must ascend. */
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

/** Fills the places of exceptions with numbers on a line from the number before to the number after. */
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

/** Reads the exceptions, and puts them into their places. */
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
 * Chooses the need, from `from` on, with which all values and exceptions together take the fewest bits. `needs` holds
 * how many values have each need. A value with a higher need becomes an exception. Each step of the need adds
 * `bitsEach` bits to every value.
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

/** Views 64-bit numbers as halves of 32 bits, the low half first. */
export function halvesOf(values: Float64Array | BigInt64Array): Uint32Array {
  return new Uint32Array(values.buffer, values.byteOffset, values.length * 2)
}
