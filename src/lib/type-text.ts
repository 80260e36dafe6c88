import { displayWidth } from './display-width.ts'
import { escapeUnseen } from './visible-text.ts'

// These functions write TypeScript as Prettier lays it out, with single quotes, no semicolons and 120 columns.

const WIDTH = 120

/** A type as a union of types, each as text. */
export interface UnionType {
  readonly union: readonly string[]
  /** Whether a value is a list of values of these types. */
  readonly isList?: boolean
}

/** A string literal. Like Prettier, it uses the kind of quotes that occurs less often in the text. */
export function literalText(text: string): string {
  const quote = text.includes("'") && count(text, "'") > count(text, '"') ? '"' : "'"
  return quote + escapeUnseen(text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)) + quote
}

function count(text: string, character: string): number {
  return text.split(character).length - 1
}

/** A member of an interface or object. */
export interface Member {
  readonly name: string
  /** The comment of the member, and a tag such as `@deprecated` at the end. */
  readonly paragraphs?: readonly string[]
  readonly tag?: string | null
  readonly type: UnionType | IntersectionType | ObjectType
}

/** An intersection of types, each as text. Without types, it is an object without members. */
interface IntersectionType {
  readonly all: readonly string[]
}

interface ObjectType {
  readonly members: readonly Member[]
  /** Whether the object is written on one line if it fits. Then its members have no comments. */
  readonly isSmall?: boolean
}

/** The type of a single string. */
export function literalType(text: unknown): UnionType {
  return { union: [literalText(String(text))] }
}

/** An interface with its comment. */
export function interfaceText(name: string, comment: string, members: readonly Member[]): string {
  return [`/** ${comment} */`, ...objectLines(`export interface ${name}`, { members }, '')].join('\n')
}

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u

function memberLines(member: Member, indent: string): string[] {
  const { name, type } = member
  const head = `${indent}readonly ${IDENTIFIER.test(name) ? name : literalText(name)}:`
  const lines =
    'union' in type
      ? unionLines(head, type, indent)
      : 'all' in type
        ? intersectionLines(head, type, indent)
        : objectLines(head, type, indent)
  return [...docComment(member, indent), ...lines]
}

/** A doc comment of paragraphs and perhaps a tag, as lines. No paragraph can end it, or instruct the compiler. */
function docComment({ paragraphs = [], tag = null }: Member, indent: string): string[] {
  const texts = paragraphs.filter((text) => text.trim() !== '').map(commentLines)
  const [, first, ...rest] = [...texts, ...(tag === null ? [] : [[tag]])].flatMap((lines) => ['', ...lines])
  if (first === undefined) return []
  if (rest.length === 0) return [`${indent}/** ${first} */`]
  const written = [first, ...rest].map((line) => `${indent} * ${line}`.trimEnd())
  return [`${indent}/**`, ...written, `${indent} */`]
}

function commentLines(text: string): string[] {
  return (
    text
      .replaceAll('\r\n', '\n')
      .trim()
      .split('\n')
      .map((line) => escapeUnseen(line).trim().replaceAll('*/', '*\\/'))
      // A line that begins with a tag could be @ts-expect-error.
      .map((line) => (line.startsWith('@') ? `\\${line}` : line))
  )
}

function unionLines(head: string, { union, isList = false }: UnionType, indent: string): string[] {
  const isOne = union.length === 1
  const [open, close] = isList ? [isOne ? ' readonly ' : ' readonly (', isOne ? '[]' : ')[]'] : [isOne ? ' ' : '', '']
  const joined = union.join(' | ')
  const whole = `${head}${open === '' ? ' ' : open}${joined}${close}`
  if (isOne || fits(whole)) return [whole]
  const below = `${indent}  ${joined}`
  const lines = fits(below) ? [below] : union.map((text) => `${indent}  | ${text}`)
  return [`${head}${open}`, ...lines, ...(isList ? [`${indent}${close}`] : [])]
}

function intersectionLines(head: string, { all }: IntersectionType, indent: string): string[] {
  const whole = `${head} ${all.length === 0 ? '{}' : all.join(' & ')}`
  if (all.length < 2 || fits(whole)) return [whole]
  return all.map((text, at) => `${at === 0 ? head : `${indent} `} ${text}${at === all.length - 1 ? '' : ' &'}`)
}

function objectLines(head: string, { members, isSmall = false }: ObjectType, indent: string): string[] {
  if (members.length === 0) return [`${head} {}`]
  const whole = isSmall ? `${head} { ${members.flatMap((member) => memberLines(member, '')).join('; ')} }` : null
  if (whole !== null && fits(whole)) return [whole]
  return [`${head} {`, ...members.flatMap((member) => memberLines(member, `${indent}  `)), `${indent}}`]
}

function fits(line: string): boolean {
  return line.length <= WIDTH && displayWidth(line) <= WIDTH
}
