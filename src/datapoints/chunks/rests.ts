import { chooseBins, type Bins } from './bins.ts'
import { bitLength, damaged, MOST_BITS, type BitReader, type BitWriter } from './bits.ts'
import { Memory } from './memory.ts'
import { buildStateTable, encodeStates, MOST_LOG, MOST_SYMBOLS, type StateTable } from './state-table.ts'

// Writes whole numbers of any pattern: the least one, what all distances to it are multiples of, the bins of these
// multiples, and for each the bits of its bin and those within the bin.

const sorting = new Memory()

/** Writes the numbers, whose memory is used for it. */
export function writeRests(writer: BitWriter, rests: Float64Array): void {
  if (rests.length === 0) return
  const least = leastOf(rests)
  writer.signed(least)
  const step = scale(rests, least)
  // All numbers are the same where no step leads from one to another.
  writer.unsigned(step)
  if (step === 0) return
  const sorted = sorting.take(rests.length)
  sorted.set(rests)
  const bins = chooseBins(sorted.sort())
  writeBins(writer, bins)
  writeBody(writer, rests, bins)
}

function leastOf(numbers: Float64Array): number {
  let least = Infinity
  for (let index = 0; index < numbers.length; index++) if (numbers[index]! < least) least = numbers[index]!
  return least
}

/** Makes the numbers multiples of the step that is returned. */
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

function writeBins(writer: BitWriter, { lowers, sizes, weights, log }: Bins): void {
  writer.unsigned(lowers.length - 1)
  if (lowers.length > 1) writer.bits(log, 4)
  let left = 2 ** log
  for (let bin = 0; bin < lowers.length; bin++) {
    if (bin > 0) writer.unsigned(lowers[bin]! - lowers[bin - 1]! - 1)
    writer.unsigned(sizes[bin]!)
    // The last bin has all the weight that is left.
    if (bin < lowers.length - 1) writer.bits(weights[bin]! - 1, bitLength(left - 1))
    left -= weights[bin]!
  }
}

function readBins(reader: BitReader): Bins {
  const count = reader.unsigned() + 1
  if (count > MOST_SYMBOLS) throw damaged(`it has ${count} bins`)
  const log = count > 1 ? reader.bits(4) : 0
  if (log > MOST_LOG) throw damaged(`it has 2^${log} states`)
  const bins = { lowers: new Float64Array(count), sizes: new Uint8Array(count), weights: new Uint16Array(count), log }
  let left = 2 ** log
  for (let bin = 0; bin < count; bin++) {
    if (bin > 0) bins.lowers[bin] = bins.lowers[bin - 1]! + 1 + reader.unsigned()
    bins.sizes[bin] = Math.min(reader.unsigned(), 255)
    bins.weights[bin] = bin < count - 1 ? reader.bits(bitLength(left - 1)) + 1 : left
    left -= bins.weights[bin]!
    if (bins.sizes[bin]! > 54) throw damaged(`it has a bin of ${bins.sizes[bin]} bits`)
    if (left < 0 || (left === 0 && bin < count - 1)) throw damaged('its bins weigh too much')
  }
  return bins
}

let symbols = new Uint8Array(2_048)
let prefixes = new Uint32Array(2_048)

function writeBody(writer: BitWriter, numbers: Float64Array, { lowers, sizes, weights, log }: Bins): void {
  const { length } = numbers
  if (length > symbols.length) [symbols, prefixes] = [new Uint8Array(length), new Uint32Array(length)]
  const column = symbols.subarray(0, length)
  classify(numbers, lowers, column)
  if (log === 0) prefixes.fill(0, 0, length)
  else writer.bits(encodeStates(column, weights, log, prefixes), log)
  for (let index = 0; index < length; index++) {
    const [bin, prefix] = [column[index]!, prefixes[index]!]
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
function classify(numbers: Float64Array, lowers: Float64Array, column: Uint8Array): void {
  for (let index = 0; index < column.length; index++) {
    const number = numbers[index]!
    let [low, high] = [0, lowers.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (lowers[middle]! <= number) low = middle
      else high = middle - 1
    }
    column[index] = low
  }
}

/** Fills `rests` with what `writeRests` wrote. */
export function readRests(reader: BitReader, rests: Float64Array): void {
  if (rests.length === 0) return
  const least = reader.signed()
  const step = reader.unsigned()
  if (step === 0) return void rests.fill(least)
  const bins = readBins(reader)
  for (let bin = 0; bin < bins.lowers.length; bin++) bins.lowers[bin] = bins.lowers[bin]! * step + least
  const table = buildStateTable(bins.weights, bins.log)
  if (Math.max(...bins.sizes) + bins.log <= MOST_BITS) readNarrow(reader, bins, table, step, rests)
  else readWide(reader, bins, table, step, rests)
}

/** Reads numbers of which none takes more bits than can be read at once. */
function readNarrow(reader: BitReader, { lowers, sizes }: Bins, table: StateTable, step: number, rests: Float64Array) {
  const { symbols, bits, bases } = table
  const { view, end } = reader
  let state = reader.bits(table.log)
  let { position } = reader
  for (let index = 0; index < rests.length; index++) {
    const bin = symbols[state]!
    const [ofState, ofBin] = [bits[state]!, sizes[bin]!]
    const word = view.getUint32(position >>> 3, true) >>> (position & 7)
    state = bases[state]! + (word & ((1 << ofState) - 1))
    rests[index] = lowers[bin]! + ((word >>> ofState) & ((1 << ofBin) - 1)) * step
    position += ofState + ofBin
    if (position > end) throw damaged('it ends too early')
  }
  reader.position = position
  if (state !== 0) throw damaged('a column does not end where it was begun')
}

function readWide(reader: BitReader, { lowers, sizes }: Bins, table: StateTable, step: number, rests: Float64Array) {
  const { symbols, bits, bases } = table
  let state = reader.bits(table.log)
  for (let index = 0; index < rests.length; index++) {
    const bin = symbols[state]!
    state = bases[state]! + reader.bits(bits[state]!)
    rests[index] = lowers[bin]! + reader.wide(sizes[bin]!) * step
  }
  if (state !== 0) throw damaged('a column does not end where it was begun')
}
