import { inspect } from 'node:util'

// A canary is a secret made for a test, in a text that occurs nowhere else. Tests put it in as a secret, and then
// search everything that comes out: for the text itself, for its usual encodings, and for parts of it.

/** Characters of a secret that count as a leak. Shorter parts also occur by chance. */
const PART = 12

export interface Canary {
  /** The subject of the secret, for messages of a test. */
  readonly name: string
  readonly text: string
}

/**
 * Makes a canary of random texts. Between them are characters that JSON, URLs and shells escape, and one non-ASCII
 * character of two bytes.
 */
export function makeCanary(name: string, { ascii = false } = {}): Canary {
  const special = ['"', '\\', '/', '&', '=', ascii ? '?' : 'é']
  return { name, text: special.map((character) => randomText() + character).join('') + randomText() }
}

function randomText(): string {
  return crypto.randomUUID().slice(0, 8)
}

const ENCODINGS: { readonly [name: string]: (text: string) => readonly string[] } = {
  plain: (text) => [text],
  URL: (text) => [encodeURIComponent(text), new URLSearchParams({ _: text }).toString().slice(2), encodeURI(text)],
  JSON: (text) => [jsonEscape(text), jsonEscape(jsonEscape(text)), asciiEscape(jsonEscape(text))],
  hex: (text) => [Buffer.from(text).toString('hex'), Buffer.from(text).toString('hex').toUpperCase()],
  base64: (text) => base64Of(text, 'base64'),
  base64url: (text) => base64Of(text, 'base64url'),
}

function jsonEscape(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function asciiEscape(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Encodings in base64 at the three possible offsets inside a longer text (`client:secret` in a Basic header). */
function base64Of(text: string, encoding: 'base64' | 'base64url'): readonly string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.from('\0'.repeat(offset) + text)
      .toString(encoding)
      .replace(/=+$/, '')
    // The characters at both ends also depend on the text around them.
    return encoded.slice(offset === 0 ? 0 : offset + 1, -1)
  })
}

/** Looks for canaries in any number of texts. */
export class CanaryDetector {
  /** The canary and the encoding of each part. */
  readonly #parts = new Map<string, string>()

  constructor(canaries: readonly Canary[]) {
    for (const { name, text } of canaries) {
      for (const [encoding, encode] of Object.entries(ENCODINGS)) {
        for (const encoded of encode(text)) this.#addParts(encoded, `${name} (${encoding})`)
      }
    }
  }

  #addParts(text: string, what: string): void {
    for (let start = 0; start + PART <= text.length; start += 1) {
      const part = text.slice(start, start + PART)
      if (!this.#parts.has(part)) this.#parts.set(part, what)
    }
  }

  /** Names the canaries in a text and their places; empty if there are none. */
  findIn(text: string): string[] {
    const found = new Set<string>()
    for (let start = 0; start + PART <= text.length; start += 1) {
      const what = this.#parts.get(text.slice(start, start + PART))
      if (what !== undefined) found.add(what)
    }
    return [...found]
  }

  /** The same for any value: searches everything that a program could print, log or serialise of it. */
  findInValue(value: unknown): string[] {
    return this.findIn(everythingOf(value))
  }
}

/** The text of a value: an error with its stack, cause and details; an object with all nested members. */
function everythingOf(value: unknown): string {
  const options = { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity, breakLength: Infinity }
  const shown = inspect(value, { ...options, showHidden: true })
  return `${String(value)}\n${shown}\n${JSON.stringify(value) ?? ''}`
}
