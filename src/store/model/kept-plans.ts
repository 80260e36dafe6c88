import { BYTEA, INT8, nullable, TIMESTAMPTZ } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import { fromLines, toLines } from '../lines.ts'
import type { PackedChanges } from './apply-changes.ts'

interface NewKeptPlan extends PackedChanges {
  readonly uuid: string
  readonly owner: string
  readonly madeAt: Date
  readonly forgetAt: Date
  readonly head: Uint8Array
  readonly sealed: Uint8Array | null
}

/**
 * Keeps a plan, and deletes expired plans and those beyond the space limit. A plan is deleted if its owner has kept too
 * much since then. So a person with many plans loses the oldest of them, and does not take space from others.
 */
export async function keepPlan(sql: Sql, domainId: number, plan: NewKeptPlan, mostBytes: number): Promise<void> {
  const { uuid, owner, madeAt, forgetAt, head, outline, sealed, parts } = plan
  const size = [head, outline, sealed ?? new Uint8Array(), ...parts].reduce((sum, { length }) => sum + length, 0)
  await sql.query(
    `insert into kept_plans (domain_id, uuid, owner, made_at, forget_at, size, head, outline, sealed)
     values ($1, $2::uuid, $3, $4::timestamptz, $5::timestamptz, $6, $7, $8, $9)`,
    [domainId, uuid, owner, madeAt.toISOString(), forgetAt.toISOString(), size, head, outline, sealed],
  )
  if (parts.length > 0)
    await sql.query(
      `insert into kept_plan_parts (domain_id, plan_uuid, place, part)
       select $1, $2::uuid, new.place::integer, decode(new.part, 'base64')
       from ${fromLines('new', ['place', 'part'], 3)} returning 1 as one`,
      [
        domainId,
        uuid,
        toLines(parts.map((_, place) => String(place))),
        toLines(parts.map((part) => Buffer.from(part).toString('base64'))),
      ],
    )
  await sql.query(
    `delete from kept_plans p using (
       select uuid, forget_at,
         sum(size) over (order by uuid = $2::uuid desc, own, made_at desc, uuid) as room
       from (
         select uuid, forget_at, made_at, size, sum(size) over (partition by owner order by made_at desc, uuid) as own
         from kept_plans where domain_id = $1
       ) shared
     ) known
     where p.domain_id = $1 and p.uuid = known.uuid and p.uuid <> $2::uuid
       and (known.room > $3 or known.forget_at <= $4::timestamptz)`,
    [domainId, uuid, mostBytes, madeAt.toISOString()],
  )
}

const KEPT_PLAN = { madeAt: TIMESTAMPTZ, head: BYTEA, outline: BYTEA }

/** Null if the plan no longer exists, or belongs to another person. */
export async function fetchKeptPlan(
  sql: Sql,
  domainId: number,
  { uuid, owner, now }: { readonly uuid: string; readonly owner: string; readonly now: Date },
): Promise<RowOf<typeof KEPT_PLAN> | null> {
  const [row] = await sql.rows(
    KEPT_PLAN,
    `select made_at as "madeAt", head, outline from kept_plans
     where domain_id = $1 and uuid = $2::uuid and owner = $3 and forget_at > $4::timestamptz`,
    [domainId, uuid, owner, now.toISOString()],
  )
  return row ?? null
}

/** The planned document, encrypted; null if it was not kept. */
export async function fetchSealedDocument(sql: Sql, domainId: number, uuid: string): Promise<Uint8Array | null> {
  const [row] = await sql.rows(
    { sealed: nullable(BYTEA) },
    `select sealed from kept_plans where domain_id = $1 and uuid = $2::uuid`,
    [domainId, uuid],
  )
  return row?.sealed ?? null
}

/** The parts with these numbers; null for all. */
export async function fetchKeptParts(
  sql: Sql,
  domainId: number,
  uuid: string,
  places: readonly number[] | null,
): Promise<Uint8Array[]> {
  const rows = await sql.rows(
    { place: INT8, part: BYTEA },
    `select place::int8 as place, part from kept_plan_parts
     where domain_id = $1 and plan_uuid = $2::uuid and ($3::integer[] is null or place = any ($3::integer[]))
     order by place`,
    [domainId, uuid, places === null ? null : places.map(String)],
  )
  return rows.map(({ part }) => part)
}

/** Like `deleteExpiredArtifacts`. */
export async function deleteExpiredPlans(sql: Sql, domainId: number, now: Date, most: number): Promise<number> {
  const rows = await sql.query(
    `delete from kept_plans where domain_id = $1 and ctid = any (array(
       select ctid from kept_plans where domain_id = $1 and forget_at <= $2::timestamptz limit $3
       for update skip locked)) returning 1 as one`,
    [domainId, now.toISOString(), most],
  )
  return rows.length
}
