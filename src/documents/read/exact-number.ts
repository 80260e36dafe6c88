// Numbers travel as IEEE 754 doubles and are written back as their shortest decimal. A literal that would come back as
// another number makes a difference that no apply can remove, so it is refused.

/** Any literal this short, without an exponent, is exact: 15 significant digits survive the way through a double. */
const SURELY_EXACT = 15

/** Whether a decimal literal of JSON or YAML survives being read as a number and written again. */
export function isExact(literal: string): boolean {
  if (literal.length <= SURELY_EXACT && !/[eE]/.test(literal)) return true
  const value = Number(literal)
  if (!Number.isFinite(value)) return false
  return normalized(literal) === normalized(String(value))
}

/** One text for one decimal number: its significant digits and the power of ten of the last one. */
function normalized(decimal: string): string {
  const [mantissa = '', exponent = '0'] = decimal.toLowerCase().replace(/^[-+]/, '').split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = withoutLastZeros(digits)
  if (significant === '') return '0'
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`
}

/** No pattern: one that is tried at each of a million zeros looks at all that follow each time. */
function withoutLastZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}
