import type { Sql } from '../../db/sql.ts'
import { METHOD_COLUMNS, type StoredMethod } from './authentication-methods.ts'

/**
 * The ACTIVATED methods by which identities of an account came in last and whose provider has verified this address. A
 * method that has refused an identity says nothing about its address.
 */
export async function fetchMethodsTelling(
  sql: Sql,
  domainId: number,
  accountUuid: string,
  address: string,
): Promise<StoredMethod[]> {
  return sql.rows(
    METHOD_COLUMNS.shape,
    `select distinct ${METHOD_COLUMNS.list}
     from external_identities i join authentication_methods e on e.domain_id = i.domain_id and e.uuid = i.method_uuid
     where i.domain_id = $1 and i.account_uuid = $2::uuid and i.address = $3 and i.refusal is null
       and e.status = 'ACTIVATED'`,
    [domainId, accountUuid, address],
  )
}
