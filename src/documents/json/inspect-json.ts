import type { ValuePath } from '../checks/finding.ts'
import { FoundInText, TooMuchFound } from '../found-in-text.ts'
import { isRewritten } from '../numbers/rewritten-numbers.ts'
import { isLong } from '../numbers/written-numbers.ts'
import { accept, fail, JsonError, readNumber, readString, readWord, skipSpace, type JsonCursor } from './json-syntax.ts'
import {
  duplicateKeyMessage,
  FORBIDDEN_KEY,
  FORBIDDEN_KEY_MESSAGE,
  textProblem,
  tooDeepMessage,
} from '../checks/text-checks.ts'

interface Inspection extends JsonCursor {
  readonly maxDepth: number
  readonly found: FoundInText
  /** The path of the value that is being read. */
  readonly path: string[]
}

interface JsonInspection {
  readonly found: FoundInText
  /** Whether JSON.parse can read the text despite the findings. */
  readonly isReadable: boolean
}

/**
 * Finds all mistakes in a JSON text: syntax errors, and constructs that JSON.parse accepts although they lose
 * information. It is several times slower than JSON.parse, so only suspicious texts are inspected.
 */
export function inspectJson(text: string, maxDepth: number): JsonInspection {
  const found = new FoundInText()
  const inspection: Inspection = { text, at: 0, maxDepth, found, path: [] }
  try {
    skipSpace(inspection)
    inspectValue(inspection, 0)
    skipSpace(inspection)
    if (inspection.at < text.length) fail(afterEnd(inspection), inspection.at)
  } catch (error) {
    if (error instanceof TooMuchFound) found.findings.push(error.finding)
    else if (!(error instanceof JsonError)) throw error
    else found.findings.push({ code: error.code, message: error.message, offset: error.offset })
    return { found, isReadable: false }
  }
  return { found, isReadable: true }
}

function afterEnd({ text, at }: JsonCursor): string {
  const closing = text[at] === '}' || text[at] === ']'
  if (closing) return `there is a ${text[at]} too many; remove it.`
  return 'the file continues after its value; a JSON file holds one object.'
}

function inspectValue(inspection: Inspection, depth: number): void {
  const { text, at } = inspection
  const character = text[at] ?? ''
  if (character === '{') inspectObject(inspection, depth + 1)
  else if (character === '[') inspectArray(inspection, depth + 1)
  else if (character === '"') reportText(inspection, at, 'the text', readString(inspection), valueHere(inspection))
  else if (character === '-' || (character >= '0' && character <= '9')) inspectNumber(inspection)
  else readWord(inspection)
}

function valueHere({ path }: Inspection): ValuePath {
  return { document: 0, path: [...path] }
}

function reportText({ found }: Inspection, offset: number, subject: string, text: string, value?: ValuePath): void {
  const problem = textProblem(text)
  if (problem === null) return
  found.add({ code: problem.code, message: `${subject} ${problem.message}`, offset, ...(value && { value }) })
}

function inspectNumber(inspection: Inspection): void {
  const offset = inspection.at
  const literal = readNumber(inspection)
  const { path, found } = inspection
  if (isLong(literal)) found.addLong({ literal, offset, value: valueHere(inspection) })
  else if (isRewritten(literal, Number(literal), path))
    found.addRewritten({ literal, offset, value: valueHere(inspection) })
}

function inspectArray(inspection: Inspection, depth: number): void {
  enter(inspection, depth)
  if (accept(inspection, ']')) return
  let index = 0
  do {
    skipSpace(inspection)
    if (inspection.text[inspection.at] === ']') fail(trailingComma(']'), inspection.at)
    inspectMember(inspection, String(index++), depth)
  } while (accept(inspection, ','))
  if (!accept(inspection, ']')) fail(missing(inspection, 'array', ']'), inspection.at)
}

function inspectObject(inspection: Inspection, depth: number): void {
  enter(inspection, depth)
  if (accept(inspection, '}')) return
  const keys = new Set<string>()
  do {
    skipSpace(inspection)
    if (inspection.text[inspection.at] === '}') fail(trailingComma('}'), inspection.at)
    inspectMember(inspection, inspectKey(inspection, keys), depth)
  } while (accept(inspection, ','))
  if (!accept(inspection, '}')) fail(missing(inspection, 'object', '}'), inspection.at)
}

function inspectMember(inspection: Inspection, name: string, depth: number): void {
  inspection.path.push(name)
  inspectValue(inspection, depth)
  inspection.path.pop()
  skipSpace(inspection)
}

function enter(inspection: Inspection, depth: number): void {
  if (depth > inspection.maxDepth) {
    fail(tooDeepMessage(inspection.maxDepth), inspection.at, 'nesting-too-deep')
  }
  inspection.at++
  skipSpace(inspection)
}

function inspectKey(inspection: Inspection, keys: Set<string>): string {
  const { text, at: offset, found } = inspection
  if (text[offset] !== '"') fail(badKey(text[offset]), offset)
  const key = readString(inspection)
  reportText(inspection, offset, 'the key', key)
  if (key === FORBIDDEN_KEY) found.add({ code: 'forbidden-key', message: FORBIDDEN_KEY_MESSAGE, offset })
  if (keys.has(key)) found.add({ code: 'duplicate-key', message: duplicateKeyMessage(key), offset })
  keys.add(key)
  skipSpace(inspection)
  if (!accept(inspection, ':')) fail('a colon is expected after the key.', inspection.at)
  skipSpace(inspection)
  return key
}

function badKey(character: string | undefined): string {
  if (character === undefined) return 'the file ends inside an object; is its end missing?'
  if (character === '/' || character === '#') return 'JSON has no comments; remove it, or use a YAML file.'
  return 'a key is expected here, in double quotes.'
}

function trailingComma(closing: string): string {
  return `there is a comma before this ${closing}; JSON allows none after the last entry, so remove it.`
}

function missing({ text, at }: JsonCursor, container: string, closing: string): string {
  const character = text[at]
  if (character === undefined) return `the file ends inside an ${container}; is its end missing?`
  if (character === '/' || character === '#') return 'JSON has no comments; remove it, or use a YAML file.'
  return `a comma or ${closing} is expected here, after an entry of an ${container}.`
}
