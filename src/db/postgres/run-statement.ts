import type { PoolClient } from 'pg'
import type { Result } from '../row-shape.ts'
import type { SqlValue } from '../sql.ts'
import { encodeValue } from '../encode-value.ts'
import { nameOf, plannedOnce } from '../planned-once.ts'

/** Runs a statement that is a transaction of its own. Look-ups run the same few texts again and again, so they are planned once. */
export async function runStatement(client: PoolClient, text: string, values: readonly SqlValue[]): Promise<Result> {
  // pg notes by itself which names a connection has, so they are not those of statements that go together.
  const name = nameOf(plannedOnce(text))
  // Extended even without parameters, so that one text is one statement on both drivers.
  const config = {
    text,
    values: values.map(encodeValue),
    queryMode: 'extended',
    ...(name !== undefined && { name: `alone_${name}` }),
  }
  return client.query<object>(config)
}

export async function runScript(client: PoolClient, text: string): Promise<void> {
  await client.query(text)
}
