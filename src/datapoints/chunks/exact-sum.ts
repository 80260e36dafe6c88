/** A sum of two doubles below this overflows in none of its steps. */
const LARGE = 2 ** 1020

/**
 * An exact sum of doubles. It is rounded only once, when it is read. So the result does not depend on the order of the
 * doubles, nor on whether the points of a chunk are added or their sum. Two doubles are nearly always enough: the
 * second holds the rounding error of the first (Knuth's two-sum). Errors that do not fit into both are added to a
 * bigint.
 */
export class ExactSum {
  #high = 0
  #low = 0
  /** In units of the smallest double. */
  #rest = 0n

  add(value: number): void {
    const high = this.#high + value
    if (!(Math.abs(high) < LARGE && Math.abs(value) < LARGE)) return this.#addLarge(value)
    const more = high - this.#high
    const lost = this.#high - (high - more) + (value - more)
    const low = this.#low + lost
    const lowMore = low - this.#low
    const rest = this.#low - (low - lowMore) + (lost - lowMore)
    if (rest !== 0) this.#rest += unitsOf(rest)
    this.#high = high
    this.#low = low
  }

  #addLarge(value: number): void {
    this.#rest = this.#units() + unitsOf(value)
    this.#high = 0
    this.#low = 0
  }

  #units(): bigint {
    return this.#rest + unitsOf(this.#high) + unitsOf(this.#low)
  }

  /**
   * Makes the first double the nearest one to the sum, and the second the nearest one to the remainder. Returns false
   * if the sum is beyond the range of doubles.
   */
  #settle(): boolean {
    const high = this.#high + this.#low
    if (this.#rest === 0n && Number.isFinite(high)) {
      const more = high - this.#high
      this.#low = this.#high - (high - more) + (this.#low - more)
      this.#high = high
      return true
    }
    const units = this.#units()
    const nearest = nearestDouble(units)
    this.#high = withinRange(nearest)
    const left = units - unitsOf(this.#high)
    this.#low = withinRange(nearestDouble(left))
    this.#rest = left - unitsOf(this.#low)
    return Number.isFinite(nearest)
  }

  /** Returns the sum; null if it is beyond the range of doubles. */
  total(): number | null {
    return this.#settle() ? this.#high : null
  }

  /** Returns the mean of `count` values. If all values are equal, the mean is exactly that value. */
  mean(count: number): number {
    const mean = (this.total() ?? NaN) / count
    const [product, lost] = exactProduct(mean, count)
    const left = this.#high - product + (this.#low - lost)
    return Number.isFinite(left) ? mean + left / count : nearestDouble(this.#units() / BigInt(count))
  }

  /** Returns doubles with exactly this sum. Each is the nearest to the remainder, so equal sums have equal parts. */
  parts(): number[] {
    this.#settle()
    const parts = [this.#high, this.#low].filter((part) => part !== 0)
    for (let left = this.#rest; left !== 0n; left -= unitsOf(parts.at(-1) ?? 0))
      parts.push(withinRange(nearestDouble(left)))
    return parts
  }
}

function withinRange(value: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value))
}

const SPLITTER = 2 ** 27 + 1

/** Returns a product and its rounding error (Dekker 1971). The error is not finite near the limit of doubles. */
function exactProduct(a: number, b: number): readonly [product: number, lost: number] {
  const product = a * b
  const [aHigh, bHigh] = [highHalf(a), highHalf(b)]
  const [aLow, bLow] = [a - aHigh, b - bHigh]
  return [product, aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)]
}

function highHalf(value: number): number {
  const scaled = value * SPLITTER
  return scaled - (scaled - value)
}

// Counts doubles in units of the smallest double, 2^-1074. This is exact for all doubles, but slow.

const LEAST = 1_074
/** Number of bits that are kept. A double has only 53, so it only matters whether any other bit is set. */
const ENOUGH = 64
const FRACTION = 2n ** 52n

const double = new Float64Array(1)
const bits = new BigUint64Array(double.buffer)

function unitsOf(value: number): bigint {
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be added to others`)
  double[0] = Math.abs(value)
  const all = bits[0]!
  const exponent = all / FRACTION
  const units = exponent === 0n ? all : (FRACTION + (all % FRACTION)) << (exponent - 1n)
  return value < 0 ? -units : units
}

/** Returns the nearest double; of two equally near doubles, the even one; infinity if it is beyond all doubles. */
function nearestDouble(units: bigint): number {
  const size = units < 0n ? -units : units
  const cut = Math.max(0, size.toString(2).length - ENOUGH)
  const kept = size >> BigInt(cut)
  const isExact = kept << BigInt(cut) === size
  // Scales in two steps, because 2 ** cut may be beyond all doubles.
  const half = cut >>> 1
  const nearest = Number(isExact ? kept : kept | 1n) * 2 ** -LEAST * 2 ** half * 2 ** (cut - half)
  return units < 0n ? -nearest : nearest
}
