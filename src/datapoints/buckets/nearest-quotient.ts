/** Number of computed bits of a quotient. A double has only 53, so it only matters whether the remainder is 0. */
const ENOUGH = 64
const MOST_EXACT = BigInt(Number.MAX_SAFE_INTEGER)

/** Returns the double that is nearest to a quotient of whole numbers. The divisor must be above 0. */
export function nearestQuotient(dividend: bigint, divisor: bigint): number {
  const size = dividend < 0n ? -dividend : dividend
  // A quotient of two doubles is rounded once.
  if (size <= MOST_EXACT && divisor <= MOST_EXACT) return Number(dividend) / Number(divisor)
  const shift = Math.max(0, ENOUGH + bitsOf(divisor) - bitsOf(size))
  const scaled = size << BigInt(shift)
  const quotient = scaled / divisor
  const isExact = quotient * divisor === scaled
  const nearest = Number(isExact ? quotient : quotient | 1n) * 2 ** -shift
  return dividend < 0n ? -nearest : nearest
}

function bitsOf(size: bigint): number {
  return size.toString(2).length
}
