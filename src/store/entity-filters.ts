import type { SqlValue } from '../db/sql.ts'
import { keysOf } from '../lib/entries.ts'

/** What a field of a filter means. */
interface Condition {
  /** The type in SQL of its value. */
  readonly type: string
  /** `given` is the parameter, which is never null there. */
  readonly holds: (given: string) => string
}

/** A field that is added to a filter does not compile until its condition is here. */
type Conditions<Filter> = { readonly [field in keyof Filter & string]: Condition }

interface Matching<Filter> {
  /** All that is given must hold. */
  readonly matches: string
  valuesOf(filter: Filter): readonly SqlValue[]
}

/** `first`: the number of the parameter of the first field. Others follow in the order of the conditions. */
export function matching<Filter extends { readonly [field in keyof Filter]?: SqlValue | undefined }>(
  conditions: Conditions<Filter>,
  first = 3,
): Matching<Filter> {
  const fields = keysOf(conditions)
  const texts = fields.map((field, index) => {
    const { type, holds } = conditions[field]
    const given = `$${first + index}::${type}`
    return `(${given} is null or ${holds(given)})`
  })
  return { matches: texts.join('\n  and '), valuesOf: (filter) => fields.map((field) => filter[field] ?? null) }
}

export const UUIDS = 'uuid[]'
export const TEXTS = 'text[]'

export const anyOf = (column: string) => (given: string) => `${column} = any (${given})`

/**
 * A part of a text, in any case. The columns know the case of ASCII alone, which is quicker, and of other letters only those
 * matter that are looked for. One that becomes two in the other case, such as ß, has the database look at all letters.
 */
export const contains = (column: string) => (given: string) => {
  const [lower, upper] = [`lower(${given} collate "default")`, `upper(${given} collate "default")`]
  return `strpos(case
      when octet_length(${given}) = char_length(${given}) then lower(${column})
      when char_length(${upper}) = char_length(${lower}) then translate(lower(${column}), ${upper}, ${lower})
      else lower(${column} collate "default") end, ${lower}) > 0`
}
