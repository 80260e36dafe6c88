import { BYTEA, INT4, JSONB_OBJECT, TEXT, TIMESTAMPTZ, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'

const OUTLINED = { uuid: UUID, at: TIMESTAMPTZ, actor: TEXT, origin: JSONB_OBJECT, packed: BYTEA }

/** An apply and its stored outline. */
export type OutlinedApply = RowOf<typeof OUTLINED>

/** The latest applies that changed records, before the apply `before`; null for the latest of all. */
export async function fetchOutlinedApplies(
  sql: Sql,
  domainId: number,
  before: string | null,
  first: number,
): Promise<OutlinedApply[]> {
  return sql.rows(
    OUTLINED,
    `select a.uuid, a.applied_at as at, a.actor, a.origin, c.packed from applies a
     join apply_changes c on c.domain_id = $1 and c.apply_uuid = a.uuid and c.part = 0
     where a.domain_id = $1
       and ($2::uuid is null or a.number < (select number from applies where domain_id = $1 and uuid = $2::uuid))
     order by a.number desc limit $3`,
    [domainId, before, first],
  )
}

/** A stored part of an apply. */
export interface PartOfApply {
  readonly apply: string
  readonly part: number
}

const PART = { apply: UUID, part: INT4, packed: BYTEA }

export async function fetchPartsOfApplies(
  sql: Sql,
  domainId: number,
  parts: readonly PartOfApply[],
): Promise<RowOf<typeof PART>[]> {
  if (parts.length === 0) return []
  return sql.rows(
    PART,
    `select c.apply_uuid as apply, c.part, c.packed
     from unnest($2::uuid[], $3::integer[]) wanted (apply, part)
     join apply_changes c on c.domain_id = $1 and c.apply_uuid = wanted.apply and c.part = wanted.part`,
    [domainId, parts.map(({ apply }) => apply), parts.map(({ part }) => String(part))],
  )
}
