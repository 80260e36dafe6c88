import type { SqlValue } from '../db/sql.ts'
import { keysOf } from '../lib/entries.ts'
import { narrowestOf } from './narrowest.ts'

/** The SQL condition of a field of a filter. */
interface Condition {
  /** The type in SQL of its value. */
  readonly type: string
  /** `given` is the parameter, which is never null there. `isOne`: whether it is a list of one. */
  readonly holds: (given: string, isOne: boolean) => string
}

/** A field that is added to a filter does not compile until its condition is here. */
type Conditions<Filter> = { readonly [field in keyof Filter & string]: Condition }

/** A condition under which all that is given holds. */
interface Matched {
  readonly matches: string
  readonly values: readonly SqlValue[]
  /** Whether something is given that few rows have. */
  readonly isNarrow: boolean
}

interface Options {
  /** The number of the parameter of the first field. Others follow in the order of the conditions. */
  readonly first?: number
  /** The fields that few rows have and an index answers: see `narrowestOf`. */
  readonly narrow?: readonly string[]
  /**
   * The fields that the same index answers too: of a list of one all of them, of a longer one the first. There the index gives
   * no order, so that without statistics the planner would go through the times of all rows, if both of their ends are shown.
   */
  readonly range?: readonly string[]
}

export function matching<Filter extends { readonly [field in keyof Filter]?: SqlValue | undefined }>(
  conditions: Conditions<Filter>,
  { first = 3, narrow = [], range = [] }: Options = {},
): (filter: Filter) => Matched {
  const fields = keysOf(conditions)
  return (filter) => {
    const { narrowest, shown } = narrowestOf(filter, narrow)
    const isOne = fields.some((field) => field === narrowest && isListOfOne(filter[field]))
    const inIndex = narrowest === HOLDERS ? [] : range
    const alike = isOne ? inIndex : inIndex.slice(0, 1)
    const texts = fields.map((field, index) => {
      const { type, holds } = conditions[field]
      const given = `$${first + index}::${type}`
      const condition = holds(given, isOne && field === narrowest)
      return `(${given} is null or ${alike.includes(field) ? condition : shown(field, condition)})`
    })
    const values = fields.map((field) => filter[field] ?? null)
    return { matches: texts.join('\n  and '), values, isNarrow: narrowest !== undefined }
  }
}

/** The rows that are named by their own uuids: their index has no times. */
const HOLDERS = 'holders'

/** The condition of a filter on metadata. */
export interface MetadataFilter {
  /** A JSON list of the items that a row must have, in tagged form. */
  readonly metadata?: string | undefined
  /** The uuids of all rows that may have these items; left out if they are many, and each row is looked at. */
  readonly [HOLDERS]?: readonly string[] | undefined
}

const isListOfOne = (given: SqlValue | undefined): boolean => Array.isArray(given) && given.length === 1

export const UUIDS = 'uuid[]'
export const TEXTS = 'text[]'

/** For one value, an index gives the rows in the order of its other columns, so that a page ends with its last row. */
export const anyOf = (column: string) => (given: string, isOne: boolean) =>
  isOne ? `${column} = (${given})[1]` : `${column} = any (${given})`

export const METADATA_CONDITIONS: Conditions<MetadataFilter> = {
  metadata: { type: 'jsonb', holds: (given) => `e.metadata @> ${given}` },
  [HOLDERS]: { type: UUIDS, holds: anyOf('e.uuid') },
}

/** In a Turkish database the small letter of I is none of ASCII. */
const I_IS_OF_ASCII = `lower('I' collate "default") = 'i'`

/**
 * A part of a text, in any case. The columns know the case of ASCII alone, which takes half as long, and is enough where
 * nothing else is looked for. Other letters are in no text of ASCII alone, unless their small ones are of ASCII (the sign of
 * Kelvin), so only all other texts are compared as the database knows their letters.
 */
export const contains = (column: string) => (given: string) => `case
    when ${isOfAscii(given)} then strpos(lower(${column}), lower(${given})) > 0
    when ${isOfAscii(column)} and not ${isOfAscii(inSmall(given))} and ${I_IS_OF_ASCII} then false
    else strpos(${inSmall(column)}, ${inSmall(given)}) > 0 end`

const isOfAscii = (text: string): string => `octet_length(${text}) = char_length(${text})`
const inSmall = (text: string): string => `lower(${text} collate "default")`
