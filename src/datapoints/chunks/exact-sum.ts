/** Sums of two below this have no step that is beyond all doubles. */
const LARGE = 2 ** 1020

/**
 * The exact sum of doubles, which is rounded once when it is asked for. So it is the same in whatever order they are
 * added, and whether a chunk's points are added or its sum. Two doubles hold it nearly always: the second has what the
 * first one rounds off (Knuth's sum of two). What both round off is added as a bigint.
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
   * Makes the first double the nearest one to the sum, and the second the nearest one to what that leaves. The result is
   * false where the sum is beyond the range of doubles.
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

  /** The sum; null where it is beyond the range of doubles. */
  total(): number | null {
    return this.#settle() ? this.#high : null
  }

  /** The mean of so many values, which is their value where all are equal. */
  mean(count: number): number {
    const mean = (this.total() ?? NaN) / count
    const [product, lost] = exactProduct(mean, count)
    const left = this.#high - product + (this.#low - lost)
    return Number.isFinite(left) ? mean + left / count : nearestDouble(this.#units() / BigInt(count))
  }

  /** Doubles with this very sum, each the nearest one to what those before leave: the same for the same sum. */
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

/** A product and what it rounds off (Dekker 1971). Neither is a number where the product is nearly beyond all doubles. */
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

// Doubles as whole numbers of the smallest double, 2^-1074: what is exact for all of them, and slow.

const LEAST = 1_074
/** More than the 53 bits of a double, so that what is cut off decides nothing but whether anything was. */
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

/** The nearest double, of two that are equally near the even one; infinite where it is beyond all doubles. */
function nearestDouble(units: bigint): number {
  const size = units < 0n ? -units : units
  const cut = Math.max(0, size.toString(2).length - ENOUGH)
  const kept = size >> BigInt(cut)
  const isExact = kept << BigInt(cut) === size
  // In two steps, because what is cut off may be more than a double can tell.
  const half = cut >>> 1
  const nearest = Number(isExact ? kept : kept | 1n) * 2 ** -LEAST * 2 ** half * 2 ** (cut - half)
  return units < 0n ? -nearest : nearest
}
