import { isAscii } from 'node:buffer'
import { HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import { scanJson } from '../../lib/scan-json.ts'
import { UUID_FIELDS } from './element.ts'
import { LONGEST_NUMBER } from './json-scanner.ts'
import { hasLongDigits } from './long-digits.ts'
import { knownKeys, MessagePackError, MessagePackReader, MOST_LEVELS } from './message-pack.ts'

// The bodies of a batch, both as the same plain elements. `what` is what they are, for messages.

const KEYS = knownKeys([...UUID_FIELDS, 'value', 'timestamp'])
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** How much may be in a batch. It is looked at before anything is made of a body, and while it is read. */
export interface BatchLimits {
  readonly elements: number
  /** Those inside of JSON values included. */
  readonly values: number
}

const UNLIMITED: BatchLimits = { elements: Infinity, values: Infinity }

/** Of two members of one name the last one counts, as everywhere in JavaScript. */
export function decodeJson(bytes: Uint8Array, what = 'datapoints', limits = UNLIMITED): unknown[] {
  checkJson(bytes, what, limits)
  return parseJson(bytes, what)
}

/** The first half of it: refuses what is beyond the limits, before anything is made of it. */
export function checkJson(bytes: Uint8Array, what: string, limits: BatchLimits): void {
  const broken = scanJson(bytes, { ...limits, levels: MOST_LEVELS }, (start, end) => {
    if (end - start > LONGEST_NUMBER) throw malformed(`a number in the body has more than ${LONGEST_NUMBER} characters`)
  })
  if (broken === 'levels') throw malformed(`the body is nested more than ${MOST_LEVELS} levels deep`)
  if (broken !== null) throw tooMany(what, broken, limits)
}

/** The second half. */
export function parseJson(bytes: Uint8Array, what: string): unknown[] {
  return expectList(parseText(decodeText(bytes), what), what)
}

export function tooMany(what: string, limit: keyof BatchLimits, limits: BatchLimits): HoldfastError {
  const most = limits[limit].toLocaleString('en-US')
  const message = {
    elements: `a batch of ${what} may have at most ${most}; this one has more`,
    values: `a batch of ${what} may have at most ${most} values in all, those inside of lists and objects included; send fewer at once`,
  }
  return new HoldfastError('LIMIT_EXCEEDED', message[limit])
}

function decodeText(bytes: Uint8Array): string {
  // What devices send is ASCII but for some texts, and takes a tenth of the time.
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  try {
    return utf8.decode(bytes)
  } catch {
    throw malformed('the body is not UTF-8, which JSON is written in')
  }
}

function parseText(text: string, what: string): unknown {
  if (text === '') throw malformed(`the body is empty; send a JSON array of ${what}`)
  try {
    return parseExactly(text)
  } catch (error) {
    throw malformed(`the body is not valid JSON${whereText(error)}`)
  }
}

const WHOLE = /^-?\d+$/

/** As JSON.parse does it, but for whole numbers beyond 2^53, of which a double may not hold all digits: those are bigints. */
function parseExactly(text: string): unknown {
  return hasLongDigits(text) ? (JSON.parse(text, exactNumber as Reviver) as unknown) : (JSON.parse(text) as unknown)
}

type Reviver = (key: string, value: unknown) => unknown

/** The text that a value was read from is given to it (ECMAScript, JSON.parse source text access). */
function exactNumber(_: string, value: unknown, { source = '' }: { readonly source?: string }): unknown {
  // What is too large for a double is too large for everything: no bigint is made of a thousand digits.
  const isWide = typeof value === 'number' && Number.isFinite(value) && !Number.isSafeInteger(value)
  return isWide && WHOLE.test(source) ? BigInt(source) : value
}

/** The engine's own message would quote the body. */
function whereText(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  const position = / at position (\d+)/.exec(message)?.[1]
  if (position !== undefined) return `: there is a mistake at character ${Number(position) + 1}`
  if (/end of JSON|Unterminated/.test(message)) return ': it ends too early; was it cut off?'
  const token = /^Unexpected token '([!-~])'/.exec(message)?.[1]
  return token === undefined ? '' : `: a ${token} stands where none may be`
}

/** UUIDs may be bin of 16 bytes; they are text here. Other bin stays bytes, timestamps are `WireTime`. */
export function decodeMessagePack(bytes: Uint8Array, what = 'datapoints', limits = UNLIMITED): unknown[] {
  if (bytes.length === 0) throw malformed(`the body is empty; send a MessagePack array of ${what}`)
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
    if (!(error instanceof MessagePackError)) throw error
    if (reader.hasTooMany) throw tooMany(what, 'values', limits)
    throw malformed(`the body is not valid MessagePack, at byte ${reader.at + 1}: ${error.message}`)
  }
}

function nameUuids(element: { [field: string]: unknown }): void {
  for (const field of UUID_FIELDS) {
    const value = element[field]
    if (value instanceof Uint8Array && value.length === 16) element[field] = uuidText(value)
  }
}

/** Of 16 bytes. */
export function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, 16).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

function expectList(value: unknown, what: string): unknown[] {
  if (Array.isArray(value)) return value as unknown[]
  throw malformed(`the body must be an array of ${what}, also for one`)
}

function malformed(message: string): HoldfastError {
  return new HoldfastError('BAD_USER_INPUT', message)
}
