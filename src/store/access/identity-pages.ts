import { BOOL, INT8, jsonb, JSONB_OBJECT, nullable, UUID } from '../../db/columns.ts'
import { hasShape } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import { EXTERNAL_IDENTITY } from '../../records/entities.ts'
import { fetchEntities, selectEntities } from '../entities.ts'
import type { EntityRow, Reading } from '../entity-columns.ts'
import { matching } from '../entity-filters.ts'
import { hidden } from '../narrowest.ts'
import type { Placed } from '../cursors.ts'
import { countEntities, fetchEntityPage, type EntityPage } from '../entity-pages.ts'
import { IDENTIFIED_RECORD } from '../model/records.ts'
import type { RecordTypeName } from '../../records/record-type.ts'
import { PLATFORM_RECORD, PLATFORM_RECORD_COLUMNS, type PlatformRecord } from './platform-records.ts'

const SHAPE = {
  /** Null if the identity is bound to no account. */
  accountUuid: nullable(UUID),
  /** Null if the identity is bound to no account, or to a deleted one. */
  account: nullable(jsonb(hasShape({ ...IDENTIFIED_RECORD, body: JSONB_OBJECT, isOfModel: BOOL }))),
}

/** An identity in the form for administrators. */
export type StoredIdentity = EntityRow<typeof EXTERNAL_IDENTITY, typeof SHAPE>

const READING: Reading<typeof SHAPE> = {
  expressions: {
    accountUuid: 'e.account_uuid',
    account: `coalesce(
  (select jsonb_build_object('uuid', r.uuid, 'type', r.type, 'key', r.key, 'body', r.body, 'isOfModel', true)
   from records r where r.domain_id = $1 and r.uuid = e.account_uuid),
  (select jsonb_build_object('uuid', p.uuid, 'type', p.type, 'key', p.key, 'body', p.body, 'isOfModel', false)
   from platform_records p where p.domain_id = $1 and p.uuid = e.account_uuid and not exists (
     select from records r where r.domain_id = $1 and r.type = p.type and r.key = p.key)))`,
  },
  shape: SHAPE,
}

/** A member is null if it does not restrict the list. */
export interface IdentityFilter {
  readonly account: string | null
  readonly method: string | null
  readonly isRefused: boolean | null
}

const match = matching<IdentityFilter>(
  {
    account: { type: 'uuid', holds: (given) => `e.account_uuid = ${given}` },
    method: { type: 'uuid', holds: (given) => `e.method_uuid = ${given}` },
    isRefused: { type: 'boolean', holds: (given) => `(e.refusal is not null) = ${given}` },
  },
  { narrow: ['account'] },
)

/** The identities in the order of their first sign-in, the latest first. */
export function fetchIdentityPage(
  sql: Sql,
  domainId: number,
  filter: IdentityFilter,
  page: Pick<EntityPage, 'first' | 'after'>,
): Promise<Placed<StoredIdentity>[]> {
  const meant = { ...match(filter), units: undefined, reading: READING }
  return fetchEntityPage(sql, domainId, EXTERNAL_IDENTITY, meant, { ...page, by: 'created_at', isDescending: true })
}

export function countIdentities(sql: Sql, domainId: number, filter: IdentityFilter): Promise<number> {
  return countEntities(sql, domainId, EXTERNAL_IDENTITY, { ...match(filter), units: undefined })
}

/** Reads an identity and locks it until the transaction ends. */
export async function lockStoredIdentity(sql: Sql, domainId: number, uuid: string): Promise<StoredIdentity | null> {
  const [found] = await selectEntities(sql, EXTERNAL_IDENTITY, {
    rest: 'where e.domain_id = $1 and e.uuid = $2::uuid for update of e',
    values: [domainId, uuid],
    reading: READING,
  })
  return found ?? null
}

/** Deletes an identity that was never bound. One that was unbound stays, so that this is remembered. */
export async function forgetIdentity(sql: Sql, domainId: number, uuid: string): Promise<void> {
  await sql.query(
    `delete from external_identities
     where domain_id = $1 and uuid = $2::uuid and ${hidden('account_uuid is null')} and unbound_at is null`,
    [domainId, uuid],
  )
}

export function fetchStoredIdentities(sql: Sql, domainId: number, uuids: readonly string[]): Promise<StoredIdentity[]> {
  return fetchEntities(sql, domainId, EXTERNAL_IDENTITY, uuids, READING)
}

export async function fetchStoredIdentitiesOf(
  sql: Sql,
  domainId: number,
  accountUuids: readonly string[],
): Promise<StoredIdentity[]> {
  if (accountUuids.length === 0) return []
  return selectEntities(sql, EXTERNAL_IDENTITY, {
    rest: 'where e.domain_id = $1 and e.account_uuid = any ($2::uuid[]) order by e.issuer, e.subject',
    values: [domainId, accountUuids],
    reading: READING,
  })
}

/** The condition that no record of the model has replaced the user. */
const COUNTS = `p.domain_id = $1 and (
  select r.uuid from records r where r.domain_id = $1 and r.type = p.type and r.key = p.key limit 1) is null`

/** The people known from other providers, by key, after the key `after`. */
export async function fetchDelegatedUsers(
  sql: Sql,
  domainId: number,
  type: RecordTypeName,
  { first, after }: { readonly first: number; readonly after: string | null },
): Promise<PlatformRecord[]> {
  return sql.rows(
    PLATFORM_RECORD,
    `select ${PLATFORM_RECORD_COLUMNS} from platform_records p where ${COUNTS} and p.type = $2 and ($3::text is null or p.key > $3) order by p.key limit $4`,
    [domainId, type, after, first],
  )
}

export async function countDelegatedUsers(sql: Sql, domainId: number, type: RecordTypeName): Promise<number> {
  const [row] = await sql.rows(
    { count: INT8 },
    `select count(*) as count from platform_records p where ${COUNTS} and p.type = $2`,
    [domainId, type],
  )
  return row?.count ?? 0
}

export async function fetchDelegatedUser(
  sql: Sql,
  domainId: number,
  type: RecordTypeName,
  uuid: string,
): Promise<PlatformRecord | null> {
  const [found] = await sql.rows(
    PLATFORM_RECORD,
    `select ${PLATFORM_RECORD_COLUMNS} from platform_records p where ${COUNTS} and p.uuid = $3::uuid and ${hidden('p.type = $2')} for update`,
    [domainId, type, uuid],
  )
  return found ?? null
}
