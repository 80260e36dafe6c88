import { INT8, isMapOf, jsonb, JSONB_OBJECT, nullable, TEXT, textOf, TIMESTAMPTZ, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import { isTypeOwner } from '../../records/type-owner.ts'
import { isDigest } from '../../lib/digest.ts'
import { noteChanges } from '../outbox.ts'

const APPLY = {
  uuid: UUID,
  at: TIMESTAMPTZ,
  actor: TEXT,
  origin: JSONB_OBJECT,
  planDigest: textOf(isDigest),
  summary: JSONB_OBJECT,
  scope: JSONB_OBJECT,
  managedBefore: JSONB_OBJECT,
  /** The owners before the apply; null for applies of older releases. */
  ownersBefore: nullable(jsonb(isMapOf(isTypeOwner))),
}

export type ApplyRow = RowOf<typeof APPLY>

const COLUMNS = `uuid, applied_at as at, actor, origin, plan_digest as "planDigest", summary, scope, managed_before as "managedBefore", owners_before as "ownersBefore"`

export async function fetchApply(sql: Sql, domainId: number, uuid: string): Promise<ApplyRow | null> {
  const [row] = await sql.rows(APPLY, `select ${COLUMNS} from applies where domain_id = $1 and uuid = $2`, [
    domainId,
    uuid,
  ])
  return row ?? null
}

export async function fetchAppliesOf(sql: Sql, domainId: number, uuids: readonly string[]): Promise<ApplyRow[]> {
  return sql.rows(APPLY, `select ${COLUMNS} from applies where domain_id = $1 and uuid = any ($2::uuid[])`, [
    domainId,
    uuids,
  ])
}

/**
 * The applies, the latest first. They are ordered by their numbers and not by time, because clocks differ. The page
 * begins after the apply `before`.
 */
export async function fetchApplies(
  sql: Sql,
  domainId: number,
  first: number,
  before: string | null,
): Promise<ApplyRow[]> {
  return sql.rows(
    APPLY,
    `select ${COLUMNS} from applies
     where domain_id = $1
       and ($2::uuid is null or number < (select number from applies where domain_id = $1 and uuid = $2::uuid))
     order by number desc limit $3`,
    [domainId, before, first],
  )
}

export async function countApplies(sql: Sql, domainId: number): Promise<number> {
  const [row] = await sql.rows({ count: INT8 }, `select count(*) as count from applies where domain_id = $1`, [
    domainId,
  ])
  return row?.count ?? 0
}

/** The applies after this one, the latest first. */
export async function fetchAppliesAfter(sql: Sql, domainId: number, uuid: string, most: number): Promise<ApplyRow[]> {
  return sql.rows(
    APPLY,
    `select ${COLUMNS} from applies
     where domain_id = $1 and number > (select number from applies where domain_id = $1 and uuid = $2::uuid)
     order by number desc limit $3`,
    [domainId, uuid, most],
  )
}

/** The applies since a time, the latest first. */
export async function fetchAppliesSince(sql: Sql, domainId: number, since: Date, most: number): Promise<ApplyRow[]> {
  return sql.rows(
    APPLY,
    `select ${COLUMNS} from applies where domain_id = $1 and applied_at >= $2::timestamptz order by number desc limit $3`,
    [domainId, since.toISOString(), most],
  )
}

/** Inserts an apply. The caller holds the domain's lock (`writeDomain`), so the numbers show their order. */
export async function insertApply(sql: Sql, domainId: number, apply: ApplyRow): Promise<void> {
  await sql.query(
    `insert into applies
       (domain_id, uuid, applied_at, actor, origin, plan_digest, summary, scope, managed_before, owners_before, number)
     select $1, $2::uuid, $3::timestamptz, $4, $5::jsonb, $6, $7::jsonb, $8::jsonb, $9::jsonb, $10::jsonb,
       coalesce(max(number), 0) + 1
     from applies where domain_id = $1 returning 1 as one`,
    [
      domainId,
      apply.uuid,
      apply.at.toISOString(),
      apply.actor,
      JSON.stringify(apply.origin),
      apply.planDigest,
      JSON.stringify(apply.summary),
      JSON.stringify(apply.scope),
      JSON.stringify(apply.managedBefore),
      JSON.stringify(apply.ownersBefore),
    ],
  )
  await noteChanges(sql, domainId, 'applies', [apply.uuid])
}
