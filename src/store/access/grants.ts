import { randomUUID } from 'node:crypto'
import type { Grant } from '../../../generated/settings.ts'
import { jsonb } from '../../db/columns.ts'
import type { Sql } from '../../db/sql.ts'
import { canonicalRecord } from '../../records/canonical.ts'
import { digestOf } from '../../lib/digest.ts'
import { isObject } from '../../lib/json.ts'
import { keyOf } from '../../records/identity.ts'
import { ACCESS } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import { DEFAULT_GRANTS } from '../../records/types/grant.ts'
import { insertRecords } from '../model/records.ts'

// Grants are records of the type `access`. These statements read them during a sign-in.

/** A grant was validated before it was stored. */
const GRANT = { body: jsonb((value): value is Grant => isObject(value)) }

export async function fetchGrants(sql: Sql, domainId: number): Promise<Grant[]> {
  const rows = await sql.rows(GRANT, `select body from records where domain_id = $1 and type = $2`, [domainId, ACCESS])
  return rows.map(({ body }) => body)
}

/** The grants to identities of the method with this issuer and clientId. */
export async function fetchIdentityGrants(
  sql: Sql,
  domainId: number,
  issuer: string,
  clientId: string,
): Promise<Grant[]> {
  const rows = await sql.rows(
    GRANT,
    `select body from records where domain_id = $1 and type = $2
       and body -> 'identities' ->> 'issuer' = $3 and body -> 'identities' ->> 'clientId' = $4`,
    [domainId, ACCESS, issuer, clientId],
  )
  return rows.map(({ body }) => body)
}

/** Inserts the initial grants of a domain. The domain may restrict them like any others. */
export async function insertDefaultGrants(sql: Sql, domainId: number): Promise<void> {
  const type = recordType(ACCESS)
  const records = DEFAULT_GRANTS.map((input) => {
    const { body } = canonicalRecord(type, input, () => undefined)
    const digest = digestOf(JSON.stringify(body))
    return { type: ACCESS, key: keyOf(type, body), uuid: randomUUID(), body, digest } as const
  })
  await insertRecords(sql, domainId, records, new Date())
}

/** The reasons for the rights of an actor, apart from the token itself. */
export interface Authority {
  /** The uuid of the account. */
  readonly account: string
  /** The client_id of the application. */
  readonly client: string | null
  /** The uuid of the authentication method and its rule that admitted the account. */
  readonly method: string | null
  readonly rule: string | null
  readonly scopes: readonly string[]
  /** The identity grants that matched; null if no grants are looked up. */
  readonly fits: readonly string[] | null
  readonly isDevice: boolean
}

/** This needs no deeper check, because only the platform writes the value. */
export const isAuthority = (value: unknown): value is Authority => isObject(value)
