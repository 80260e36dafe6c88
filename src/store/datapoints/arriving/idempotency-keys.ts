import { BOOL, INT8, nullable, TEXT } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Database, Sql } from '../../../db/sql.ts'
import { Attempts } from '../../../lib/attempts.ts'
import { listDomainIds } from '../../domains.ts'
import { inEachDomain } from '../../nodes-of-domains.ts'
import { microseconds } from '../../sql-times.ts'

/** The key of a request. Each sender has its own. */
export interface IdempotencyKey {
  readonly actor: string
  readonly key: string
  /** The digest of the request, to detect a different request with the same key. */
  readonly digest: Uint8Array
}

const KNOWN_REQUEST = {
  isSame: BOOL,
  /** The time when the batch arrived, in microseconds since 1970. */
  at: INT8,
  /** The number of the flush or change that the request made. */
  change: nullable(INT8),
  /** The answer to the batch; null if the answer is stored in another way. */
  answer: nullable(TEXT),
  /** The current version of access. The rights of the sender may have been looked up with an older version. */
  accessVersion: INT8,
}

export type KnownRequest = RowOf<typeof KNOWN_REQUEST>

/** Finds the earlier request with this key; null if there is none. */
export async function findRequest(
  sql: Sql,
  domainId: number,
  { actor, key, digest }: IdempotencyKey,
): Promise<KnownRequest | null> {
  const [row] = await sql.rows(
    KNOWN_REQUEST,
    `select k.digest = $4 as "isSame", k.at, k.change, k.answer,
       coalesce((select v.version from access_versions v where v.domain_id = $1), 0) as "accessVersion"
     from idempotency_keys k where k.domain_id = $1 and k.actor = $2 and k.key = $3`,
    [domainId, actor, key, digest],
  )
  return row ?? null
}

/**
 * Takes a key, unless an earlier request has taken it. If two requests come at once, the second waits for the first.
 */
export async function takeKey(
  sql: Sql,
  domainId: number,
  { actor, key, digest }: IdempotencyKey,
): Promise<'new' | 'known'> {
  const taken = await sql.query(
    `insert into idempotency_keys (domain_id, actor, key, digest, at, created_at)
     values ($1, $2, $3, $4, ${microseconds('now()')}, now())
     on conflict (domain_id, actor, key) do nothing returning 1 as one`,
    [domainId, actor, key, digest],
  )
  return taken.length === 1 ? 'new' : 'known'
}

/** Stores the answer to a request in the transaction that took its key, or changes the answer later. */
export async function keepAnswer(
  sql: Sql,
  domainId: number,
  { actor, key }: IdempotencyKey,
  { change, answer }: { readonly change: number; readonly answer: string },
): Promise<void> {
  await sql.query(
    `update idempotency_keys set change = $4, answer = $5 where domain_id = $1 and actor = $2 and key = $3`,
    [domainId, actor, key, change, answer],
  )
}

/** The maximum number of keys that one statement deletes. */
const FORGOTTEN_AT_ONCE = 10_000

/** Deletes keys older than `hours`, by the clock of the database. It skips keys that other transactions have locked. */
export async function forgetKeys(database: Database, hours: number): Promise<void> {
  const attempts = new Attempts()
  await inEachDomain(database, await database.read(listDomainIds), attempts, async (domainId) => {
    while ((await forgetSomeKeys(database, domainId, hours, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE) continue
  })
  attempts.end()
}

/** Deletes at most `most` of these keys of a domain, and returns how many it deleted. */
export async function forgetSomeKeys(
  sql: Pick<Sql, 'rows'>,
  domainId: number,
  hours: number,
  most: number,
): Promise<number> {
  const [row] = await sql.rows(
    { forgotten: INT8 },
    `with old as (
       select actor, key from idempotency_keys where domain_id = $1 and created_at < now() - make_interval(hours => $2)
       order by created_at limit $3 for update skip locked
     ), forgotten as (
       delete from idempotency_keys k using old
       where k.domain_id = $1 and k.actor = old.actor and k.key = old.key returning 1
     )
     select count(*) as forgotten from forgotten`,
    [domainId, hours, most],
  )
  return row?.forgotten ?? 0
}
