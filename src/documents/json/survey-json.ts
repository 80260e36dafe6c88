// A survey reads the bytes of a JSON text and verifies that it is valid, without creating values. It takes a quarter of
// the time of JSON.parse. Each function gets the index of a first byte, and returns the index after the last one. They
// are fast because they use plain indices and literal codes.

/** The result if the text has a mistake, loses information in JSON.parse, or needs an inspection. */
const NOT_SURE = -1

/** A member of the outermost object, as indices into the bytes. */
export interface SurveyedMember {
  readonly key: number
  readonly colon: number
  readonly value: number
  readonly end: number
  /** The number of elements if the value is an array. */
  readonly elements: number
}

interface Survey {
  readonly bytes: Uint8Array
  readonly maxDepth: number
  readonly members: SurveyedMember[]
  /** Hashes of the keys of all open objects. If two hashes are equal, the same key may occur twice. */
  readonly keys: Int32Array
  /** The number of elements of the array that ended last. */
  elements: number
}

/** The maximum number of keys of all open objects together. Each key is compared with the others of its object. */
const MOST_KEYS = 256

export function startSurvey(bytes: Uint8Array, maxDepth: number): Survey {
  return { bytes, maxDepth, members: [], keys: new Int32Array(MOST_KEYS), elements: 0 }
}

/** Returns the index after a value. `depth` is the depth of its container, and `open` the number of keys there. */
export function behindValue(survey: Survey, at: number, depth = 0, open = 0): number {
  const { bytes } = survey
  const first = bytes[at]
  if (first === 0x22 /* " */) return behindString(bytes, at)
  if (first === 0x7b /* { */) return behindObject(survey, at, depth + 1, open)
  if (first === 0x5b /* [ */) return behindArray(survey, at, depth + 1, open)
  if (first === 0x74 /* t */) return isAt(bytes, at, 0x72, 0x75, 0x65) ? at + 4 : NOT_SURE
  if (first === 0x6e /* n */) return isAt(bytes, at, 0x75, 0x6c, 0x6c) ? at + 4 : NOT_SURE
  if (first === 0x66 /* f */) return isAt(bytes, at + 1, 0x6c, 0x73, 0x65) && bytes[at + 1] === 0x61 ? at + 5 : NOT_SURE
  return behindNumber(bytes, at)
}

export function behindSpace(bytes: Uint8Array, start: number): number {
  let at = start
  for (let c = bytes[at]; c === 0x20 /* space */ || c === 0x0a || c === 0x0d || c === 0x09; c = bytes[++at]);
  return at
}

function behindObject(survey: Survey, start: number, depth: number, open: number): number {
  const { bytes, maxDepth } = survey
  if (depth > maxDepth) return NOT_SURE
  let at = behindSpace(bytes, start + 1)
  if (bytes[at] === 0x7d /* } */) return at + 1
  for (let count = open; ; count++) {
    const key = at
    const colon = behindSpace(bytes, behindKey(survey, key, open, count))
    if (bytes[colon] !== 0x3a /* : */) return NOT_SURE
    const value = behindSpace(bytes, colon + 1)
    const end = behindValue(survey, value, depth, count + 1)
    if (depth === 1) survey.members.push({ key, colon, value, end, elements: survey.elements })
    at = behindSpace(bytes, end)
    if (bytes[at] === 0x7d /* } */) return at + 1
    if (bytes[at] !== 0x2c /* , */) return NOT_SURE
    at = behindSpace(bytes, at + 1)
  }
}

function behindArray(survey: Survey, start: number, depth: number, open: number): number {
  const { bytes, maxDepth } = survey
  if (depth > maxDepth) return NOT_SURE
  let at = behindSpace(bytes, start + 1)
  let elements = 0
  if (bytes[at] !== 0x5d /* ] */) {
    for (;;) {
      at = behindSpace(bytes, behindValue(survey, at, depth, open))
      elements++
      if (bytes[at] === 0x5d /* ] */) break
      if (bytes[at] !== 0x2c /* , */) return NOT_SURE
      at = behindSpace(bytes, at + 1)
    }
  }
  survey.elements = elements
  return at + 1
}

/** Moves past a key. A key with an escape is not sure, because it may equal a key without one. */
function behindKey({ bytes, keys }: Survey, start: number, open: number, count: number): number {
  if (bytes[start] !== 0x22 /* " */ || count >= keys.length) return NOT_SURE
  let hash = 0
  let at = start + 1
  for (let c = bytes[at++] as number; c !== 0x22 /* " */; c = bytes[at++] as number) {
    if (!(c >= 0x20) || c === 0x5c /* \ */) return NOT_SURE
    hash = (Math.imul(hash, 31) + c) | 0
  }
  keys[count] = hash
  for (let other = open; other < count; other++) if (keys[other] === hash) return NOT_SURE
  return at
}

function behindString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  for (;;) {
    const c = bytes[at++] as number
    if (c === 0x22 /* " */) return at
    // This is also true after the end of the text, where the byte is undefined.
    if (!(c >= 0x20 /* space */)) return NOT_SURE
    if (c === 0x5c /* \ */ && (at = behindEscape(bytes, at)) === NOT_SURE) return NOT_SURE
  }
}

const SHORT_ESCAPES: ReadonlySet<number | undefined> = new Set(Buffer.from('"\\/bfnrt'))

/** Moves past an escape, from after its backslash. Those of NUL, surrogates, U+FEFF, `$` and letters need a look. */
function behindEscape(bytes: Uint8Array, at: number): number {
  if (SHORT_ESCAPES.has(bytes[at])) return at + 1
  const written = String.fromCharCode(...bytes.subarray(at, at + 5))
  if (!/^u[0-9a-fA-F]{4}$/.test(written)) return NOT_SURE
  return /^u(?:0000|0024|00[4-7].|[dD][89a-fA-F]..|[fF][eE][fF][fF])$/.test(written) ? NOT_SURE : at + 5
}

/** A number of at most this length and without an exponent is exact as a double. */
const LONGEST_NUMBER = 15

function behindNumber(bytes: Uint8Array, start: number): number {
  const whole = bytes[start] === 0x2d /* - */ ? start + 1 : start
  let at = behindDigits(bytes, whole)
  if (at === whole || (bytes[whole] === 0x30 /* 0 */ && at > whole + 1)) return NOT_SURE
  if (bytes[at] === 0x2e /* . */) {
    const fraction = at + 1
    at = behindDigits(bytes, fraction)
    if (at === fraction) return NOT_SURE
  }
  // The caller finds an exponent or an invalid character when it expects the next token.
  return at - start > LONGEST_NUMBER ? NOT_SURE : at
}

function behindDigits(bytes: Uint8Array, start: number): number {
  let at = start
  for (let c = bytes[at] as number; c >= 0x30 /* 0 */ && c <= 0x39 /* 9 */; c = bytes[++at] as number);
  return at
}

function isAt(bytes: Uint8Array, at: number, second: number, third: number, fourth: number): boolean {
  return bytes[at + 1] === second && bytes[at + 2] === third && bytes[at + 3] === fourth
}
