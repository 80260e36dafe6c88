import { chooseBins, logOf, newBins, type Bins } from './bins.ts'
import { bitLength, damaged, MOST_BITS, type BitReader, type BitWriter } from './bits.ts'
import { Memory } from './memory.ts'
import { buildStateTable, encodeStates, MOST_SYMBOLS, type StateTable } from './state-table.ts'

// Writes whole numbers of any pattern: the least number, the common divisor of all distances from it (the step), the
// bins of the divided distances, and for each number the bits of its bin and of its place within the bin.

/** The maximum number of bits of the distance between two numbers of a column. */
const MOST_SIZE = 54

const sorting = new Memory()

/** Writes the numbers, and overwrites their memory. */
export function writeRests(writer: BitWriter, rests: Float64Array): void {
  if (rests.length === 0) return
  const least = leastOf(rests)
  writer.signed(least)
  const step = scale(rests, least)
  // A step of 0 means that all numbers are the same.
  writer.unsigned(step)
  if (step === 0) return
  const sorted = sorting.take(rests.length)
  sorted.set(rests)
  const chosen = chooseBins(sorted.sort())
  writeBins(writer, chosen)
  writeBody(writer, rests, chosen)
}

function leastOf(numbers: Float64Array): number {
  let least = Infinity
  for (let index = 0; index < numbers.length; index++) if (numbers[index]! < least) least = numbers[index]!
  return least
}

/** Replaces each number by its distance from `least`, divided by the common step. Returns the step. */
function scale(numbers: Float64Array, least: number): number {
  let step = 0
  for (let index = 0; index < numbers.length; index++) {
    const distance = numbers[index]! - least
    numbers[index] = distance
    if (step !== 1 && distance !== 0) step = commonDivisor(distance, step)
  }
  if (step > 1) for (let index = 0; index < numbers.length; index++) numbers[index] = numbers[index]! / step
  return step
}

function commonDivisor(a: number, b: number): number {
  let [larger, smaller] = [a, b]
  while (smaller !== 0) [larger, smaller] = [smaller, larger % smaller]
  return larger
}

function writeBins(writer: BitWriter, { count, lowers, sizes, weights, log }: Bins): void {
  writer.unsigned(count - 1)
  let left = 2 ** log
  for (let bin = 0; bin < count; bin++) {
    if (bin > 0) writer.unsigned(lowers[bin]! - lowers[bin - 1]! - 1)
    writer.unsigned(sizes[bin]!)
    // The last bin has all the remaining weight.
    if (bin < count - 1) writer.bits(weights[bin]! - 1, bitLength(left - 1))
    left -= weights[bin]!
  }
}

const bins = newBins()

function readBins(reader: BitReader, numbers: number): void {
  const count = reader.unsigned() + 1
  if (count > MOST_SYMBOLS) throw damaged(`it has ${count} bins`)
  const log = count > 1 ? logOf(numbers, count) : 0
  let left = 2 ** log
  for (let bin = 0; bin < count; bin++) {
    bins.lowers[bin] = bin === 0 ? 0 : bins.lowers[bin - 1]! + 1 + reader.unsigned()
    const size = reader.unsigned()
    if (size > MOST_SIZE) throw damaged(`it has a bin of ${size} bits`)
    const weight = bin < count - 1 ? reader.bits(bitLength(left - 1)) + 1 : left
    left -= weight
    if (left < (bin < count - 1 ? 1 : 0)) throw damaged('its bins weigh too much')
    bins.sizes[bin] = size
    bins.weights[bin] = weight
  }
  bins.count = count
  bins.log = log
}

let symbols = new Uint8Array(2_048)
let prefixes = new Uint32Array(2_048)

function writeBody(writer: BitWriter, numbers: Float64Array, bins: Bins): void {
  const { length } = numbers
  const { lowers, sizes } = bins
  if (length > symbols.length) [symbols, prefixes] = [new Uint8Array(length), new Uint32Array(length)]
  classify(numbers, bins)
  writer.bits(encodeStates({ symbols, count: length }, bins, prefixes), bins.log)
  for (let index = 0; index < length; index++) {
    const [bin, prefix] = [symbols[index]!, prefixes[index]!]
    const [ofState, ofBin] = [prefix & 15, sizes[bin]!]
    const within = numbers[index]! - lowers[bin]!
    if (ofState + ofBin <= MOST_BITS) writer.bits((prefix >>> 4) | (within << ofState), ofState + ofBin)
    else {
      writer.bits(prefix >>> 4, ofState)
      writer.wide(within, ofBin)
    }
  }
}

/** Finds the bin of each number. */
function classify(numbers: Float64Array, { lowers, count }: Bins): void {
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index]!
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (lowers[middle]! <= number) low = middle
      else high = middle - 1
    }
    symbols[index] = low
  }
}

/** Reads the output of `writeRests` into `numbers`, from an index on. */
export function readRests(reader: BitReader, numbers: Float64Array, from: number): void {
  if (from === numbers.length) return
  const least = reader.signed()
  const step = reader.unsigned()
  if (step === 0) return void numbers.fill(least, from)
  readBins(reader, numbers.length - from)
  const table = buildStateTable(bins)
  let widest = 0
  for (let bin = 0; bin < bins.count; bin++) {
    widest = Math.max(widest, bins.sizes[bin]!)
    bins.lowers[bin] = bins.lowers[bin]! * step + least
  }
  if (widest + bins.log <= MOST_BITS) readNarrow(reader, table, step, numbers, from)
  else readWide(reader, table, step, numbers, from)
}

/** Reads numbers that each fit into one read of MOST_BITS bits. */
function readNarrow(reader: BitReader, table: StateTable, step: number, numbers: Float64Array, from: number): void {
  const { lowers, sizes } = bins
  const { symbols, bits, bases } = table
  const { view, end } = reader
  let state = reader.bits(table.log)
  let { position } = reader
  for (let index = from; index < numbers.length; index++) {
    const bin = symbols[state]!
    const [ofState, ofBin] = [bits[state]!, sizes[bin]!]
    const word = view.getUint32(position >>> 3, true) >>> (position & 7)
    state = bases[state]! + (word & ((1 << ofState) - 1))
    numbers[index] = lowers[bin]! + ((word >>> ofState) & ((1 << ofBin) - 1)) * step
    position += ofState + ofBin
    if (position > end) throw damaged('it ends too early')
  }
  reader.position = position
  if (state !== 0) throw damaged('the last state of a column is not 0')
}

function readWide(reader: BitReader, table: StateTable, step: number, numbers: Float64Array, from: number): void {
  const { lowers, sizes } = bins
  const { symbols, bits, bases } = table
  let state = reader.bits(table.log)
  for (let index = from; index < numbers.length; index++) {
    const bin = symbols[state]!
    state = bases[state]! + reader.bits(bits[state]!)
    numbers[index] = lowers[bin]! + reader.wide(sizes[bin]!) * step
  }
  if (state !== 0) throw damaged('the last state of a column is not 0')
}
