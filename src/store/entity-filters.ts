import type { SqlValue } from '../db/sql.ts'
import { keysOf } from '../lib/entries.ts'
import { narrowestOf } from './narrowest.ts'

/** The SQL condition of a field of a filter. */
interface Condition {
  /** The SQL type of the condition's value. */
  readonly type: string
  /** `given` is the parameter, which is never null here. `isOne`: whether it is a list with one value. */
  readonly holds: (given: string, isOne: boolean) => string
}

/** The conditions of all fields of a filter. A new field does not compile until it has a condition. */
type Conditions<Filter> = { readonly [field in keyof Filter & string]: Condition }

/** The condition for all given fields together. */
interface Matched {
  readonly matches: string
  readonly values: readonly SqlValue[]
  /** Whether the filter selects few rows. */
  readonly isNarrow: boolean
}

interface Options {
  /** The number of the first field's parameter. The others follow in the order of the conditions. */
  readonly first?: number
  /** The fields that select few rows by an index (see `narrowestOf`). */
  readonly narrow?: readonly string[]
  /**
   * The fields in the same index: all of them for a list with one value, and only the first for a longer list. For a
   * longer list, the index gives no order. If the planner saw both ends of the time range, it could read all rows by
   * time when it has no statistics.
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

/** The rows that are named by their own uuids. Their index contains no times. */
const HOLDERS = 'holders'

/** The filter on metadata. */
export interface MetadataFilter {
  /** A JSON list of the items that a row must have, in tagged form. */
  readonly metadata?: string | undefined
  /** The uuids of all rows that may match; left out if there are too many, and each row must be checked. */
  readonly [HOLDERS]?: readonly string[] | undefined
}

const isListOfOne = (given: SqlValue | undefined): boolean => Array.isArray(given) && given.length === 1

export const UUIDS = 'uuid[]'
export const TEXTS = 'text[]'

/** For a single value, an index returns the rows in the order of its other columns, so a page reads no others. */
export const anyOf = (column: string) => (given: string, isOne: boolean) =>
  isOne ? `${column} = (${given})[1]` : `${column} = any (${given})`

export const METADATA_CONDITIONS: Conditions<MetadataFilter> = {
  metadata: { type: 'jsonb', holds: (given) => `e.metadata @> ${given}` },
  [HOLDERS]: { type: UUIDS, holds: anyOf('e.uuid') },
}

/** False in a Turkish database, where the lower-case letter of I is not ASCII. */
const I_IS_OF_ASCII = `lower('I' collate "default") = 'i'`

/**
 * Finds a text inside another one, ignoring case. Columns have an ASCII collation, which takes half the time and is
 * enough for an ASCII search text. A text of ASCII letters cannot contain other letters, unless their lower-case
 * letters are ASCII (the Kelvin sign). So only the remaining texts are compared with the collation of the database.
 */
export const contains = (column: string) => (given: string) => `case
    when ${isOfAscii(given)} then strpos(lower(${column}), lower(${given})) > 0
    when ${isOfAscii(column)} and not ${isOfAscii(inSmall(given))} and ${I_IS_OF_ASCII} then false
    else strpos(${inSmall(column)}, ${inSmall(given)}) > 0 end`

const isOfAscii = (text: string): string => `octet_length(${text}) = char_length(${text})`
const inSmall = (text: string): string => `lower(${text} collate "default")`
