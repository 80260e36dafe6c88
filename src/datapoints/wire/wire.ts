import { isAscii } from 'node:buffer'
import { badInput, HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import { findRepeatedKey } from '../../lib/repeated-keys.ts'
import { scanJson } from '../../lib/scan-json.ts'
import { UUID_FIELDS } from './element.ts'
import { LONGEST_NUMBER } from './json-scanner.ts'
import { knownKeys, MessagePackError, MessagePackReader, MOST_LEVELS, RepeatedKeyError } from './message-pack.ts'

// Both formats of a batch are decoded to the same plain elements. In messages, `what` is the name of the elements.

const KEYS = knownKeys([...UUID_FIELDS, 'value', 'timestamp'])
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The limits of a batch. They are checked before a JSON body is parsed, and while a MessagePack body is read. */
export interface BatchLimits {
  readonly elements: number
  /** The maximum number of values in total, including those inside JSON values. */
  readonly values: number
}

const UNLIMITED: BatchLimits = { elements: Infinity, values: Infinity }

/** Decodes a JSON body in the three steps below. */
export function decodeJson(bytes: Uint8Array, what = 'datapoints', limits = UNLIMITED): unknown[] {
  checkJson(bytes, what, limits)
  const elements = parseJson(bytes, what)
  checkKeys(bytes, elements)
  return elements
}

/** The first step of `decodeJson`: rejects a body beyond the limits before any object is created. */
export function checkJson(bytes: Uint8Array, what: string, limits: BatchLimits): void {
  const { broken } = scanJson(bytes, { ...limits, levels: MOST_LEVELS, numberLength: LONGEST_NUMBER })
  if (broken === 'numberLength') throw badInput(`a number in the body has more than ${LONGEST_NUMBER} characters`)
  if (broken === 'levels') throw badInput(`the body is nested more than ${MOST_LEVELS} levels deep`)
  if (broken !== null) throw tooMany(what, broken, limits)
}

/** The second step of `decodeJson`: parses the body. */
export function parseJson(bytes: Uint8Array, what: string): unknown[] {
  return expectList(parseText(bytes, what), what)
}

/** The last step of `decodeJson`: rejects an object that has a key twice. */
export function checkKeys(bytes: Uint8Array, elements: readonly unknown[]): void {
  const repeated = findRepeatedKey(bytes, elements)
  if (repeated === null) return
  const key = JSON.stringify(repeated.key.slice(0, 60))
  throw badInput(`the element /${repeated.element} of the body has ${key} twice; remove one`)
}

function tooMany(what: string, limit: keyof BatchLimits, limits: BatchLimits): HoldfastError {
  const most = limits[limit].toLocaleString('en-US')
  const message = {
    elements: `a batch of ${what} may have at most ${most}; this one has more`,
    values: `a batch of ${what} may have at most ${most} values in all, those inside of lists and objects included; send fewer at once`,
  }
  return new HoldfastError('LIMIT_EXCEEDED', message[limit])
}

function decodeText(bytes: Uint8Array): string {
  // Bodies from devices are usually ASCII, and ASCII takes a tenth of the time to decode.
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  try {
    return utf8.decode(bytes)
  } catch {
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
    throw badInput(
      `the body is not UTF-8, the encoding of JSON${isGzip ? '; it looks like gzip: send the header Content-Encoding: gzip' : ''}`,
    )
  }
}

function parseText(bytes: Uint8Array, what: string): unknown {
  const text = decodeText(bytes)
  if (text === '') throw badInput(`the body is empty; send a JSON array of ${what}`)
  try {
    return parseExactly(text, bytes)
  } catch (error) {
    throw badInput(`the body is not valid JSON${whereText(error, text)}`)
  }
}

const WHOLE = /^-?\d+$/

/**
 * Parses like JSON.parse, except that whole numbers beyond 2^53 become bigints, because a double may not hold all
 * their digits. That takes up to twelve times as long, so it is left out where only strings have many digits.
 */
function parseExactly(text: string, bytes: Uint8Array): unknown {
  return hasLongDigits(text) && hasWideNumber(bytes) ? JSON.parse(text, exactNumber) : JSON.parse(text)
}

function hasWideNumber(bytes: Uint8Array): boolean {
  let isFound = false
  scanJson(bytes, { levels: MOST_LEVELS }, (start, end) => {
    isFound ||= end - start >= MANY && WHOLE.test(Buffer.from(bytes.subarray(start, end)).toString('latin1'))
  })
  return isFound
}

/** A reviver for JSON.parse. It gets the source text of a value (ECMAScript, JSON.parse source text access). */
function exactNumber(_: string, value: unknown, { source = '' }: { readonly source?: string } = {}): unknown {
  // A number that is too large for a double is always rejected later, so no bigint is made of a thousand digits.
  const isWide = typeof value === 'number' && Number.isFinite(value) && !Number.isSafeInteger(value)
  return isWide && WHOLE.test(source) ? BigInt(source) : value
}

/** Locates the mistake without the engine's own message, which would quote the body. */
function whereText(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : ''
  const position = / at position (\d+)/.exec(message)?.[1]
  if (position !== undefined) return `: there is a mistake at character ${Number(position) + 1}`
  if (/end of JSON|Unterminated/.test(message)) return ': it ends too early; was it cut off?'
  const word = findStrangeWord(text)
  if (word !== null) return `: ${word.text} at character ${word.at + 1} is not a JSON word`
  const token = /^Unexpected token '([!-~])'/.exec(message)?.[1]
  return token === undefined ? '' : `: unexpected ${token}`
}

const STRANGE_WORD = /(?<![\w.+-])-?(?!(?:true|false|null)\b)[A-Za-z]\w{0,30}/
const MOST_SEARCHED = 1_048_576

/** Finds the first word that is not JSON, such as NaN; null if there is none near the beginning. */
function findStrangeWord(text: string): { readonly text: string; readonly at: number } | null {
  const found = STRANGE_WORD.exec(blankStrings(text.slice(0, MOST_SEARCHED)))
  return found === null ? null : { text: found[0], at: found.index }
}

/** Replaces strings by blanks. A regular expression would be slow on a string that does not end. */
function blankStrings(text: string): string {
  let bare = ''
  let from = 0
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', from)) {
    let end = at + 1
    while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
    bare += text.slice(from, at) + ' '.repeat(end + 1 - at)
    from = end + 1
  }
  return bare + text.slice(from)
}

/** Decodes a MessagePack body. UUIDs of 16 bytes (bin) become text, other bin stays, timestamps become `WireTime`. */
export function decodeMessagePack(bytes: Uint8Array, what = 'datapoints', limits = UNLIMITED): unknown[] {
  if (bytes.length === 0) throw badInput(`the body is empty; send a MessagePack array of ${what}`)
  const elements = expectList(readMessagePack(bytes, what, limits), what)
  if (elements.length > limits.elements) throw tooMany(what, 'elements', limits)
  for (const element of elements) if (isObject(element)) nameUuids(element)
  return elements
}

function readMessagePack(bytes: Uint8Array, what: string, limits: BatchLimits): unknown {
  const reader = new MessagePackReader(bytes, KEYS, limits.values)
  try {
    const value = reader.read()
    if (!reader.isAtEnd) throw new MessagePackError('something follows its first value')
    return value
  } catch (error) {
    if (error instanceof RepeatedKeyError) throw badInput(error.message)
    if (!(error instanceof MessagePackError)) throw error
    if (reader.hasTooMany) throw tooMany(what, 'values', limits)
    throw badInput(`the body is not valid MessagePack, at byte ${reader.at + 1}: ${error.message}`)
  }
}

function nameUuids(element: { [field: string]: unknown }): void {
  for (const field of UUID_FIELDS) {
    const value = element[field]
    if (value instanceof Uint8Array && value.length === 16) element[field] = uuidText(value)
  }
}

/** Converts the 16 bytes of a UUID to text. */
export function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, 16).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

function expectList(value: unknown, what: string): unknown[] {
  if (Array.isArray(value)) return value as unknown[]
  throw badInput(`the body must be an array of ${what}, also for one`)
}

/** A whole number of this many digits may be beyond 2^53. */
const MANY = 16
const POINT = 0x2e

/**
 * Tells whether the text has MANY digits in a row. Digits after a decimal point do not count, because they are rounded
 * anyway. It looks only at every sixteenth character, which takes an eighth of the time of a regular expression.
 */
export function hasLongDigits(text: string): boolean {
  let end = -1
  for (let at = MANY - 1; at < text.length; at = Math.max(at, end) + MANY) {
    if (!isDigit(text, at)) continue
    let start = at
    while (isDigit(text, start - 1)) start--
    // Moving past the row ensures that each row is read only once.
    end = at + 1
    while (isDigit(text, end)) end++
    if (end - start >= MANY && text.charCodeAt(start - 1) !== POINT) return true
  }
  return false
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0x30 && code <= 0x39
}
