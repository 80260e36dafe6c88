// Asymmetric numeral systems in the form of a table (Duda 2013): a symbol that makes up 1/8 of a column takes 3 bits,
// one that makes up 99 % takes 0.015. There are 2^log states; the weight of a symbol is the number of its states.

export interface StateTable {
  readonly log: number
  /** For each state: its symbol, how many bits to read next, and the base to which their value is added. */
  readonly symbols: Uint8Array
  readonly bits: Uint8Array
  readonly bases: Uint16Array
}

/** Frequencies of symbols. The weights add up to 2^log. */
export interface Weights {
  readonly count: number
  readonly weights: Uint16Array
  readonly log: number
}

/** Log2 of the most states. More states would save at most a thousandth of the bytes. */
export const MOST_LOG = 12
export const MOST_SYMBOLS = 128

const table = {
  log: 0,
  symbols: new Uint8Array(1 << MOST_LOG),
  bits: new Uint8Array(1 << MOST_LOG),
  bases: new Uint16Array(1 << MOST_LOG),
}
const seen = new Uint16Array(MOST_SYMBOLS)

/** Builds a table. The next call overwrites it. */
export function buildStateTable({ weights, count, log }: Weights): StateTable {
  const { symbols, bits, bases } = table
  spread(weights, count, log)
  for (let symbol = 0; symbol < count; symbol++) seen[symbol] = weights[symbol]!
  for (let state = 0; state < 1 << log; state++) {
    const symbol = symbols[state]!
    const occurrence = seen[symbol]!
    seen[symbol] = occurrence + 1
    const size = log - (31 - Math.clz32(occurrence))
    bits[state] = size
    bases[state] = (occurrence << size) - (1 << log)
  }
  table.log = log
  return table
}

/** Spreads the states of a symbol at about equal distances. The step is odd, so it reaches every state once. */
function spread(weights: Uint16Array, count: number, log: number): void {
  const { symbols } = table
  const mask = (1 << log) - 1
  const step = ((mask * 5) >>> 3) | 1
  let state = 0
  for (let symbol = 0; symbol < count; symbol++) {
    for (let left = weights[symbol]!; left > 0; left--) {
      symbols[state] = symbol
      state = (state + step) & mask
    }
  }
}

/** The states of the first symbol in ascending order, then the states of the second symbol, and so on. */
const states = new Uint16Array(1 << MOST_LOG)
const starts = new Uint16Array(MOST_SYMBOLS)

interface SymbolColumn {
  readonly symbols: Uint8Array
  readonly count: number
}

/**
 * Encodes symbols as bits, and returns the state in which a reader begins. It goes from the last symbol to the first,
 * because a reader decodes in the opposite order, and ends in state 0, if the encoder began. Each entry of `out`
 * holds the bits of one symbol; its lowest 4 bits are their number.
 */
export function encodeStates(column: SymbolColumn, { count, weights, log }: Weights, out: Uint32Array): number {
  listStates(weights, count, log)
  const size = 1 << log
  let state = size
  for (let index = column.count - 1; index >= 0; index--) {
    const symbol = column.symbols[index]!
    const weight = weights[symbol]!
    let bits = log - (31 - Math.clz32(weight))
    if (state >>> bits < weight) bits--
    out[index] = ((state & ((1 << bits) - 1)) << 4) | bits
    state = size + states[starts[symbol]! + (state >>> bits) - weight]!
  }
  return state - size
}

function listStates(weights: Uint16Array, count: number, log: number): void {
  spread(weights, count, log)
  let start = 0
  for (let symbol = 0; symbol < count; symbol++) {
    starts[symbol] = start
    seen[symbol] = start
    start += weights[symbol]!
  }
  for (let state = 0; state < 1 << log; state++) {
    const symbol = table.symbols[state]!
    const place = seen[symbol]!
    states[place] = state
    seen[symbol] = place + 1
  }
}
