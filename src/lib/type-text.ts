import { displayWidth } from './display-width.ts'
import { escapeUnseen } from './visible-text.ts'

// These functions write TypeScript as Prettier lays it out, with single quotes, no semicolons and 120 columns.

const WIDTH = 120

/** A type as a union of types, each as text. */
export interface UnionType {
  readonly union: readonly string[]
  /** Whether a value is a list of any number of these. */
  readonly isList?: boolean
}

/** A string literal. Like Prettier, it uses the quotes of which the text has fewer. */
export function literalText(text: string): string {
  const quote = text.includes("'") && count(text, "'") > count(text, '"') ? '"' : "'"
  return quote + escapeUnseen(text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)) + quote
}

function count(text: string, character: string): number {
  return text.split(character).length - 1
}

/** The type of a single string. */
export function literalType(text: unknown): UnionType {
  return { union: [literalText(String(text))] }
}

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u

export function propertyName(name: string): string {
  return IDENTIFIER.test(name) ? name : literalText(name)
}

/**
 * A doc comment of paragraphs and perhaps a tag, as lines. Nothing in the paragraphs can end it, or give an instruction
 * to the compiler.
 */
export function docComment(paragraphs: readonly string[], tag: string | null, indent: string): string[] {
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

/** The lines of a member whose type is a union, or a list of it. */
export function unionMember(name: string, { union, isList = false }: UnionType, indent: string): string[] {
  const head = `${indent}readonly ${name}:`
  const [one = 'never', ...others] = union
  if (others.length === 0) return [`${head} ${isList ? 'readonly ' : ''}${one}${isList ? '[]' : ''}`]
  const [open, close] = isList ? [' readonly (', ')[]'] : ['', '']
  const joined = union.join(' | ')
  const whole = `${head}${isList ? open : ' '}${joined}${close}`
  if (fits(whole)) return [whole]
  const below = `${indent}  ${joined}`
  const lines = fits(below) ? [below] : union.map((text) => `${indent}  | ${text}`)
  return [`${head}${open}`, ...lines, ...(isList ? [`${indent}${close}`] : [])]
}

/** The lines of a member whose type is an object, on one line where there is room. */
export function objectMember(
  name: string,
  fields: readonly (readonly [string, UnionType])[],
  indent: string,
): string[] {
  const inline = fields.map(([field, type]) => unionMember(field, type, '').join(''))
  const whole = `${indent}readonly ${name}: { ${inline.join('; ')} }`
  if (fits(whole)) return [whole]
  const lines = fields.flatMap(([field, type]) => unionMember(field, type, `${indent}  `))
  return [`${indent}readonly ${name}: {`, ...lines, `${indent}}`]
}

/** The lines of a member whose type is an intersection; that of none is an object without members. */
export function intersectionMember(name: string, types: readonly string[], indent: string): string[] {
  const whole = `${indent}readonly ${name}: ${types.length === 0 ? '{}' : types.join(' & ')}`
  if (types.length < 2 || fits(whole)) return [whole]
  return types.map((type, index) => {
    const head = index === 0 ? `${indent}readonly ${name}: ` : `${indent}  `
    return `${head}${type}${index === types.length - 1 ? '' : ' &'}`
  })
}

/** The lines of an object with these lines in it. */
export function block(head: string, lines: readonly string[], indent: string): string[] {
  return lines.length === 0 ? [`${indent}${head} {}`] : [`${indent}${head} {`, ...lines, `${indent}}`]
}

function fits(line: string): boolean {
  return line.length <= WIDTH && displayWidth(line) <= WIDTH
}
