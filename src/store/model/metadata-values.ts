import { jsonb, TEXT, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import type { Json } from '../../lib/json.ts'
import { ENTITIES } from '../../records/entities.ts'
import type { Entity } from '../../records/entity.ts'
import { cursorRows } from '../cursor-rows.ts'
import { fromLines, toLines } from '../lines.ts'

// Systems, components and events store their metadata in their own rows. Values that must be unique are also stored
// here, under a unique key.

const VALUE_NAME = { entity: TEXT, key: TEXT, holder: UUID }
type ValueName = RowOf<typeof VALUE_NAME>

const HELD_VALUE = { ...VALUE_NAME, value: jsonb((value): value is Json => value !== undefined) }

/** A value in tagged form, and the uuid of its system, component or event. */
export type HeldValue = RowOf<typeof HELD_VALUE>

/**
 * Replaces the stored values of these holders. Returns the values that other holders already have. If there are any,
 * the caller must roll back.
 */
export async function noteUniqueValues(
  sql: Sql,
  domainId: number,
  holders: readonly string[],
  values: readonly HeldValue[],
): Promise<readonly HeldValue[]> {
  await sql.query(`delete from unique_metadata where domain_id = $1 and holder_uuid = any ($2::uuid[])`, [
    domainId,
    holders,
  ])
  if (values.length === 0) return []
  const noted = await sql.rows(
    VALUE_NAME,
    `insert into unique_metadata (domain_id, entity, key, value_hash, holder_uuid)
     select $1, entity, key, sha256(convert_to((value::jsonb)::text, 'UTF8')), holder::uuid
     from ${fromLines('new', ['entity', 'key', 'value', 'holder'], 2)}
     on conflict (domain_id, entity, key, value_hash) do nothing returning entity, key, holder_uuid as holder`,
    [
      domainId,
      toLines(values.map(({ entity }) => entity)),
      toLines(values.map(({ key }) => key)),
      toLines(values.map(({ value }) => JSON.stringify(value))),
      toLines(values.map(({ holder }) => holder)),
    ],
  )
  if (noted.length === values.length) return []
  const kept = new Set(noted.map(nameOf))
  return values.filter((value) => !kept.has(nameOf(value)))
}

function nameOf({ entity, key, holder }: ValueName): string {
  return JSON.stringify([entity, key, holder])
}

/** The tables of the entities with metadata. */
const TABLES = ENTITIES.flatMap(({ metadataEntity, table }) =>
  metadataEntity ? [{ entity: metadataEntity, table }] : [],
)

export function isHeldByData(entity: string): boolean {
  return TABLES.some((one) => one.entity === entity)
}

const ALL_VALUES = TABLES.map(
  ({ entity, table }) =>
    `select '${entity}' as entity, item ->> 'key' as key, item -> 'value' as value, t.uuid as holder
       from ${table} t cross join lateral jsonb_array_elements(t.metadata) item where t.domain_id = $1`,
).join(' union all ')

/**
 * The uuids of the rows with all of these items of metadata (a JSON list in tagged form), and perhaps of a few others;
 * null if there are more than `most`. It uses an index, so its time does not depend on the number of rows.
 */
export async function findHolders(
  sql: Sql,
  { table }: Pick<Entity, 'table'>,
  items: string,
  most: number,
): Promise<readonly string[] | null> {
  const found = await sql.rows(
    { uuid: UUID },
    `select found.uuid from find_by_metadata($1, $2::jsonb, $3::integer) found (uuid)`,
    [table, items, most + 1],
  )
  return found.length > most ? null : found.map(({ uuid }) => uuid)
}

/** The values of each fetch. A value has at most 16 KiB. */
const VALUES_AT_ONCE = 200

/**
 * Reads all values of these keys in batches. Equal values of one key follow each other. It reads all metadata of these
 * entities, so it is only used when a rule changes.
 */
export async function* readHeldValues(
  sql: Sql,
  domainId: number,
  keys: readonly { readonly entity: string; readonly key: string }[],
): AsyncGenerator<HeldValue[]> {
  if (keys.length === 0) return
  await sql.query(
    `declare held_values no scroll cursor for
     select held.* from (${ALL_VALUES}) held
     join ${fromLines('wanted', ['entity', 'key'], 2)} on held.entity = wanted.entity and held.key = wanted.key
     order by held.entity, held.key, sha256(convert_to(held.value::text, 'UTF8')), held.holder`,
    [domainId, toLines(keys.map(({ entity }) => entity)), toLines(keys.map(({ key }) => key))],
  )
  yield* cursorRows(sql, HELD_VALUE, 'held_values', VALUES_AT_ONCE)
}

/** Stores the values of keys that are now unique, and deletes the values of other keys. */
export async function noteChangedRules(
  sql: Sql,
  domainId: number,
  rules: readonly { readonly entity: string; readonly key: string; readonly unique: boolean }[],
): Promise<void> {
  const lines = (some: typeof rules) => [toLines(some.map(({ entity }) => entity)), toLines(some.map(({ key }) => key))]
  await sql.query(
    `delete from unique_metadata u using ${fromLines('changed', ['entity', 'key'], 2)}
     where u.domain_id = $1 and u.entity = changed.entity and u.key = changed.key`,
    [domainId, ...lines(rules)],
  )
  const unique = rules.filter((rule) => rule.unique)
  if (unique.length === 0) return
  await sql.query(
    `insert into unique_metadata (domain_id, entity, key, value_hash, holder_uuid)
     select $1, held.entity, held.key, sha256(convert_to(held.value::text, 'UTF8')), held.holder from (${ALL_VALUES}) held
     join ${fromLines('wanted', ['entity', 'key'], 2)} on held.entity = wanted.entity and held.key = wanted.key
     where jsonb_typeof(held.value) <> 'null' returning 1 as one`,
    [domainId, ...lines(unique)],
  )
}
