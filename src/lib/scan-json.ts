// The scan passes once over the bytes of a JSON text before it is parsed, without making values. JSON.parse needs
// seconds for a few megabytes of brackets, and checking numbers one by one takes minutes. The scan does not validate
// the text; the parser that follows does.

export interface JsonLimits {
  /** The depth of nested brackets. */
  readonly levels: number
  /** The number of values: each member of an object and element of a list counts. No limit if omitted. */
  readonly values?: number
  /** The number of elements of the outermost list. If omitted, there is no limit. */
  readonly elements?: number
  /** The number of characters of a number. If omitted, there is no limit. */
  readonly numberLength?: number
}

export interface JsonScan {
  /** The first limit that the text exceeds; null if it exceeds none. */
  readonly broken: keyof JsonLimits | null
  /** The number of members of all objects. Repeated keys count each time. */
  readonly members: number
}

/** Returns the key of the member that holds the number, or its index in a list. */
type MemberName = () => string

/** Called for each number that may be inexact. Its bytes are from `start` to `end`. */
export type LookAtNumber = (start: number, end: number, memberName: MemberName) => void

const LONGEST_EXACT = 15
/** Up to this power of ten, doubles have the same relative precision as near 1. */
const SAFE_EXPONENT = 290

/** Scans a text until it exceeds a limit. `look` is not called for numbers that a double holds exactly. */
export function scanJson(bytes: Uint8Array, limits: JsonLimits, look?: LookAtNumber): JsonScan {
  const { levels, values = Infinity, elements = Infinity, numberLength = bytes.length } = limits
  const commas = new Float64Array(levels + 1)
  const isObject = new Uint8Array(levels + 1)
  let level = 0
  let count = 0
  let members = 0
  let text = 0
  const end = bytes.length
  // No inner function may use these variables: V8 would keep them in memory, and the scan would take 40 % longer.
  for (let at = 0; at < end;) {
    const byte = bytes[at] as number
    if (byte === 0x22 /* " */) {
      text = at
      at = behindString(bytes, at)
    } else if (byte === 0x5b /* [ */ || byte === 0x7b /* { */) {
      level += 1
      if (level > levels) return { broken: 'levels', members }
      commas[level] = 0
      isObject[level] = byte === 0x7b ? 1 : 0
      count += 1
      at += 1
    } else if (byte === 0x5d /* ] */ || byte === 0x7d /* } */) {
      if (level > 0) level -= 1
      at += 1
    } else if (byte === 0x2c /* , */) {
      commas[level] = (commas[level] as number) + 1
      if (level === 1 && isObject[1] === 0 && (commas[1] as number) >= elements) return { broken: 'elements', members }
      count += 1
      at += 1
    } else if (isNumeric(byte)) {
      const start = at
      at = behindNumber(bytes, start, numberLength)
      if (at - start > numberLength) return { broken: 'numberLength', members }
      if (look !== undefined && !isSurelyExact(bytes, start, at))
        look(start, at, isObject[level] === 1 ? keyName(bytes, text) : indexName(commas[level]))
    } else {
      if (byte === 0x3a /* : */) members += 1
      at += 1
    }
    if (count > values) return { broken: 'values', members }
  }
  return { broken: null, members }
}

export function behindString(bytes: Uint8Array, start: number): number {
  const end = bytes.length
  let at = start + 1
  for (; at < end; at++) {
    const byte = bytes[at]
    if (byte === 0x22 /* " */) return at + 1
    if (byte === 0x5c /* \ */) at += 1
  }
  return at
}

function isNumeric(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d /* - */
}

/**
 * Returns the end of a number, or of its first `most` + 1 characters. It accepts signs, points and exponents in any
 * order, because the parser rejects wrong numbers later.
 */
function behindNumber(bytes: Uint8Array, start: number, most: number): number {
  const last = Math.min(bytes.length, start + most + 1)
  let at = start + 1
  for (; at < last; at++) {
    const byte = bytes[at] as number
    const belongs = isNumeric(byte) || byte === 0x2e || byte === 0x2b || byte === 0x65 || byte === 0x45
    if (!belongs) break
  }
  return at
}

/**
 * Tells whether a number certainly keeps its value in a double. This is so for up to 15 significant digits, unless the
 * exponent is extreme.
 */
function isSurelyExact(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start
  while (at < end && bytes[at] !== 0x65 && bytes[at] !== 0x45) at += 1
  if (at - start > LONGEST_EXACT) return false
  let exponent = 0
  for (at += 1; at < end && exponent <= SAFE_EXPONENT; at++) {
    const digit = (bytes[at] as number) - 0x30
    if (digit >= 0) exponent = exponent * 10 + digit
  }
  return exponent <= SAFE_EXPONENT
}

function keyName(bytes: Uint8Array, start: number): MemberName {
  return () => keyAt(bytes, start)
}

function indexName(index: number | undefined): MemberName {
  return () => String(index)
}

function keyAt(bytes: Uint8Array, start: number): string {
  const quoted = Buffer.from(bytes.subarray(start, behindString(bytes, start))).toString()
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted
  }
}
