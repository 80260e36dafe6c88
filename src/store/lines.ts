import { HoldfastError } from '../lib/errors.ts'

// Each column of many rows is one text parameter with one line per row, so the number of parameters does not depend on
// the number of rows. `string_to_array` splits the lines in PostgreSQL. Keys contain no control characters and JSON
// escapes them, so no value contains the separator.

/** Throws for a value with a line feed, which would become two lines and shift the rows. */
export function toLines(values: readonly string[]): string {
  if (values.some((value) => value.includes('\n')))
    throw new HoldfastError('BAD_USER_INPUT', 'a key holds a line feed; no record has such a key')
  return values.join('\n')
}

/** SQL for the uuids of a column. With it, PostgreSQL finds the rows by an index in every join. */
export function uuidsIn(parameter: string): string {
  return `string_to_array(${parameter}, E'\\n')::uuid[]`
}

/**
 * SQL for rows from the parameters `$first`, `$first + 1`, …, one per column. They are unnested in the select list,
 * where PostgreSQL produces one row after the other. In the from clause it would first write all rows to a temporary
 * file. A column is text, or has its type after its name: `system_uuid::uuid`. A table with row level security must be
 * joined with typed columns: PostgreSQL does not push a cast below the policy, because the cast could reveal hidden
 * rows, and would read all visible rows.
 */
export function fromLines(alias: string, columns: readonly string[], first: number): string {
  const values = columns.map((column, index) => {
    const [name, type = 'text'] = column.split('::')
    return `unnest(string_to_array($${first + index}, E'\\n')::${type}[]) as ${name}`
  })
  return `(select ${values.join(', ')}) as ${alias}`
}
