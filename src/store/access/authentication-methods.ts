import { BOOL, BYTEA, JSONB_OBJECT, nullable } from '../../db/columns.ts'
import type { Sql } from '../../db/sql.ts'
import { AUTHENTICATION_METHOD } from '../../records/entities.ts'
import { fetchEntities, selectEntities } from '../entities.ts'
import { columnsOf, type EntityRow, type Reading } from '../entity-columns.ts'
import { endGiven } from './ended-artifacts.ts'

const SHAPE = {
  /** Empty for the internal method. */
  configuration: JSONB_OBJECT,
  hasClientSecret: BOOL,
  /** Whether the provider may know only the old redirect URI, which all methods of earlier releases share. */
  sharesCallback: BOOL,
}

export type StoredMethod = EntityRow<typeof AUTHENTICATION_METHOD, typeof SHAPE>

const READING: Reading<typeof SHAPE> = {
  expressions: { hasClientSecret: 'e.client_secret is not null', sharesCallback: 'e.shares_callback' },
  shape: SHAPE,
}

export const METHOD_COLUMNS = columnsOf(AUTHENTICATION_METHOD, READING)

/** The internal method first, and then the others in the order of their creation. */
export async function fetchMethods(sql: Sql, domainId: number): Promise<StoredMethod[]> {
  return selectEntities(sql, AUTHENTICATION_METHOD, {
    rest: `where e.domain_id = $1 order by e.kind <> 'internal', e.created_at, e.uuid`,
    values: [domainId],
    reading: READING,
  })
}

export async function fetchMethod(sql: Sql, domainId: number, uuid: string): Promise<StoredMethod | null> {
  const [method] = await fetchEntities(sql, domainId, AUTHENTICATION_METHOD, [uuid], READING)
  return method ?? null
}

interface NewMethod extends Omit<StoredMethod, 'hasClientSecret' | 'sharesCallback'> {
  /** The secret, encrypted with the key of the platform. */
  readonly clientSecret: Uint8Array | null
}

/** Returns false if the domain already has an internal method, because it can have only one. */
export async function insertMethod(
  sql: Sql,
  domainId: number,
  { uuid, kind, name, status, configuration, clientSecret }: NewMethod,
  now: Date,
): Promise<boolean> {
  const rows = await sql.query(
    `insert into authentication_methods
       (domain_id, uuid, kind, name, status, configuration, client_secret, created_at, updated_at)
     values ($1, $2::uuid, $3, $4, $5, $6::jsonb, $7, $8::timestamptz, $8::timestamptz)
     on conflict (domain_id) where kind = 'internal' do nothing returning 1 as one`,
    [domainId, uuid, kind, name, status, JSON.stringify(configuration), clientSecret, now.toISOString()],
  )
  return rows.length === 1
}

/** Reads a method and locks it until the transaction ends. */
export async function lockMethod(sql: Sql, domainId: number, uuid: string): Promise<StoredMethod | null> {
  const [method] = await selectEntities(sql, AUTHENTICATION_METHOD, {
    rest: 'where e.domain_id = $1 and e.uuid = $2::uuid for update',
    values: [domainId, uuid],
    reading: READING,
  })
  return method ?? null
}

export async function updateStoredMethod(
  sql: Sql,
  domainId: number,
  { uuid, name, status, configuration }: Pick<StoredMethod, 'uuid' | 'name' | 'status' | 'configuration'>,
  now: Date,
): Promise<void> {
  await sql.query(
    `update authentication_methods set name = $3, status = $4, configuration = $5::jsonb, updated_at = $6::timestamptz
     where domain_id = $1 and uuid = $2::uuid`,
    [domainId, uuid, name, status, JSON.stringify(configuration), now.toISOString()],
  )
}

export async function deleteStoredMethod(sql: Sql, domainId: number, uuid: string): Promise<void> {
  await sql.query(`delete from authentication_methods where domain_id = $1 and uuid = $2::uuid`, [domainId, uuid])
}

export async function fetchSealedSecret(sql: Sql, domainId: number, uuid: string): Promise<Uint8Array | null> {
  const [row] = await sql.rows(
    { secret: nullable(BYTEA) },
    `select client_secret as secret from authentication_methods where domain_id = $1 and uuid = $2::uuid`,
    [domainId, uuid],
  )
  return row?.secret ?? null
}

export async function saveSealedSecret(
  sql: Sql,
  domainId: number,
  uuid: string,
  secret: Uint8Array | null,
): Promise<void> {
  await sql.query(`update authentication_methods set client_secret = $3 where domain_id = $1 and uuid = $2::uuid`, [
    domainId,
    uuid,
    secret,
  ])
}

/** Locks a method against changes until the transaction ends. Returns false if it does not exist. */
export async function holdMethod(sql: Sql, domainId: number, uuid: string): Promise<boolean> {
  const rows = await sql.query(
    `select 1 as one from authentication_methods where domain_id = $1 and uuid = $2::uuid for key share`,
    [domainId, uuid],
  )
  return rows.length === 1
}

/** Ends everything that was issued after sign-ins by these methods. The users must sign in again by the new rules. */
export async function revokeMethods(sql: Sql, domainId: number, uuids: readonly string[]): Promise<void> {
  if (uuids.length > 0) await endGiven(sql, domainId, `method_uuid = any ($2::uuid[])`, uuids)
}
