import type { PoolClient } from 'pg'
import type { Result } from '../row-shape.ts'
import type { SqlValue } from '../sql.ts'
import { encodeValue } from '../encode-value.ts'

const names = new Map<string, string>()

/**
 * The name of the prepared statement for a text. Look-ups run the same few texts again and again, and to plan one of
 * them costs more than to run it. A text without a name is planned each time.
 */
export function nameOf(text: string): string | undefined {
  const name = names.get(text) ?? `statement_${names.size}`
  // Texts that are built differently each time would fill the memory of the server.
  if (!names.has(text) && names.size < MOST_NAMES) names.set(text, name)
  return names.has(text) ? name : undefined
}
const MOST_NAMES = 100

/** A statement with a name is planned once on each connection. */
export async function runStatement(
  client: PoolClient,
  text: string,
  values: readonly SqlValue[],
  name?: string,
): Promise<Result> {
  // Extended even without parameters, so that one text is one statement on both drivers.
  const config = { text, values: values.map(encodeValue), queryMode: 'extended', ...(name !== undefined && { name }) }
  return client.query<object>(config)
}

export async function runScript(client: PoolClient, text: string): Promise<void> {
  await client.query(text)
}
