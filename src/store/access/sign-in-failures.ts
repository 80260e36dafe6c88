import { FLOAT8, INT4, TIMESTAMPTZ } from '../../db/columns.ts'
import type { Sql } from '../../db/sql.ts'

// Failed sign-ins are counted for all processes together, by the clock of the database.

/** The name of a counter, and how its failures delay later attempts. */
export interface FailureCount {
  readonly kind: string
  readonly slot: number
  /** The number of failures without a wait. After it, each failure doubles the wait, up to the longest. */
  readonly free: number
  readonly firstWaitSeconds: number
  readonly longestWaitSeconds: number
  /** After this time without a failure, the count restarts. */
  readonly forgetSeconds: number
}

/** The slot is closed until this time. A time beyond the longest wait is ignored: the clock was set back. */
const IS_CLOSED = `f.closed_until > statement_timestamp()
  and f.closed_until <= statement_timestamp() + make_interval(secs => $4)`

/**
 * SQL for the number of failures with this one, from the locked row. Citus accepts no time in a CASE, and adds no
 * interval of a column to a time.
 */
const FAILURES = `(1 + $8::integer * ($9::timestamptz > statement_timestamp())::integer)`

/** SQL for the wait after a number of failures. */
const WAIT = `make_interval(secs => (${FAILURES} > $5::integer)::integer
  * least($4::numeric, $6::numeric * power(2.0, least(${FAILURES} - $5::integer - 1, 30))))`

const COUNTED = { failures: INT4, forgetAt: TIMESTAMPTZ }

/**
 * Counts one failure, correctly even under concurrency. Returns false and counts nothing while the slot is closed. The
 * first statement locks the row, so that the second one uses the time after the lock.
 */
export async function countFailure(sql: Sql, domainId: number, count: FailureCount): Promise<boolean> {
  const { kind, slot, free, firstWaitSeconds, longestWaitSeconds, forgetSeconds } = count
  const [held] = await sql.rows(
    COUNTED,
    `insert into sign_in_failures as f (domain_id, kind, slot, failures, closed_until, forget_at)
     values ($1, $2, $3, 0, 'epoch', 'epoch') on conflict (domain_id, kind, slot) do update set kind = f.kind
     returning f.failures, f.forget_at as "forgetAt"`,
    [domainId, kind, slot],
  )
  if (held === undefined) throw new Error('an insert returned no row')
  const rows = await sql.query(
    `update sign_in_failures f set failures = ${FAILURES}, closed_until = statement_timestamp() + ${WAIT},
       forget_at = statement_timestamp() + make_interval(secs => $7)
     where domain_id = $1 and kind = $2 and slot = $3 and not (${IS_CLOSED}) returning 1 as one`,
    [
      domainId,
      kind,
      slot,
      longestWaitSeconds,
      free,
      firstWaitSeconds,
      forgetSeconds,
      held.failures,
      held.forgetAt.toISOString(),
    ],
  )
  return rows.length === 1
}

/** The seconds until the slot opens. */
export async function fetchWait(
  sql: Sql,
  domainId: number,
  { kind, slot, longestWaitSeconds }: FailureCount,
): Promise<number> {
  const [row] = await sql.rows(
    { seconds: FLOAT8 },
    `select extract(epoch from f.closed_until - statement_timestamp())::float8 as seconds from sign_in_failures f
     where f.domain_id = $1 and f.kind = $2 and f.slot = $3 and ${IS_CLOSED}`,
    [domainId, kind, slot, longestWaitSeconds],
  )
  return row?.seconds ?? 0
}

/** Reverts a failure that was counted before the secret proved right. `wholly` resets the count. */
export async function uncountFailure(
  sql: Sql,
  domainId: number,
  { kind, slot, free }: FailureCount,
  { wholly }: { readonly wholly: boolean },
): Promise<void> {
  await sql.query(
    wholly
      ? `delete from sign_in_failures where domain_id = $1 and kind = $2 and slot = $3`
      : `update sign_in_failures set failures = greatest(failures - 1, 0),
           closed_until = case when failures - 1 <= $4 then timestamptz 'epoch' else closed_until end
         where domain_id = $1 and kind = $2 and slot = $3`,
    wholly ? [domainId, kind, slot] : [domainId, kind, slot, free],
  )
}

/** Like `deleteExpiredArtifacts`, but uses the clock of the database. */
export async function forgetFailures(sql: Sql, domainId: number, _now: Date, most: number): Promise<number> {
  const rows = await sql.query(
    `delete from sign_in_failures where domain_id = $1 and ctid = any (array(
       select ctid from sign_in_failures where domain_id = $1 and forget_at <= now() order by forget_at limit $2
       for update skip locked)) returning 1 as one`,
    [domainId, most],
  )
  return rows.length
}

/** Whether an account has signed in from a place (its network) before. Both are stored as keyed hashes. */
export async function isKnownPlace(
  sql: Sql,
  domainId: number,
  account: Uint8Array,
  place: Uint8Array,
): Promise<boolean> {
  const rows = await sql.query(
    `select 1 as one from sign_in_places
     where domain_id = $1 and account = $2 and place = $3 and forget_at > now()`,
    [domainId, account, place],
  )
  return rows.length === 1
}

/** Stores a place for some days, and at most `most` places per account. It writes at most once a day. */
export async function savePlace(
  sql: Sql,
  domainId: number,
  { account, place }: { readonly account: Uint8Array; readonly place: Uint8Array },
  { days, most }: { readonly days: number; readonly most: number },
): Promise<void> {
  const saved = await sql.query(
    `insert into sign_in_places as p (domain_id, account, place, forget_at)
     values ($1, $2, $3, now() + make_interval(days => $4))
     on conflict (domain_id, account, place) do update set forget_at = excluded.forget_at
     where excluded.forget_at - p.forget_at > interval '1 day' returning 1 as one`,
    [domainId, account, place, days],
  )
  if (saved.length === 0) return
  await sql.query(
    `delete from sign_in_places where domain_id = $1 and account = $2 and place in (
       select place from sign_in_places where domain_id = $1 and account = $2 order by forget_at desc, place offset $3)`,
    [domainId, account, most],
  )
}

/** Forgets all places of some accounts. */
export async function deletePlaces(sql: Sql, domainId: number, accounts: readonly Uint8Array[]): Promise<void> {
  await sql.query(
    `delete from sign_in_places
     where domain_id = $1 and account in (select decode(hex, 'hex') from unnest($2::text[]) as forgotten (hex))`,
    [domainId, accounts.map((account) => Buffer.from(account).toString('hex'))],
  )
}

/** Like `deleteExpiredArtifacts`, but uses the clock of the database. */
export async function forgetPlaces(sql: Sql, domainId: number, _now: Date, most: number): Promise<number> {
  const rows = await sql.query(
    `delete from sign_in_places where domain_id = $1 and ctid = any (array(
       select ctid from sign_in_places where domain_id = $1 and forget_at <= now() order by forget_at limit $2
       for update skip locked)) returning 1 as one`,
    [domainId, most],
  )
  return rows.length
}
