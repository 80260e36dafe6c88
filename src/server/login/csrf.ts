import { randomBytes } from 'node:crypto'
import { html, type Html } from '../html.ts'
import { isSame } from './binding.ts'

/**
 * The hidden field of a form with its CSRF token. Each field has the token under another random mask, because pages are
 * compressed: the length of many such pages could reveal a text that is the same in all of them (BREACH).
 */
export function csrfField(token: string): Html {
  return html`<input type="hidden" name="csrf" value="${masked(token)}" />`
}

/** Returns a random mask, followed by the token under this mask. */
export function masked(token: string): string {
  const bytes = Buffer.from(token, 'base64url')
  const mask = randomBytes(bytes.length)
  return Buffer.concat([mask, xor(mask, bytes)]).toString('base64url')
}

/** Tells whether a form carries the token under a mask. */
export function isCsrf(given: string | undefined, token: string): boolean {
  const sent = Buffer.from(given ?? '', 'base64url')
  const [mask, bytes] = [sent.subarray(0, sent.length / 2), sent.subarray(sent.length / 2)]
  return isSame(xor(mask, bytes).toString('base64url'), token)
}

function xor(mask: Uint8Array, bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.map((byte, index) => byte ^ (mask[index] ?? 0)))
}
