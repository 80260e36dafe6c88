import { escapeUnseen } from '../../../lib/visible-text.ts'

/** In bytes of UTF-8, of which there are never fewer than characters of any kind of counting. */
export function sizeOf(markdown: string): number {
  return ENCODER.encode(markdown).length
}

const ENCODER = new TextEncoder()

// Text from outside stands in code only: there GitHub sees no HTML, mention, issue number, link or image.

/** A code span, whatever the text holds (CommonMark 0.31, section 6.1). */
export function codeSpan(text: string): string {
  const visible = escapeUnseen(text)
  const ticks = '`'.repeat(longestRun(visible) + 1)
  const needsPadding = visible === '' || /^`|`$|^ .* $/.test(visible)
  return needsPadding ? `${ticks} ${visible} ${ticks}` : `${ticks}${visible}${ticks}`
}

/** A fenced code block that nothing inside can close (CommonMark 0.31, section 4.5). */
export function fence(language: string, lines: readonly string[], indent = ''): string[] {
  // Not Math.max of all at once: of 100,000 deletes there are too many arguments.
  const longest = lines.reduce((longest, line) => Math.max(longest, longestRun(line)), 2)
  const ticks = '`'.repeat(longest + 1)
  return [`${ticks}${language}`, ...lines, ticks].map((line) => `${indent}${line}`)
}

/** A link around a code span; only the span where the address is none that a browser should open. */
export function codeLink(text: string, address: string | undefined): string {
  if (address === undefined || !/^https?:\/\//.test(address)) return codeSpan(text)
  const safe = address.replace(/[^\w\-.~:/?#@!$&'+,;=%]/gu, percentEncoded)
  return `[${codeSpan(text)}](${safe})`
}

/** `encodeURIComponent` leaves brackets alone, and an unpaired one would end the link. */
function percentEncoded(character: string): string {
  const encoded = encodeURIComponent(character.toWellFormed())
  return encoded === character ? `%${character.charCodeAt(0).toString(16).toUpperCase()}` : encoded
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)
}

/** A quotation; each note is a paragraph of its own. */
export function quoted(notes: readonly string[]): string[] {
  return notes.flatMap((note, index) => (index === 0 ? [`> ${note}`] : ['>', `> ${note}`]))
}
