/** More than the 53 bits of a double, so that a rest decides nothing but whether there is one. */
const ENOUGH = 64
const MOST_EXACT = BigInt(Number.MAX_SAFE_INTEGER)

/** The double that is nearest to a quotient of whole numbers, of which the divisor is above 0. */
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
