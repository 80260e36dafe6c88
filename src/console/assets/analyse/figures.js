// Formats numbers for people, in pages and pictures. A number that is not 0 never appears as 0.

const formats = new Map()

/** Caches number formats, because creating one is much slower than using it. */
function decimal(most, least) {
  const name = `${most} ${least}`
  const known = formats.get(name)
  if (known !== undefined) return known
  const made = new Intl.NumberFormat('en-US', { maximumFractionDigits: most, minimumFractionDigits: least })
  formats.set(name, made)
  return made
}

/** Numbers below SMALLEST or from LARGEST on use an exponent, because zeros would hide the digits that matter. */
const SMALLEST = 1e-4
const LARGEST = 1e21
/** More decimals than any double above `SMALLEST` has. */
const ALL = 25
/** Significant digits: the precision of single floats, and fewer for a mean. */
const DIGITS = 7
const MEAN_DIGITS = 5
const WHOLE = /^-?\d+$/

/**
 * Formats a value with all its digits.
 * @param {number | string | null | undefined} value
 * @param {number | null} precision the decimals that the model says matter; null for all
 * @returns {string}
 */
export function exactText(value, precision) {
  if (typeof value !== 'number' || precision !== null) return figureText(value, precision)
  if (isOutsideDecimals(value)) return withMinus(value.toExponential())
  return Number.isNaN(value) ? '' : withMinus(decimal(ALL, 0).format(value))
}

/**
 * Formats a value or figure in a list: with the precision of the model or, if there is none, with 7 significant digits
 * and all digits before the point.
 * @param {number | string | null | undefined} value
 * @param {number | null} precision
 * @param {number} digits
 * @returns {string}
 */
export function figureText(value, precision, digits = DIGITS) {
  if (value === null || value === undefined || Number.isNaN(value)) return ''
  if (typeof value === 'string') return WHOLE.test(value) ? withMinus(decimal(0, 0).format(value)) : value
  if (precision === null) return shortText(value, digits)
  const text = withMinus(decimal(precision, precision).format(value))
  return value !== 0 && !/[1-9]/.test(text) ? shortText(value, digits) : text
}

/**
 * Formats a mean, which has few meaningful digits.
 * @param {number | null | undefined} value
 * @param {number | null} precision
 * @returns {string}
 */
export function meanText(value, precision) {
  return figureText(value, precision, MEAN_DIGITS)
}

function shortText(value, digits) {
  if (isOutsideDecimals(value)) return withMinus(Number(value.toPrecision(digits)).toExponential())
  const most = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(value) || 1)))
  return withMinus(decimal(most, 0).format(value))
}

/**
 * The labels of an axis: plain numbers, or powers of ten if these are shorter.
 * @param {readonly number[]} marks
 * @param {number} step from one mark to the next
 * @returns {string[]}
 */
export function markTexts(marks, step) {
  const most = Math.max(...marks.map(Math.abs))
  // A mark far below one step is 0 with a rounding error.
  const exact = marks.map((mark) => (Math.abs(mark) < step / 1e6 ? 0 : mark))
  const plain = exact.map((mark) => withMinus(decimal(decimalsOf(step), 0).format(mark)))
  if (most >= SMALLEST && longest(plain) <= 9) return plain
  const digits = Math.min(DIGITS * 2, Math.max(0, Math.floor(Math.log10(most)) - Math.floor(Math.log10(step)) + 1))
  const powers = exact.map((mark) => (mark === 0 ? '0' : withMinus(shortPower(mark, digits))))
  return most < SMALLEST || longest(powers) < longest(plain) ? powers : plain
}

/** The number of decimals of a step, which is 1, 2, 2.5 or 5 times a power of ten. */
function decimalsOf(step) {
  return Math.min(ALL, Math.max(0, 1 - Math.floor(Math.log10(step))))
}

function shortPower(mark, digits) {
  return mark.toExponential(digits).replace(/\.?0*e\+?/, 'e')
}

function longest(texts) {
  return Math.max(...texts.map(({ length }) => length))
}

function isOutsideDecimals(value) {
  const size = Math.abs(value)
  return size >= LARGEST || (size > 0 && size < SMALLEST)
}

/** Replaces the minus by one as wide as a digit. A number that rounds to 0 has no minus. */
function withMinus(text) {
  return text.replace(/^-(?=.*[1-9])/, '−').replace(/^-/, '')
}

/**
 * Compares two values. Either may be an integer beyond the precision of a double, given as text.
 * @param {number | string} one
 * @param {number | string} other
 * @returns {boolean}
 */
export function isBelow(one, other) {
  if (typeof one === 'string' && typeof other === 'string') return BigInt(one) < BigInt(other)
  return Number(one) < Number(other)
}

/**
 * @param {number | string} one
 * @param {number | string} other
 * @returns {number | string}
 */
export function smaller(one, other) {
  return isBelow(other, one) ? other : one
}

/**
 * @param {number | string} one
 * @param {number | string} other
 * @returns {number | string}
 */
export function larger(one, other) {
  return isBelow(one, other) ? other : one
}
