// Steps are decimals: 0.3 is three times 0.1, although this is false for the nearest doubles. So values are compared in
// decimal form.

/** Powers of ten up to this exponent are exact doubles. */
const MOST_DIGITS = 22
/** Up to this number, a product with a power of ten rounds to the correct integer. */
const EXACT = 2 ** 50
/**
 * The tolerance is smaller than the distance of two decimals of 15 digits, and larger than the error of an addition
 * such as 0.1 + 0.2. So numbers of up to 15 digits are judged as written, and sums are not rejected for rounding
 * errors.
 */
const NOISE = 2 ** -51

/** The numbers `base + n · step`, all as decimals. */
export class DecimalGrid {
  readonly #digits: number
  readonly #step: bigint
  readonly #base: bigint
  /** A scale for fast tests with doubles; 0 if such tests would not be exact. */
  readonly #scale: number
  readonly #fastStep: number
  readonly #fastRest: number

  constructor(step: number, base = 0) {
    this.#digits = Math.max(decimalsOf(step), decimalsOf(base))
    this.#step = unitsOf(step, this.#digits) ?? 1n
    this.#base = unitsOf(base, this.#digits) ?? 0n
    this.#scale = this.#digits <= MOST_DIGITS && this.#step <= BigInt(EXACT) ? Number(`1e${this.#digits}`) : 0
    this.#fastStep = Number(this.#step)
    this.#fastRest = Number(this.#base % this.#step)
  }

  has(value: number): boolean {
    const units = Math.round(value * this.#scale)
    if (this.#scale === 0 || !(Math.abs(units) <= EXACT)) return this.#hasSlowly(value)
    // Both operands are exact, so the quotient is the double nearest to the decimal.
    if (!isNear(value, units / this.#scale)) return false
    return ((units % this.#fastStep) - this.#fastRest) % this.#fastStep === 0
  }

  hasWhole(value: bigint): boolean {
    return (value * 10n ** BigInt(this.#digits) - this.#base) % this.#step === 0n
  }

  #hasSlowly(value: number): boolean {
    if (this.#hasExactly(value)) return true
    const rounded = Number(value.toPrecision(15))
    return !Number.isInteger(value) && isNear(value, rounded) && this.#hasExactly(rounded)
  }

  #hasExactly(value: number): boolean {
    const units = unitsOf(value, this.#digits)
    return units !== null && (units - this.#base) % this.#step === 0n
  }
}

function isNear(value: number, decimal: number): boolean {
  return value === decimal || Math.abs(value - decimal) <= Math.abs(decimal) * NOISE
}

/** The number of decimals in the shortest decimal form of a number. */
function decimalsOf(value: number): number {
  const [fraction, exponent] = partsOf(value)
  return Math.max(0, fraction.length - exponent)
}

/** The number in units of 10^-digits; null if it is between two units. */
function unitsOf(value: number, digits: number): bigint | null {
  const [fraction, exponent, whole] = partsOf(value)
  const zeros = digits - fraction.length + exponent
  return zeros < 0 ? null : BigInt(whole + fraction) * 10n ** BigInt(zeros)
}

/** `-1.25e-7` → `['25', -7, '-1']` */
function partsOf(value: number): [fraction: string, exponent: number, whole: string] {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return [fraction, Number(exponent), whole]
}
