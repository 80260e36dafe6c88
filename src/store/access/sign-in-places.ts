import type { Sql } from '../../db/sql.ts'

/** Whether an account has signed in from a place (its network) before. Both are keyed hashes. */
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

/** Remembers a place for some days, and at most `most` places of one account. It writes at most once a day. */
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
     where p.forget_at < excluded.forget_at - interval '1 day' returning 1 as one`,
    [domainId, account, place, days],
  )
  if (saved.length === 0) return
  await sql.query(
    `delete from sign_in_places where domain_id = $1 and account = $2 and place in (
       select place from sign_in_places where domain_id = $1 and account = $2 order by forget_at desc, place offset $3)`,
    [domainId, account, most],
  )
}

/** Forgets all places of an account. */
export async function deletePlaces(sql: Sql, domainId: number, account: Uint8Array): Promise<void> {
  await sql.query(`delete from sign_in_places where domain_id = $1 and account = $2`, [domainId, account])
}

/** As `deleteExpiredArtifacts`, by the clock of the database. */
export async function forgetPlaces(sql: Sql, domainId: number, _now: Date, most: number): Promise<number> {
  const rows = await sql.query(
    `delete from sign_in_places where domain_id = $1 and ctid = any (array(
       select ctid from sign_in_places where domain_id = $1 and forget_at <= now() order by forget_at limit $2
       for update skip locked)) returning 1 as one`,
    [domainId, most],
  )
  return rows.length
}
