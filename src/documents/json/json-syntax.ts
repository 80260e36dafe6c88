/** An error at the offset where the JSON text becomes unreadable. */
export class JsonError extends Error {
  override readonly name = 'JsonError'
  readonly code: string
  readonly offset: number

  constructor(message: string, offset: number, code: string) {
    super(message)
    this.offset = offset
    this.code = code
  }
}

export interface JsonCursor {
  readonly text: string
  at: number
}

export function fail(message: string, offset: number, code = 'syntax'): never {
  throw new JsonError(message, offset, code)
}

const SPACE = /[ \t\r\n]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y
const WORD = /[\p{L}_$][\p{L}\p{N}_$-]*/uy
// oxlint-disable-next-line no-control-regex
const STRING_END = /["\\\u0000-\u001f]/g
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const LITERALS: readonly string[] = ['true', 'false', 'null']

export function skipSpace(cursor: JsonCursor): void {
  SPACE.lastIndex = cursor.at
  SPACE.test(cursor.text)
  cursor.at = SPACE.lastIndex
}

/** Moves past `character` if it is the next one. */
export function accept(cursor: JsonCursor, character: string): boolean {
  if (cursor.text[cursor.at] !== character) return false
  cursor.at++
  return true
}

/** Reads a string from its opening quote, and checks and resolves its escapes. */
export function readString(cursor: JsonCursor): string {
  const { text } = cursor
  const start = cursor.at++
  for (;;) {
    STRING_END.lastIndex = cursor.at
    const end = STRING_END.exec(text)
    if (end === null) return fail('a string is never closed; add the missing ".', start)
    cursor.at = end.index + 1
    if (end[0] === '"') return String(JSON.parse(text.slice(start, cursor.at)))
    if (end[0] !== '\\') return fail(controlMessage(end[0]), end.index)
    ESCAPE.lastIndex = end.index
    if (!ESCAPE.test(text)) return fail('this escape does not exist in JSON; write \\\\ for a backslash.', end.index)
    cursor.at = ESCAPE.lastIndex
  }
}

function controlMessage(character: string): string {
  if (character === '\n' || character === '\r') return 'a line break inside a string; write \\n, or add the missing ".'
  if (character === '\t') return 'a tab inside a string; write \\t.'
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  return `the control character U+${code} inside a string; remove it.`
}

/** Reads a number and returns it as written. */
export function readNumber(cursor: JsonCursor): string {
  const { text, at } = cursor
  NUMBER.lastIndex = at
  const literal = NUMBER.exec(text)?.[0]
  if (literal === undefined) return fail('a minus sign without digits; write a number such as -1.', at)
  cursor.at += literal.length
  if (/[\w.+]/.test(text[cursor.at] ?? '')) {
    fail('this is no JSON number; write it like 5, -0.5 or 1.5e3, without leading zeros.', at)
  }
  return literal
}

/** Moves past `true`, `false` or `null`. Its errors explain which values are possible here. */
export function readWord(cursor: JsonCursor): void {
  const { text, at } = cursor
  WORD.lastIndex = at
  const word = WORD.exec(text)?.[0]
  if (word === undefined || !LITERALS.includes(word)) fail(unexpected(text, at, word), at)
  else cursor.at += word.length
}

function unexpected(text: string, at: number, word: string | undefined): string {
  if (at >= text.length) return 'the file ends where a value is expected; is its end missing?'
  if (LITERALS.includes(word?.toLowerCase() ?? ''))
    return `JSON writes this word in small letters: ${word?.toLowerCase()}.`
  if (word === 'NaN' || word === 'Infinity') return `JSON knows no ${word}; write a number or null.`
  if (word !== undefined) return 'text is written in double quotes.'
  const character = text[at] ?? ''
  if (character === "'" || character === '`') return 'text is written in double quotes, not in other ones.'
  if (character === '/' || character === '#') return 'JSON has no comments; remove it, or use a YAML file.'
  if (character === ',') return 'a value is missing before this comma; remove the comma or add the value.'
  if (character === '.' || character === '+') return 'a number begins with a digit or a minus sign.'
  return 'a value is expected here: an object, an array, a string in double quotes, a number, true, false or null.'
}
