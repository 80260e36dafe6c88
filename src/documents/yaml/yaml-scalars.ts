import { boolCoreTag, floatCoreTag, intCoreTag, NOT_RESOLVED, nullCoreTag, type ScalarTagDefinition } from 'js-yaml'
import { quoteText } from '../../lib/visible-text.ts'
import type { TextProblem } from '../checks/text-checks.ts'

export type Scalar = string | number | boolean | null

const NULL: ScalarTagDefinition<Scalar> = nullCoreTag
const BOOLEAN: ScalarTagDefinition<Scalar> = boolCoreTag
const INTEGER: ScalarTagDefinition<Scalar> = intCoreTag
const FLOAT: ScalarTagDefinition<Scalar> = floatCoreTag

/** The first characters of all plain scalars that are not text (YAML 1.2, section 10.3.2). */
const NOT_TEXT = /^[-+.0-9~nNtTfF]/

/** Matches numbers. js-yaml reads too large ones as text; here they stay numbers, and a later check reports them. */
const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/

/**
 * The value of an untagged plain scalar in the core schema. This schema has no dates, no yes and no, and no octal
 * numbers with a leading 0.
 */
export function plainScalar(source: string): Scalar {
  if (source === '') return null
  if (!NOT_TEXT.test(source)) return source
  for (const tag of [INTEGER, FLOAT, BOOLEAN, NULL]) {
    const value = tag.resolve(source, false, tag.tagName)
    if (value !== NOT_RESOLVED) return value
  }
  return NUMBER.test(source) ? Number(source) : source
}

const EXPLICIT: { readonly [tag: string]: ScalarTagDefinition<Scalar> } = {
  '!!null': NULL,
  '!!bool': BOOLEAN,
  '!!int': INTEGER,
  '!!float': FLOAT,
}

/** The value of a scalar by its tag; undefined if the tag is unknown or does not fit. */
export function taggedScalar(tag: string, source: string): Scalar | undefined {
  if (tag === '!' || tag === '!!str') return source
  const definition = EXPLICIT[tag]
  const value = definition?.resolve(source, true, definition.tagName)
  return value === NOT_RESOLVED ? undefined : value
}

/** The reason why a YAML number has no JSON equivalent. */
export function numberProblem(source: string): TextProblem | null {
  if (!/[nN][aA][nN]|[iI][nN][fF]/.test(source)) return null
  return { code: 'number-not-finite', message: `${source} cannot be stored; write a number or null.` }
}

/** A text as YAML, without quotes if it needs none. */
export function scalarText(text: string): string {
  const isPlain = /^[\p{L}\p{N}_][\p{L}\p{N}_.@/~+-]*(?: [\p{L}\p{N}_.@/~+-]+)*$/u.test(text)
  return isPlain && plainScalar(text) === text ? text : quoteText(text)
}
