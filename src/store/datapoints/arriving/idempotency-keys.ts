import { BOOL, INT8 } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Database, Sql } from '../../../db/sql.ts'

export interface IdempotencyKey {
  readonly actor: string
  readonly key: string
  /** The digest of the batch, to tell the same batch from another one with the same key. */
  readonly digest: Uint8Array
  /** Microseconds since 1970. */
  readonly at: number
}

const FIRST_BATCH = { at: INT8, isSame: BOOL }

/** The first batch that came with this key, which is this one unless there was one before. */
export async function rememberKey(
  sql: Sql,
  domainId: number,
  { actor, key, digest, at }: IdempotencyKey,
  now: Date,
): Promise<RowOf<typeof FIRST_BATCH>> {
  const [row] = await sql.rows(
    FIRST_BATCH,
    `insert into idempotency_keys as known (domain_id, actor, key, digest, at, created_at)
     values ($1, $2, $3, $4, $5, $6::timestamptz)
     on conflict (domain_id, actor, key) do update set key = known.key
     returning at, digest = $4 as "isSame"`,
    [domainId, actor, key, digest, at, now.toISOString()],
  )
  if (row === undefined) throw new Error('an upsert returned no row')
  return row
}

/** Whether a batch with this key came before, and which one. Of two at once the second waits for the first. */
export async function takeKey(
  sql: Sql,
  domainId: number,
  { actor, key, digest, at }: IdempotencyKey,
  now: Date,
): Promise<'new' | 'same batch' | 'another batch'> {
  const taken = await sql.query(
    `insert into idempotency_keys (domain_id, actor, key, digest, at, created_at)
     values ($1, $2, $3, $4, $5, $6::timestamptz) on conflict (domain_id, actor, key) do nothing returning 1 as one`,
    [domainId, actor, key, digest, at, now.toISOString()],
  )
  if (taken.length === 1) return 'new'
  const [known] = await sql.rows(
    { isSame: BOOL },
    `select digest = $4 as "isSame" from idempotency_keys where domain_id = $1 and actor = $2 and key = $3`,
    [domainId, actor, key, digest],
  )
  return known?.isSame === true ? 'same batch' : 'another batch'
}

export async function forgetKeysBefore(database: Database, before: Date): Promise<void> {
  await database.statement(`delete from idempotency_keys where created_at < $1::timestamptz`, [before.toISOString()])
}
