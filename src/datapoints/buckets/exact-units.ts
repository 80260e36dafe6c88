// Doubles as whole numbers of the smallest double, 2^-1074: what is exact for all of them, and slow.

const LEAST = 1_074
/** More than the 53 bits of a double, so that what is cut off decides nothing but whether anything was. */
const ENOUGH = 64
const FRACTION = 2n ** 52n

const double = new Float64Array(1)
const bits = new BigUint64Array(double.buffer)

export function unitsOf(value: number): bigint {
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be added to others`)
  double[0] = Math.abs(value)
  const all = bits[0]!
  const exponent = all / FRACTION
  const units = exponent === 0n ? all : (FRACTION + (all % FRACTION)) << (exponent - 1n)
  return value < 0 ? -units : units
}

/** The nearest double, of two that are equally near the even one; infinite where it is beyond all doubles. */
export function nearestDouble(units: bigint): number {
  const size = units < 0n ? -units : units
  const cut = Math.max(0, size.toString(2).length - ENOUGH)
  const kept = size >> BigInt(cut)
  const isExact = kept << BigInt(cut) === size
  // In two steps, because what is cut off may be more than a double can tell.
  const half = cut >>> 1
  const nearest = Number(isExact ? kept : kept | 1n) * 2 ** -LEAST * 2 ** half * 2 ** (cut - half)
  return units < 0n ? -nearest : nearest
}
