import { isMapOf, jsonb, nullable, TEXT } from '../../db/columns.ts'
import type { Sql } from '../../db/sql.ts'
import { isRecordTypeName, type RecordTypeName } from '../../records/record-type.ts'
import { isTypeOwner, type TypeOwner } from '../../records/type-owner.ts'
import { isManaged, type ManagedTypes } from '../domains.ts'

/** The owners of record types. A missing type belongs to the local owner. */
type TypeOwners = ReadonlyMap<RecordTypeName, TypeOwner>

/** The state of a domain after its applies: the managed types and their owners. */
export interface ScopeMemory {
  readonly managed: ManagedTypes
  readonly owners: TypeOwners
}

const OWNERS = nullable(jsonb(isMapOf(isTypeOwner)))

export async function fetchScopeMemory(sql: Sql, domainId: number): Promise<ScopeMemory> {
  const [row] = await sql.rows(
    { managed: jsonb(isMapOf(isManaged)), owners: OWNERS },
    `select managed_types as managed, type_owners as owners from domain_state where domain_id = $1`,
    [domainId],
  )
  const managed = byType(row?.managed)
  if (row?.owners != null) return { managed, owners: byType(row.owners) }
  return { managed, owners: managed.size === 0 ? new Map() : await ownersInHistory(sql, domainId, managed) }
}

function byType<Value>(map: { readonly [type: string]: Value } = {}): ReadonlyMap<RecordTypeName, Value> {
  return new Map(Object.entries(map).filter((entry): entry is [RecordTypeName, Value] => isRecordTypeName(entry[0])))
}

/**
 * The maximum number of applies that are searched for owners. A type that none of them managed belongs to the local
 * owner.
 */
const MOST_APPLIES = 1_000

/** The repositories of the last applies of the types. Older releases stored nothing else about owners. */
async function ownersInHistory(sql: Sql, domainId: number, managed: ManagedTypes): Promise<TypeOwners> {
  const rows = await sql.rows(
    { type: TEXT, repository: nullable(TEXT) },
    `select distinct on (s.key) s.key as type, a.origin ->> 'repository' as repository
     from (select * from applies where domain_id = $1 order by number desc limit $2) a
     cross join lateral jsonb_each_text(a.scope) s
     where s.value in ('managed', 'emptied') and a.origin ->> 'rollbackOf' is null order by s.key, a.number desc`,
    [domainId, MOST_APPLIES],
  )
  const owners = new Map<RecordTypeName, TypeOwner>()
  for (const { type, repository } of rows)
    if (isRecordTypeName(type) && managed.has(type) && repository !== null)
      owners.set(type, { kind: 'recorded', name: repository })
  return owners
}

/** The state that the apply after another one found; the present state if there is none. */
export async function fetchMemoryAfter(sql: Sql, domainId: number, applyUuid: string): Promise<ScopeMemory> {
  const [row] = await sql.rows(
    { managed: jsonb(isMapOf(isManaged)), owners: OWNERS },
    `select managed_before as managed, owners_before as owners from applies
     where domain_id = $1 and number > (select number from applies where domain_id = $1 and uuid = $2::uuid)
     order by number limit 1`,
    [domainId, applyUuid],
  )
  const now = await fetchScopeMemory(sql, domainId)
  return row === undefined ? now : { managed: byType(row.managed), owners: byType(row.owners ?? {}) }
}

export async function saveScopeMemory(sql: Sql, domainId: number, { managed, owners }: ScopeMemory): Promise<void> {
  await sql.query(`update domain_state set managed_types = $2::jsonb, type_owners = $3::jsonb where domain_id = $1`, [
    domainId,
    JSON.stringify(Object.fromEntries(managed)),
    JSON.stringify(Object.fromEntries(owners)),
  ])
}
