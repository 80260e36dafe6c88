// Numbers are processed as IEEE 754 doubles and written back as their shortest decimal. If a literal came back as
// another number, no apply could remove the difference. So such literals are rejected.

/** A literal of at most this length without an exponent is exact, because doubles keep 15 significant digits. */
const SURELY_EXACT = 15

/** Tells whether a decimal literal of JSON or YAML keeps its value when it is read as a double and written again. */
export function isExact(literal: string): boolean {
  if (literal.length <= SURELY_EXACT && !/[eE]/.test(literal)) return true
  const value = Number(literal)
  if (!Number.isFinite(value)) return false
  return normalized(literal) === normalized(String(value))
}

/** Returns the normal form of a decimal number: its significant digits, and the power of ten of the last digit. */
function normalized(decimal: string): string {
  const [mantissa = '', exponent = '0'] = decimal.toLowerCase().replace(/^[-+]/, '').split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = withoutLastZeros(digits)
  if (significant === '') return '0'
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`
}

/** Removes trailing zeros in a loop, because a pattern would need quadratic time for a million zeros. */
function withoutLastZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}
