/** As a fraction of 2^-1074, read from the digits that JavaScript writes a double with in base 2. */
export function unitsOf(value: number): bigint {
  let [units, scaled] = [0n, Math.abs(value)]
  let exponent = 1_074
  for (; scaled >= 2 ** 53; exponent++) scaled /= 2
  for (; !Number.isInteger(scaled); exponent--) scaled *= 2
  units = BigInt(scaled) << BigInt(exponent)
  return value < 0 ? -units : units
}

/** The doubles right below and above. */
export function neighbours(value: number): number[] {
  const memory = new Float64Array([value])
  const bits = new BigInt64Array(memory.buffer)
  return [-1n, 1n].flatMap((step) => {
    memory[0] = value
    bits[0] = (bits[0] ?? 0n) + step
    const neighbour = memory[0] ?? Number.NaN
    return Number.isFinite(neighbour) ? [neighbour] : []
  })
}

/** The double that is nearest to a fraction, of two that are equally near the even one: found by trying those around it. */
export function nearestTo(dividend: bigint, divisor: bigint): number {
  const offOf = (value: number): bigint => {
    const off = unitsOf(value) * divisor - (dividend << 1_074n)
    return off < 0n ? -off : off
  }
  for (let best = Number(dividend) / Number(divisor); ;) {
    const nearer = neighbours(best).find((one) => {
      const [off, offOfBest] = [offOf(one), offOf(best)]
      return off < offOfBest || (off === offOfBest && isEven(one))
    })
    if (nearer === undefined) return best
    best = nearer
  }
}

function isEven(value: number): boolean {
  return (new BigInt64Array(Float64Array.of(value).buffer)[0] ?? 0n) % 2n === 0n
}
