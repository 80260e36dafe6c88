// Asymmetric numeral systems in the form of a table (Duda 2013): a symbol that makes up 1/8 of a column takes 3 bits,
// one that makes up 99 % takes 0.015. A state is one of 2^log; each symbol has as many states as its weight.

export interface StateTable {
  readonly log: number
  /** Of each state: its symbol, how many bits lead to the next state, and the least of those that they lead to. */
  readonly symbols: Uint8Array
  readonly bits: Uint8Array
  readonly bases: Uint16Array
}

/** The most states. More would gain a thousandth of the bytes at most. */
export const MOST_LOG = 12
export const MOST_SYMBOLS = 128

const symbols = new Uint8Array(1 << MOST_LOG)
const bits = new Uint8Array(1 << MOST_LOG)
const bases = new Uint16Array(1 << MOST_LOG)
const seen = new Uint16Array(MOST_SYMBOLS)

/** Builds a table in memory that the next one uses again. The weights add up to 2^log. */
export function buildStateTable(weights: Uint16Array, log: number): StateTable {
  spread(weights, log)
  seen.set(weights)
  for (let state = 0; state < 1 << log; state++) {
    const symbol = symbols[state]!
    const occurrence = seen[symbol]!++
    const count = log - (31 - Math.clz32(occurrence))
    bits[state] = count
    bases[state] = (occurrence << count) - (1 << log)
  }
  return { log, symbols, bits, bases }
}

/** The states of a symbol lie at about equal distances: an odd step comes to every state once. */
function spread(weights: Uint16Array, log: number): void {
  const mask = (1 << log) - 1
  const step = ((mask * 5) >>> 3) | 1
  let state = 0
  for (let symbol = 0; symbol < weights.length; symbol++) {
    for (let left = weights[symbol]!; left > 0; left--) {
      symbols[state] = symbol
      state = (state + step) & mask
    }
  }
}

/** For each symbol, its states in ascending order, one after the other. */
const states = new Uint16Array(1 << MOST_LOG)
const starts = new Uint16Array(MOST_SYMBOLS)

/**
 * Turns symbols into bits, and returns the state in which a reader begins. It goes from the last symbol to the first,
 * since a reader comes out where a writer went in: at state 0. `out` gets the bits of each symbol, above the lowest 4
 * that say how many they are.
 */
export function encodeStates(column: Uint8Array, weights: Uint16Array, log: number, out: Uint32Array): number {
  listStates(weights, log)
  const size = 1 << log
  let state = size
  for (let index = column.length - 1; index >= 0; index--) {
    const symbol = column[index]!
    const weight = weights[symbol]!
    let count = log - (31 - Math.clz32(weight))
    if (state >>> count < weight) count--
    out[index] = ((state & ((1 << count) - 1)) << 4) | count
    state = size + states[starts[symbol]! + (state >>> count) - weight]!
  }
  return state - size
}

function listStates(weights: Uint16Array, log: number): void {
  spread(weights, log)
  let start = 0
  for (let symbol = 0; symbol < weights.length; symbol++) {
    starts[symbol] = start
    seen[symbol] = start
    start += weights[symbol]!
  }
  for (let state = 0; state < 1 << log; state++) states[seen[symbols[state]!]!++] = state
}
