/** A whole number of so many digits may be beyond 2^53. */
const MANY = 16
const POINT = 0x2e

/**
 * Whether so many digits stand in a row somewhere, other than behind a point, where they are rounded anyway. Only every
 * sixteenth character is looked at, which takes an eighth of what a regular expression does.
 */
export function hasLongDigits(text: string): boolean {
  let end = -1
  for (let at = MANY - 1; at < text.length; at = Math.max(at, end) + MANY) {
    if (!isDigit(text, at)) continue
    let start = at
    while (isDigit(text, start - 1)) start--
    // A row is gone through once, however long it is.
    end = at + 1
    while (isDigit(text, end)) end++
    if (end - start >= MANY && text.charCodeAt(start - 1) !== POINT) return true
  }
  return false
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0x30 && code <= 0x39
}
