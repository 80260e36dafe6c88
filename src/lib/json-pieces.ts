import { isObject } from './json.ts'

/** The maximum number of parts of a piece. Each value is a part, and so are every 32 characters of a text. */
const PARTS_OF_PIECE = 4_000
const CHARACTERS_OF_PART = 32

/**
 * Yields the text that JSON.stringify would return, in pieces. So the caller can do other work in between, and can stop
 * if the text becomes too long. A single text is always one piece.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  const plain = toPlain(value)
  if (partsOf(plain, PARTS_OF_PIECE) <= PARTS_OF_PIECE) yield JSON.stringify(plain) ?? 'null'
  else if (Array.isArray(plain)) yield* piecesOfList(plain)
  else if (isObject(plain)) yield* piecesOfObject(plain)
  else yield JSON.stringify(plain)
}

/** Writes consecutive small items together, because each call of JSON.stringify has a cost. */
function* piecesOfList(list: readonly unknown[]): Generator<string> {
  yield '['
  let [start, parts] = [0, 0]
  for (let index = 0; index < list.length; index++) {
    const own = partsOf(toPlain(list[index]), PARTS_OF_PIECE)
    if (parts + own <= PARTS_OF_PIECE) {
      parts += own
      continue
    }
    if (index > start) yield itemsText(list, start, index)
    ;[start, parts] = [index, own]
    if (own <= PARTS_OF_PIECE) continue
    if (index > 0) yield ','
    yield* jsonPieces(list[index])
    ;[start, parts] = [index + 1, 0]
  }
  if (start < list.length) yield itemsText(list, start, list.length)
  yield ']'
}

function itemsText(list: readonly unknown[], start: number, end: number): string {
  const text = JSON.stringify(list.slice(start, end)).slice(1, -1)
  return start === 0 ? text : `,${text}`
}

function* piecesOfObject(object: { readonly [key: string]: unknown }): Generator<string> {
  yield '{'
  let isFirst = true
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue
    yield `${isFirst ? '' : ','}${JSON.stringify(key)}:`
    yield* jsonPieces(value)
    isFirst = false
  }
  yield '}'
}

function toPlain(value: unknown): unknown {
  return hasOwnForm(value) ? value.toJSON() : value
}

function hasOwnForm(value: unknown): value is { toJSON(): unknown } {
  return isObject(value) && typeof value['toJSON'] === 'function'
}

/** Counts the parts of a value. If there are more than `most`, it stops early and returns any number above `most`. */
function partsOf(value: unknown, most: number): number {
  if (typeof value === 'string') return 1 + value.length / CHARACTERS_OF_PART
  if (!isObject(value) && !Array.isArray(value)) return 1
  let parts = 1
  if (Array.isArray(value))
    for (let index = 0; index < value.length && parts <= most; index++) parts += partsOf(value[index], most - parts)
  // A loop avoids the lists of keys and values that `Object.entries` would make for each object.
  else
    for (const key in value) {
      parts += partsOf(value[key], most - parts)
      if (parts > most) break
    }
  return parts
}
