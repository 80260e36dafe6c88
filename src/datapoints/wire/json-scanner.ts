import type { JsonLiteral } from './json-literal.ts'
import { readTimestamp, type TimestampLimits } from './timestamp.ts'

// The scanner reads values from the bytes of a body without making objects. It returns undefined for wrong and for
// unusual values, and then JSON.parse decides. All other values equal the result of JSON.parse.

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** The longest number that is read. No double needs more than about 770 digits. */
export const LONGEST_NUMBER = 1_000
const LONGEST_TEXT = 256
const WHOLE = /^-?\d+$/
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A whole number of so many digits is an exact double, as is this power of ten. So their quotient is rounded once. */
const EXACT_DIGITS = 15
const POWERS_OF_TEN = Float64Array.from({ length: EXACT_DIGITS + 1 }, (_, exponent) => Number(`1e${exponent}`))

/** The length of `2026-01-31T06:30:00.250Z`. Its first sixteen characters give the minute. */
const TIME_LENGTH = 24
const MINUTE_LENGTH = 16

export class JsonScanner {
  at = 0
  readonly #bytes: Buffer
  readonly #view: DataView
  readonly #limits: TimestampLimits
  /** The sixteen bytes of the last minute that was read, as two doubles, and the beginning of that minute. */
  #date = Number.NaN
  #clock = Number.NaN
  #minute = 0

  constructor(bytes: Uint8Array, limits: TimestampLimits) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#limits = limits
  }

  get isAtEnd(): boolean {
    return this.at === this.#bytes.length
  }

  /** Moves past a literal if it comes next. */
  skip(literal: JsonLiteral): boolean {
    if (!literal.isAt(this.#view, this.at)) return false
    this.at += literal.length
    return true
  }

  /** Moves past a short text if it comes next. */
  skipText(text: string): boolean {
    for (let index = 0; index < text.length; index++) {
      if (this.#bytes[this.at + index] !== text.charCodeAt(index)) return false
    }
    this.at += text.length
    return true
  }

  /** Returns the next bytes as text without checking them. */
  take(length: number): string {
    this.at += length
    return this.#bytes.toString('latin1', this.at - length, this.at)
  }

  /** Reads a number, a boolean, or an ASCII text without escapes. */
  readValue(): number | boolean | string | undefined {
    switch (this.#bytes[this.at]) {
      case QUOTE:
        return this.#readText()
      case 0x74:
        return this.skipText('true') ? true : undefined
      case 0x66:
        return this.skipText('false') ? false : undefined
      default:
        return this.#readNumber()
    }
  }

  #readText(): string | undefined {
    const start = this.at + 1
    for (let at = start; at <= start + LONGEST_TEXT; at++) {
      const byte = this.#bytes[at] ?? 0
      if (byte === QUOTE) {
        this.at = at + 1
        return this.#bytes.toString('latin1', start, at)
      }
      if (byte < 0x20 || byte > 0x7e || byte === BACKSLASH) return undefined
    }
    return undefined
  }

  #readNumber(): number | undefined {
    const start = this.at
    const first = this.#bytes[start] === 0x2d ? start + 1 : start
    let [digits, point, at] = [0, -1, first]
    for (; ; at++) {
      const byte = this.#bytes[at] ?? 0
      if (isDigit(byte)) digits = digits * 10 + byte - 0x30
      else if (byte === 0x2e && point === -1) point = at
      else break
    }
    const decimals = point === -1 ? 0 : at - point - 1
    const wholes = point === -1 ? at - first : point - first
    const hasRest = ((this.#bytes[at] ?? 0) | 0x20) === 0x65
    const isShort = wholes > 0 && wholes + decimals <= EXACT_DIGITS && (point === -1 || decimals > 0) && !hasRest
    if (!isShort || (wholes > 1 && this.#bytes[first] === 0x30)) return this.#readOtherNumber(start)
    this.at = at
    const value = digits / (POWERS_OF_TEN[decimals] ?? 1)
    return first === start ? value : -value
  }

  #readOtherNumber(start: number): number | undefined {
    let at = start
    while (isOfNumber(this.#bytes[at] ?? 0)) at++
    this.at = at
    if (at - start > LONGEST_NUMBER) return undefined
    const text = this.#bytes.toString('latin1', start, at)
    if (!NUMBER.test(text)) return undefined
    const value = Number(text)
    // A whole number that a double may not hold exactly must become a bigint, as in `decodeJson`.
    return Number.isSafeInteger(value) || !WHOLE.test(text) ? value : undefined
  }

  /** Reads a time as microseconds since 1970. Most times are in the same minute as the previous one. */
  readTime(): number | undefined {
    const start = this.at + 1
    const rest = this.#bytes[this.at] === QUOTE ? this.#readSeconds(start + MINUTE_LENGTH) : -1
    if (rest !== -1) return this.#readMinute(start, rest)
    const value = this.readValue()
    return typeof value === 'boolean' || value === undefined ? undefined : this.#accept(value)
  }

  /** Reads the microseconds of `:00.250Z"`; -1 if the bytes have another form. */
  #readSeconds(at: number): number {
    const bytes = this.#bytes
    const isThere = bytes[at] === 0x3a && bytes[at + 3] === 0x2e && bytes[at + 7] === 0x5a && bytes[at + 8] === QUOTE
    if (!isThere) return -1
    const seconds = this.#digit(at + 1) * 10 + this.#digit(at + 2)
    const milliseconds = this.#digit(at + 4) * 100 + this.#digit(at + 5) * 10 + this.#digit(at + 6)
    return seconds < 60 && milliseconds < 1_000 ? seconds * 1_000_000 + milliseconds * 1_000 : -1
  }

  /** Returns the value of a digit; for other bytes, a number that is far too large. */
  #digit(at: number): number {
    const byte = this.#bytes[at] ?? 0
    return isDigit(byte) ? byte - 0x30 : 10_000
  }

  #readMinute(start: number, rest: number): number | undefined {
    const date = this.#view.getFloat64(start, true)
    const clock = this.#view.getFloat64(start + 8, true)
    this.at = start + TIME_LENGTH + 1
    if (date !== this.#date || clock !== this.#clock) {
      const at = this.#accept(this.#bytes.toString('latin1', start, start + TIME_LENGTH))
      if (at === undefined) return undefined
      this.#date = date
      this.#clock = clock
      this.#minute = at - rest
    }
    const at = this.#minute + rest
    return at >= this.#limits.earliest && at <= this.#limits.latest ? at : undefined
  }

  #accept(value: string | number): number | undefined {
    const at = readTimestamp(value, this.#limits)
    return typeof at === 'number' ? at : undefined
  }
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

/** Tells whether a byte is a digit, `+`, `-`, `.`, `e` or `E`. */
function isOfNumber(byte: number): boolean {
  return isDigit(byte) || byte === 0x2b || byte === 0x2d || byte === 0x2e || (byte | 0x20) === 0x65
}
