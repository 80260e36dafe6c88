import { isObject } from './json.ts'
import { behindString } from './scan-json.ts'

// Finds repeated keys, because JSON.parse silently keeps only the last of several members with one key.

export interface RepeatedKey {
  /** The index of the element of the outermost list. */
  readonly element: number
  readonly key: string
}

/**
 * Finds the first key that an object has twice; null if there is none. `value` is the result of JSON.parse for the
 * text. `written` is the number of members of the text, if a scan has already counted them.
 */
export function findRepeatedKey(bytes: Uint8Array, value: unknown, written = countKeys(bytes)): RepeatedKey | null {
  return written === countMembers(value) ? null : lookForRepeatedKey(bytes)
}

function countKeys(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(QUOTE); at !== -1; at = bytes.indexOf(QUOTE, at)) {
    at = behindString(bytes, at)
    if (isKeyBefore(bytes, at)) count += 1
  }
  return count
}

function countMembers(value: unknown): number {
  let count = 0
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) count += countMembers(value[index])
  } else if (isObject(value)) {
    // `Object.values` would make an array of each object.
    for (const key in value) {
      const member = value[key]
      count += typeof member === 'object' ? countMembers(member) + 1 : 1
    }
  }
  return count
}

function lookForRepeatedKey(bytes: Uint8Array): RepeatedKey | null {
  const objects: Set<string>[] = []
  let element = 0
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at]
    const end = byte === QUOTE ? behindString(bytes, at) : at + 1
    if (byte === 0x7b /* { */ || byte === 0x5b /* [ */) objects.push(new Set())
    else if (byte === 0x7d /* } */ || byte === 0x5d /* ] */) objects.pop()
    else if (byte === 0x2c /* , */ && objects.length === 1) element += 1
    else if (byte === QUOTE && isKeyBefore(bytes, end)) {
      const key = String(JSON.parse(Buffer.from(bytes.subarray(at, end)).toString()))
      if (objects.at(-1)?.has(key) === true) return { element, key }
      objects.at(-1)?.add(key)
    }
    at = end
  }
  return null
}

const QUOTE = 0x22

/** Tells whether a text is a key: a colon follows its end. */
function isKeyBefore(bytes: Uint8Array, end: number): boolean {
  let at = end
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1
  return bytes[at] === 0x3a
}
