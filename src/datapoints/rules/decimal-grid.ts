// Steps are decimal: 0.3 is three times 0.1 although the doubles say otherwise. So values are compared as
// the decimals that they are written as.

/** Powers of ten up to this one are doubles. */
const MOST_DIGITS = 22
/** Up to here a product with a power of ten rounds to the right whole number. */
const EXACT = 2 ** 50
/**
 * Less than the distance of two decimals of 15 digits and more than what an addition such as 0.1 + 0.2 leaves over:
 * whatever was written with up to 15 digits is judged as written, and sums are not refused for their noise.
 */
const NOISE = 2 ** -51

/** The numbers `base + n · step`, all of them decimals. */
export class DecimalGrid {
  readonly #digits: number
  readonly #step: bigint
  readonly #base: bigint
  /** The same for the fast way; 0 where there is none. */
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
    // Both are exact, so the quotient is the double that the decimal is read as.
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

/** How many digits after the point the shortest decimal of a number has. */
function decimalsOf(value: number): number {
  const [fraction, exponent] = partsOf(value)
  return Math.max(0, fraction.length - exponent)
}

/** The number in units of 10^-digits, null where it lies between two of them. */
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
