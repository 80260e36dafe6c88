import { hash } from 'node:crypto'

/** Makes the same UUID for the same words (version 8, RFC 9562), so that making a thing twice gives one thing. */
export function stableUuid(...words: readonly string[]): string {
  const digits = hash('sha256', words.join('\n'), 'hex')
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 3) | 8).toString(16)
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')
}
