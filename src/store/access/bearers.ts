import type { Database } from '../../db/sql.ts'
import type { RecordBody, RecordTypeName } from '../../records/record-type.ts'
import type { StoredMethod } from './authentication-methods.ts'

/** What an access token is and stands for, as it is at this moment. */
export interface Bearer {
  readonly scope: string | null
  /** RFC 3339. */
  readonly expiresAt: string
  readonly isConsumed: boolean
  readonly accountUuid: string | null
  readonly account: AccountSigner | null
  readonly clientId: string | null
  /** The record with the key in that client_id; its uuid may be another one. */
  readonly client: Signer | null
  readonly methodUuid: string | null
  readonly method: Pick<StoredMethod, 'kind' | 'status' | 'configuration'> | null
  /** Where the account is a device's: of its system. */
  readonly systemUuid: string | null
  /** The subjects of grants to identities that fitted when its owner signed in. */
  readonly fits: readonly string[]
  /** Of the same moment: which grants count. */
  readonly modelVersion: number
}

/** A record that signs in, without its secret. */
export interface Signer {
  readonly uuid: string
  readonly type: RecordTypeName
  readonly key: string
  readonly body: RecordBody
}

export interface AccountSigner extends Signer {
  /** Whether it is a record of the data model. */
  readonly isOfModel: boolean
}

export interface BearerKey {
  readonly domainId: number
  readonly tokenHash: Uint8Array
}

/** Of each of these tokens, in one statement. */
export async function findBearers(
  database: Database,
  keys: readonly BearerKey[],
  clientType: RecordTypeName,
): Promise<readonly (Bearer | null)[]> {
  const rows = await database.statement<{ bearer: Bearer | null }>(
    `select find_bearer(wanted.domain_id, decode(wanted.hash, 'hex'), $3) as bearer
     from unnest($1::bigint[], $2::text[]) with ordinality wanted (domain_id, hash, place) order by place`,
    [
      keys.map(({ domainId }) => String(domainId)),
      keys.map(({ tokenHash }) => Buffer.from(tokenHash).toString('hex')),
      clientType,
    ],
  )
  return rows.map(({ bearer }) => bearer)
}

/** Null where nobody has ever seen this token, or not for long. See the function in the migrations. */
export async function findBearer(
  database: Database,
  domainId: number,
  tokenHash: Uint8Array,
  clientType: RecordTypeName,
): Promise<Bearer | null> {
  const [row] = await database.statement<{ bearer: Bearer | null }>(`select find_bearer($1, $2, $3) as bearer`, [
    domainId,
    tokenHash,
    clientType,
  ])
  return row?.bearer ?? null
}
