import type { Sql } from '../../db/sql.ts'
import { METHOD, type StoredMethod } from './authentication-methods.ts'

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
    METHOD,
    `select distinct m.uuid, m.kind, m.name, m.status, m.configuration, m.client_secret is not null as "hasClientSecret"
     from external_identities i join authentication_methods m on m.domain_id = i.domain_id and m.uuid = i.method_uuid
     where i.domain_id = $1 and i.account_uuid = $2::uuid and i.address = $3 and i.refusal is null
       and m.status = 'ACTIVATED'`,
    [domainId, accountUuid, address],
  )
}
