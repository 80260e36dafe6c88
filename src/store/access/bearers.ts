import type { Database } from '../../db/sql.ts'
import type { RecordBody, RecordTypeName } from '../../records/record-type.ts'
import type { StoredMethod } from './authentication-methods.ts'

/** An access token, as it is at this moment. */
export interface AccessToken {
  readonly domainId: number
  readonly scope: string | null
  /** RFC 3339. */
  readonly expiresAt: string
  readonly isConsumed: boolean
  readonly accountUuid: string | null
  readonly clientId: string | null
  readonly methodUuid: string | null
  /** The subjects of grants to identities that fitted when its owner signed in. */
  readonly fits: readonly string[]
  /** Of the same moment: see `fetchRightsVersion`. */
  readonly rightsVersion: number
}

/** What stands behind an access token and decides with it what it is good for. */
export interface Backing {
  readonly account: AccountSigner | null
  /** The record with the key in the client_id; its uuid may be another one. */
  readonly client: Signer | null
  readonly method: Pick<StoredMethod, 'kind' | 'status' | 'configuration'> | null
  /** Where the account is a device's: of its system. */
  readonly systemUuid: string | null
  /** Of the same moment. */
  readonly rightsVersion: number
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

// The functions are in the migrations (0017-bearer.sql).

/** Null where the domain has no such token, or not any more. */
export async function findToken(database: Database, { domainId, tokenHash }: BearerKey): Promise<AccessToken | null> {
  const [row] = await database.statement<{ token: AccessToken | null }>(`select find_token($1, $2) as token`, [
    domainId,
    tokenHash,
  ])
  return row?.token ?? null
}

/** Each of these tokens, in one statement. */
export async function findTokens(
  database: Database,
  keys: readonly BearerKey[],
): Promise<readonly (AccessToken | null)[]> {
  const rows = await database.statement<{ token: AccessToken | null }>(
    `select find_token(wanted.domain_id, decode(wanted.hash, 'hex')) as token
     from unnest($1::bigint[], $2::text[]) with ordinality wanted (domain_id, hash, place) order by place`,
    [keys.map(({ domainId }) => String(domainId)), keys.map(({ tokenHash }) => Buffer.from(tokenHash).toString('hex'))],
  )
  return rows.map(({ token }) => token)
}

/** Of a token, what names all that stands behind it. */
type Named = Pick<AccessToken, 'domainId' | 'accountUuid' | 'clientId' | 'methodUuid'>

/** What stands behind each of these tokens, in one statement. `clientType`: the record type of consumers. */
export async function findBackings(
  database: Database,
  tokens: readonly Named[],
  clientType: RecordTypeName,
): Promise<readonly Backing[]> {
  const rows = await database.statement<{ backing: Backing }>(
    `select find_backing(wanted.domain_id, nullif(wanted.account, '')::uuid, nullif(wanted.client, ''),
       nullif(wanted.method, '')::uuid, $5) as backing
     from unnest($1::bigint[], $2::text[], $3::text[], $4::text[])
       with ordinality wanted (domain_id, account, client, method, place) order by place`,
    [
      tokens.map(({ domainId }) => String(domainId)),
      tokens.map(({ accountUuid }) => accountUuid ?? ''),
      tokens.map(({ clientId }) => clientId ?? ''),
      tokens.map(({ methodUuid }) => methodUuid ?? ''),
      clientType,
    ],
  )
  return rows.map(({ backing }) => backing)
}
