import type { PoolClient } from 'pg'
import type { Result } from '../row-shape.ts'
import type { SqlValue } from '../sql.ts'
import { encodeValue } from '../encode-value.ts'
import { nameAlone } from '../planned-once.ts'

/** Runs a statement that is a transaction of its own; it is planned once on each connection. */
export async function runStatement(client: PoolClient, text: string, values: readonly SqlValue[]): Promise<Result> {
  const name = nameAlone(text)
  // Extended even without parameters, so that one text is one statement on both drivers.
  const config = {
    text,
    values: values.map(encodeValue),
    queryMode: 'extended',
    ...(name !== undefined && { name }),
  }
  return client.query<object>(config)
}

export async function runScript(client: PoolClient, text: string): Promise<void> {
  await client.query(text)
}
