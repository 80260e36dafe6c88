import { TEXT, UUID } from '../../db/columns.ts'
import type { Sql, SqlValue } from '../../db/sql.ts'
import { SYSTEM_CREDENTIAL } from '../../records/entities.ts'
import { typeThatSignsIn } from '../../records/registry.ts'
import { selectEntities } from '../entities.ts'
import { columnsOf, type EntityRow } from '../entity-columns.ts'

const SHAPE = { username: TEXT }

/** The type of the accounts of devices. */
const DEVICE = typeThatSignsIn('machine').name

export type StoredCredential = EntityRow<typeof SYSTEM_CREDENTIAL, typeof SHAPE>

const named = (username: string) => ({ expressions: { username }, shape: SHAPE })

/** The only system whose data the account may use; null if the account does not belong to a device. */
export async function systemOfAccount(sql: Sql, domainId: number, accountUuid: string): Promise<string | null> {
  const [row] = await sql.rows(
    { uuid: UUID },
    `select system_uuid as uuid from system_credentials where domain_id = $1 and account_uuid = $2::uuid`,
    [domainId, accountUuid],
  )
  return row?.uuid ?? null
}

const accounts = (table: string): string =>
  `select uuid, key from ${table} where domain_id = $1 and type = $2 and key = any ($3)`

/** The uuids of the systems of device accounts, by the keys of the accounts. */
export async function fetchDevices(
  sql: Sql,
  domainId: number,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map()
  const rows = await sql.rows(
    { key: TEXT, uuid: UUID },
    `select account.key, e.system_uuid as uuid
     from (${accounts('records')} union all ${accounts('platform_records')}) account
     join system_credentials e on e.domain_id = $1 and e.account_uuid = account.uuid`,
    [domainId, DEVICE, keys],
  )
  return new Map(rows.map(({ key, uuid }) => [key, uuid]))
}

/** The credentials of a system. */
export function fetchCredentials(sql: Sql, domainId: number, systemUuid: string): Promise<StoredCredential[]> {
  return selectCredentials(sql, 'e.system_uuid = $2::uuid', [domainId, systemUuid])
}

/** The existing credentials among these, by their accounts. */
export function fetchCredentialsOf(
  sql: Sql,
  domainId: number,
  accounts: readonly string[],
): Promise<StoredCredential[]> {
  return selectCredentials(sql, 'e.account_uuid = any ($2::uuid[])', [domainId, accounts])
}

/** A record of the model may have replaced an account. */
function selectCredentials(sql: Sql, which: string, values: readonly SqlValue[]): Promise<StoredCredential[]> {
  return selectEntities(sql, SYSTEM_CREDENTIAL, {
    rest: `left join platform_records p on p.domain_id = e.domain_id and p.uuid = e.account_uuid
     left join records r on r.domain_id = e.domain_id and r.uuid = e.account_uuid
     where e.domain_id = $1 and ${which} and (p.uuid is not null or r.uuid is not null)
     order by e.created_at, e.account_uuid`,
    values,
    reading: named('coalesce(p.key, r.key)'),
  })
}

/** Deletes the account and its password. Null if there is no such account, or if a document describes it. */
export async function deleteCredential(
  sql: Sql,
  domainId: number,
  accountUuid: string,
): Promise<StoredCredential | null> {
  const { list, shape } = columnsOf(SYSTEM_CREDENTIAL, named('account.key'))
  const [gone] = await sql.rows(
    shape,
    `with account as (
       delete from platform_records p using system_credentials e
       where p.domain_id = $1 and p.uuid = $2::uuid and e.domain_id = $1 and e.account_uuid = p.uuid
       returning p.uuid, p.key
     )
     delete from system_credentials e using account where e.domain_id = $1 and e.account_uuid = account.uuid
     returning ${list}`,
    [domainId, accountUuid],
  )
  return gone ?? null
}
