/** Says where a text that a parser could not read to its end has opened a quote or bracket and not closed it. */
export function openingOf(text: string, what: keyof typeof FIND): number {
  return FIND[what](text)
}

const FIND = { double: openDoubleQuote, single: openSingleQuote, flow: openBracket } as const

/** All behind an open quote belongs to it, so it is the last one that is not escaped. */
function openDoubleQuote(text: string): number {
  let at = text.lastIndexOf('"')
  while (at > 0 && isEscaped(text, at)) at = text.lastIndexOf('"', at - 1)
  return at
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

/** Behind an open quote, quotes come in pairs, which stand for one each. */
function openSingleQuote(text: string): number {
  let opening = -1
  for (const { 0: quotes, index } of text.matchAll(/'+/g)) if (quotes.length % 2 === 1) opening = index
  return opening
}

/** Brackets in quotes and comments are counted like the others, because most of them are balanced. */
function openBracket(text: string): number {
  let closed = 0
  for (let at = text.length - 1; at >= 0; at--) {
    const character = text[at] ?? ''
    if (']}'.includes(character)) closed++
    else if ('[{'.includes(character) && closed-- === 0) return at
  }
  return -1
}
