import { escapeApart, escapeUnseen } from '../../../lib/visible-text.ts'

/** The size in bytes of UTF-8, which is never smaller than any count of characters. */
export function sizeOf(markdown: string): number {
  return ENCODER.encode(markdown).length
}

const ENCODER = new TextEncoder()

// Text from outside is only shown as code, where GitHub finds no HTML, mention, issue number, link or image.

/** Makes a code span that is safe for any text (CommonMark 0.31, section 6.1). */
export function codeSpan(text: string): string {
  const visible = escapeApart(escapeUnseen(text))
  const ticks = '`'.repeat(longestRun(visible) + 1)
  const needsPadding = visible === '' || /^`|`$/.test(visible) || (visible.startsWith(' ') && visible.endsWith(' '))
  return needsPadding ? `${ticks} ${visible} ${ticks}` : `${ticks}${visible}${ticks}`
}

/** Makes a fenced code block that no line inside can close (CommonMark 0.31, section 4.5). */
export function fence(language: string, lines: readonly string[], indent = ''): string[] {
  // A spread into Math.max would have too many arguments for 100,000 deletes.
  const longest = lines.reduce((longest, line) => Math.max(longest, longestRun(line)), 2)
  const ticks = '`'.repeat(longest + 1)
  return [`${ticks}${language}`, ...lines, ticks].map((line) => `${indent}${line}`)
}

/** Makes a link around a code span. If a browser cannot open the address, there is only the span. */
export function codeLink(text: string, address: string | undefined): string {
  if (address === undefined || !/^https?:\/\//.test(address)) return codeSpan(text)
  const safe = address.replace(/[^\w\-.~:/?#@!$&'+,;=%]/gu, percentEncoded)
  return `[${codeSpan(text)}](${safe})`
}

/** Encodes brackets too, which `encodeURIComponent` leaves alone, because an unpaired bracket would end the link. */
function percentEncoded(character: string): string {
  const encoded = encodeURIComponent(character.toWellFormed())
  return encoded === character ? `%${character.charCodeAt(0).toString(16).toUpperCase()}` : encoded
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)
}

/** Makes a quotation in which each note is a paragraph. */
export function quoted(notes: readonly string[]): string[] {
  return notes.flatMap((note, index) => (index === 0 ? [`> ${note}`] : ['>', `> ${note}`]))
}
