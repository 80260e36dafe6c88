/** The text without this character at its end. A regular expression such as `0+$` takes quadratic time for many of them. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end--
  return text.slice(0, end)
}
