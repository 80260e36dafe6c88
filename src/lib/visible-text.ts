/**
 * Characters that are invisible, reorder the text around them, or control a terminal: control and format characters
 * (bidirectional marks, zero-width joiners), blanks other than the space, and halves of surrogate pairs.
 */
const UNSEEN =
  /(?!\uFE0F)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}|(?<!\p{Extended_Pictographic})\uFE0F/gu

const SHORT_ESCAPES: { readonly [character: string]: string } = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Writes such characters as escapes. The result is one line without terminal control or hidden reordering. */
export function escapeUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => SHORT_ESCAPES[character] ?? codeUnits(character))
}

export function hasUnseen(text: string): boolean {
  return text.search(UNSEEN) !== -1
}

/** Puts a text in double quotes. The result is valid as a JSON string and as a double-quoted YAML scalar. */
export function quoteText(text: string): string {
  return escapeUnseen(JSON.stringify(text))
}

/** Matches text that a reader could mistake for another value, a quotation, or a remark or separator of Holdfast. */
const MISLEADING = /^$|^ | $| {2}|^["'([{…]|[→·]|^(?:true|false|null|~|[-+]?\.?\d[\d_.]*(?:e[-+]?\d+)?)$/i

/** Returns the text itself if it cannot be mistaken for anything else, and otherwise the text in quotes. */
export function plainText(text: string): string {
  if (text !== text.normalize()) return escapeApart(quoteText(text))
  return MISLEADING.test(text) || hasUnseen(text) ? quoteText(text) : text
}

/** A mark, or a part of a Korean syllable, that a composed text would have in one character with the letter before. */
const APART = /^[\p{M}\u1160-\u11FF]$/u

/** Writes escapes in a text that is not composed (NFC), because it looks like another text. */
export function escapeApart(text: string): string {
  if (text === text.normalize()) return text
  return [...text].map((one) => (APART.test(one) || one !== one.normalize() ? codeUnits(one) : one)).join('')
}

function codeUnits(character: string): string {
  let escaped = ''
  for (let index = 0; index < character.length; index += 1) {
    escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`
  }
  return escaped
}
