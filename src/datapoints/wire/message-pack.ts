import { isUtf8 } from 'node:buffer'
import { WireTime } from '../../records/values/wire-time.ts'

// This decoder is as strict as JSON.parse: text must be UTF-8, lengths are checked before memory is allocated, and the
// depth is limited. @msgpack/msgpack does none of this, so a few bytes could take gigabytes.

/** The reason why bytes are not MessagePack. */
export class MessagePackError extends Error {
  override readonly name = 'MessagePackError'
}

/** A map has a key twice. MessagePack does not define which value counts, so readers differ. */
export class RepeatedKeyError extends Error {
  override readonly name = 'RepeatedKeyError'
}

export const MOST_LEVELS = 100

const LONGEST_SHORT_TEXT = 64
const TIMESTAMP = -1
const MOST_NANOSECONDS = 999_999_999

/** Frequent keys, each at the index of its length. Reused, because making strings is most of decoding. */
type KnownKeys = readonly (KnownKey | undefined)[]

interface KnownKey {
  readonly text: string
  /** The bytes of the key in the body, with its length before it. */
  readonly bytes: Uint8Array
}

/** Prepares short ASCII keys. No two may have the same length. */
export function knownKeys(texts: readonly string[]): KnownKeys {
  const keys: (KnownKey | undefined)[] = Array.from({ length: 32 }, () => undefined)
  for (const text of texts) keys[text.length] = { text, bytes: Buffer.from([0xa0 + text.length, ...Buffer.from(text)]) }
  return keys
}

/** Reads one value after the other. Whole numbers become numbers if that is exact, and otherwise bigints. */
export class MessagePackReader {
  at = 0
  readonly #bytes: Buffer
  readonly #view: DataView
  readonly #keys: KnownKeys
  /** The number of values that may still follow. */
  #left: number

  constructor(bytes: Uint8Array, keys: KnownKeys = [], mostValues = Infinity) {
    this.#keys = keys
    this.#left = mostValues
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get isAtEnd(): boolean {
    return this.at === this.#bytes.length
  }

  /** Tells whether reading stopped because there were too many values. */
  get hasTooMany(): boolean {
    return this.#left < 0
  }

  read(level = 0): unknown {
    this.#left -= 1
    if (this.#left < 0) throw new MessagePackError('it has too many values')
    const head = this.#bytes[this.#skip(1)] ?? 0
    if (head < 0x80) return head
    if (head >= 0xe0) return head - 0x100
    if (head >= 0xa0 && head < 0xc0) return this.#text(head - 0xa0)
    if (head < 0x90) return this.#map(head - 0x80, level + 1)
    if (head < 0xa0) return this.#list(head - 0x90, level + 1)
    return this.#readByHead(head, level)
  }

  #readByHead(head: number, level: number): unknown {
    switch (head) {
      case 0xc0:
        return null
      case 0xc2:
        return false
      case 0xc3:
        return true
      case 0xca:
        return shortestOf(this.#view.getFloat32(this.#skip(4)))
      case 0xcb:
        return this.#view.getFloat64(this.#skip(8))
      case 0xcf:
        return narrowed(this.#view.getBigUint64(this.#skip(8)))
      case 0xd0:
        return this.#view.getInt8(this.#skip(1))
      case 0xd1:
        return this.#view.getInt16(this.#skip(2))
      case 0xd2:
        return this.#view.getInt32(this.#skip(4))
      case 0xd3:
        return narrowed(this.#view.getBigInt64(this.#skip(8)))
      default:
        return this.#readSized(head, level)
    }
  }

  #readSized(head: number, level: number): unknown {
    if (head >= 0xcc && head <= 0xce) return this.#size(head - 0xcc)
    if (head >= 0xd9 && head <= 0xdb) return this.#text(this.#size(head - 0xd9))
    if (head >= 0xc4 && head <= 0xc6) return this.#binary(this.#size(head - 0xc4))
    if (head >= 0xc7 && head <= 0xc9) return this.#extension(this.#size(head - 0xc7))
    if (head >= 0xd4 && head <= 0xd8) return this.#extension(1 << (head - 0xd4))
    if (head === 0xdc || head === 0xdd) return this.#list(this.#size(head - 0xdb), level + 1)
    if (head === 0xde || head === 0xdf) return this.#map(this.#size(head - 0xdd), level + 1)
    throw new MessagePackError(`the byte 0x${head.toString(16)} begins no value`)
  }

  /** Reads an unsigned number of 1, 2 or 4 bytes. */
  #size(power: number): number {
    if (power === 0) return this.#view.getUint8(this.#skip(1))
    return power === 1 ? this.#view.getUint16(this.#skip(2)) : this.#view.getUint32(this.#skip(4))
  }

  /** Moves past the next bytes and returns the index of the first of them. */
  #skip(count: number): number {
    const start = this.at
    if (start + count > this.#bytes.length) throw new MessagePackError('it ends in the middle of a value')
    this.at = start + count
    return start
  }

  #text(length: number): string {
    const start = this.#skip(length)
    if (length <= LONGEST_SHORT_TEXT && this.#isAscii(start)) return this.#bytes.toString('latin1', start, this.at)
    if (!isUtf8(this.#bytes.subarray(start, this.at))) throw new MessagePackError('a text in it is not UTF-8')
    return this.#bytes.toString('utf8', start, this.at)
  }

  #isAscii(start: number): boolean {
    let all = 0
    for (let at = start; at < this.at; at++) all |= this.#bytes[at] ?? 0
    return all < 0x80
  }

  #binary(length: number): Uint8Array {
    return this.#bytes.subarray(this.#skip(length), this.at)
  }

  #list(count: number, level: number): unknown[] {
    this.#refuseImpossible(count, level)
    const list: unknown[] = []
    for (let index = 0; index < count; index++) list.push(this.read(level))
    return list
  }

  #map(count: number, level: number): { [key: string]: unknown } {
    this.#refuseImpossible(count * 2, level)
    const map: { [key: string]: unknown } = {}
    for (let index = 0; index < count; index++) {
      const key = this.#key(level)
      // The first check is quick, and false for nearly all keys. Members of all objects, like `toString`, need the
      // second.
      if (map[key] !== undefined && Object.hasOwn(map, key)) throw this.#repeated(key)
      const value = this.read(level)
      if (key === '__proto__') addMember(map, key, value)
      else map[key] = value
    }
    return map
  }

  #repeated(key: string): RepeatedKeyError {
    const name = JSON.stringify(key.slice(0, 60))
    return new RepeatedKeyError(`a map of the body has ${name} twice, up to byte ${this.at}; remove one`)
  }

  #key(level: number): string {
    const known = this.#keys[(this.#bytes[this.at] ?? 0) - 0xa0]
    if (known !== undefined && this.#isNext(known.bytes)) {
      this.at += known.bytes.length
      return known.text
    }
    const key = this.read(level)
    if (typeof key !== 'string') throw new MessagePackError('a key in it is not a string')
    return key
  }

  #isNext(bytes: Uint8Array): boolean {
    for (let index = 0; index < bytes.length; index++) {
      if (bytes[index] !== this.#bytes[this.at + index]) return false
    }
    return true
  }

  #refuseImpossible(values: number, level: number): void {
    if (values > this.#bytes.length - this.at) throw new MessagePackError('it ends before all announced values')
    if (level > MOST_LEVELS) throw new MessagePackError(`it is nested more than ${MOST_LEVELS} levels deep`)
  }

  #extension(length: number): WireTime {
    const type = this.#view.getInt8(this.#skip(1))
    const start = this.#skip(length)
    if (type !== TIMESTAMP)
      throw new MessagePackError(`the extension type ${type} is not supported; only -1, timestamp, is`)
    const time = readTimestamp(this.#view, start, length)
    if (time === null || time.nanoseconds > MOST_NANOSECONDS)
      throw new MessagePackError('a timestamp in it is malformed')
    return time
  }
}

function readTimestamp(view: DataView, start: number, length: number): WireTime | null {
  if (length === 4) return new WireTime(view.getUint32(start), 0)
  if (length === 8) {
    const high = view.getUint32(start)
    return new WireTime((high & 3) * 2 ** 32 + view.getUint32(start + 4), high >>> 2)
  }
  return length === 12 ? new WireTime(Number(view.getBigInt64(start + 4)), view.getUint32(start)) : null
}

const MOST_DIGITS_OF_SINGLE = 9
const EXACT_WHOLE_OF_SINGLE = 2 ** 24

/**
 * Converts a single-precision number to the shortest decimal that reads back as the same number: 21.1, although its
 * exact value is 21.100000381469727. The device had no more digits, and steps and boundaries are decimals.
 */
function shortestOf(single: number): number {
  const isExact = Number.isInteger(single) && Math.abs(single) <= EXACT_WHOLE_OF_SINGLE
  if (isExact || !Number.isFinite(single)) return single
  for (let digits = 6; digits < MOST_DIGITS_OF_SINGLE; digits++) {
    const decimal = Number(single.toPrecision(digits))
    if (Math.fround(decimal) === single) return decimal
  }
  return Number(single.toPrecision(MOST_DIGITS_OF_SINGLE))
}

function narrowed(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** Adds an own member, even if the key is `__proto__`, as JSON.parse does. */
function addMember(map: object, key: string, value: unknown): void {
  Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true })
}
