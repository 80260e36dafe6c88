const ASCII = /^[\x20-\x7e]*$/
/**
 * Characters that take two columns in a terminal: East Asian scripts, full-width forms, emoji. This approximates
 * Unicode's UAX 11. Half-width forms take one, and so does each half of a flag.
 */
const WIDE =
  /(?![\uff61-\uffdc\p{Regional_Indicator}])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u
const COMBINING = /[\p{Mn}\p{Me}]/u

/** The number of terminal columns of a text without control characters. */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length
  let width = 0
  for (const character of text) width += COMBINING.test(character) ? 0 : WIDE.test(character) ? 2 : 1
  return width
}

export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}
