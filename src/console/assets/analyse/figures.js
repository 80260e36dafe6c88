// Numbers as people read them, in the pages and in the pictures. A number that is not 0 is never shown as 0.

const formats = new Map()

/** Keeps each format, because making one costs more than using it a thousand times. */
function decimal(most, least) {
  const name = `${most} ${least}`
  const known = formats.get(name)
  if (known !== undefined) return known
  const made = new Intl.NumberFormat('en-US', { maximumFractionDigits: most, minimumFractionDigits: least })
  formats.set(name, made)
  return made
}

/** Below the first and from the second on, zeros would hide the digits that matter. */
const SMALLEST = 1e-4
const LARGEST = 1e21
/** More decimals than a double of `SMALLEST` has. */
const ALL = 25
/** Single precision is exact to these digits, and a mean to fewer. */
const DIGITS = 7
const MEAN_DIGITS = 5
const WHOLE = /^-?\d+$/

/**
 * Every digit of a value: a number, or the text of a whole number that no double holds.
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
 * A value or a figure among others: as many digits as the model says or, without a precision, 7 and all whole ones.
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
 * A mean is computed, and has few digits that mean something.
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
 * The marks of an axis: plain numbers, or powers of ten where these are shorter.
 * @param {readonly number[]} marks
 * @param {number} step from one mark to the next
 * @returns {string[]}
 */
export function markTexts(marks, step) {
  const most = Math.max(...marks.map(Math.abs))
  // A mark far below a step is a 0 with rounding errors.
  const exact = marks.map((mark) => (Math.abs(mark) < step / 1e6 ? 0 : mark))
  const plain = exact.map((mark) => withMinus(decimal(decimalsOf(step), 0).format(mark)))
  if (most >= SMALLEST && longest(plain) <= 9) return plain
  const digits = Math.min(DIGITS * 2, Math.max(0, Math.floor(Math.log10(most)) - Math.floor(Math.log10(step)) + 1))
  const powers = exact.map((mark) => (mark === 0 ? '0' : withMinus(shortPower(mark, digits))))
  return most < SMALLEST || longest(powers) < longest(plain) ? powers : plain
}

/** So many decimals has a step such as 0.25, which is 1, 2, 2.5 or 5 times a power of ten. */
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

/** A minus as wide as a digit. What rounds to 0 has none. */
function withMinus(text) {
  return text.replace(/^-(?=.*[1-9])/, '−').replace(/^-/, '')
}

/**
 * Whether one value is below another, also among whole numbers that no double holds, which are texts.
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
