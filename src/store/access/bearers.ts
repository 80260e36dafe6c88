import { BOOL, INT8, jsonb, JSONB_OBJECT, nullable, TEXT, TIMESTAMPTZ, UUID } from '../../db/columns.ts'
import { hasShape, type RowOf } from '../../db/row-shape.ts'
import type { Database } from '../../db/sql.ts'
import type { RecordTypeName } from '../../records/record-type.ts'
import { IDENTIFIED_RECORD } from '../model/records.ts'
import { METHOD_COLUMNS } from './authentication-methods.ts'

// Two functions in the migrations (0007-bearers.sql, 0018-rules-that-let-in.sql) find a token and the records behind
// it.

const FOUND_TOKEN = {
  /** The text that `readStanding` reads. It changes whenever the meaning of the token changes. */
  standing: nullable(TEXT),
  expiresAt: nullable(TIMESTAMPTZ),
  isConsumed: nullable(BOOL),
}

/** An access token in its present state. */
export interface AccessToken {
  readonly standing: string
  readonly expiresAt: Date
  readonly isConsumed: boolean
}

/** The facts that determine the meaning of a token. */
export interface Standing {
  readonly domainId: number
  /** The version of the rights at the same moment (see `fetchRightsVersion`). */
  readonly rightsVersion: number
  readonly accountUuid: string | null
  readonly clientId: string | null
  readonly methodUuid: string | null
  readonly scope: string | null
  /** The subjects of the identity grants that matched when the owner signed in. */
  readonly fits: readonly string[]
  /** The rule of the method that admitted the owner (`ruleDigest`); null if none is recorded. */
  readonly rule: string | null
}

type StandingList = readonly [
  domainId: number,
  rightsVersion: number,
  accountUuid: string | null,
  clientId: string | null,
  methodUuid: string | null,
  scope: string | null,
  fits: readonly string[],
  rule: string | null,
]

export function readStanding({ standing }: AccessToken): Standing {
  const [domainId, rightsVersion, accountUuid, clientId, methodUuid, scope, fits, rule] = JSON.parse(
    standing,
  ) as StandingList
  return { domainId, rightsVersion, accountUuid, clientId, methodUuid, scope, fits, rule }
}

/** A record that can sign in, without its secret. */
const SIGNER = { ...IDENTIFIED_RECORD, body: JSONB_OBJECT }

const ACCOUNT_SIGNER = {
  ...SIGNER,
  /** Whether the record belongs to the data model. */
  isOfModel: BOOL,
}

export type AccountSigner = RowOf<typeof ACCOUNT_SIGNER>

const { kind, status, configuration } = METHOD_COLUMNS.shape

const BACKING = {
  account: nullable(jsonb(hasShape(ACCOUNT_SIGNER))),
  /** The record whose key is the client_id. Its uuid may have changed. */
  client: nullable(jsonb(hasShape(SIGNER))),
  method: nullable(jsonb(hasShape({ kind, status, configuration }))),
  /** The system of a device; null for all other accounts. */
  systemUuid: nullable(UUID),
  /** The version of the rights at the same moment. */
  rightsVersion: INT8,
}

/** The records and the method behind an access token. With the token, they determine its rights. */
export type Backing = RowOf<typeof BACKING>

export interface BearerKey {
  readonly domainId: number
  readonly tokenHash: Uint8Array
}

/**
 * Finds each of these tokens in one statement; null if the token does not exist or has ended. Citus runs the function on
 * the machine of the domain only if it is called once in a statement.
 */
export async function findTokens(
  database: Database,
  keys: readonly BearerKey[],
): Promise<readonly (AccessToken | null)[]> {
  if (keys.length === 1 || database.isDistributed === true)
    return Promise.all(keys.map((key) => findToken(database, key)))
  const rows = await database.rows(
    FOUND_TOKEN,
    `select found.standing, found.expires_at as "expiresAt", found.is_consumed as "isConsumed"
     from unnest($1::bigint[], $2::text[]) with ordinality wanted (domain_id, hash, place)
     cross join lateral find_token(wanted.domain_id, decode(wanted.hash, 'hex')) found order by place`,
    [keys.map(({ domainId }) => String(domainId)), keys.map(({ tokenHash }) => Buffer.from(tokenHash).toString('hex'))],
  )
  return rows.map(tokenOf)
}

/** Finds one token. A statement for one token is cheaper without lists. */
async function findToken(database: Database, { domainId, tokenHash }: BearerKey): Promise<AccessToken | null> {
  const [row] = await database.rows(
    FOUND_TOKEN,
    `select standing, expires_at as "expiresAt", is_consumed as "isConsumed" from find_token($1, $2)`,
    [domainId, tokenHash],
  )
  return tokenOf(row)
}

function tokenOf(row: RowOf<typeof FOUND_TOKEN> | undefined): AccessToken | null {
  const { standing = null, expiresAt = null, isConsumed = null } = row ?? {}
  return standing === null || expiresAt === null || isConsumed === null ? null : { standing, expiresAt, isConsumed }
}

/** The members of a token that name the records behind it. */
type Named = Pick<Standing, 'domainId' | 'accountUuid' | 'clientId' | 'methodUuid'>

const FOUND_BACKING = { backing: jsonb(hasShape(BACKING)) }

/** Finds the records behind each of these tokens in one statement. `clientType` is the record type of consumers. */
export async function findBackings(
  database: Database,
  tokens: readonly Named[],
  clientType: RecordTypeName,
): Promise<readonly Backing[]> {
  if (tokens.length === 1 || database.isDistributed === true)
    return (await Promise.all(tokens.map((token) => findBacking(database, token, clientType)))).flat()
  const rows = await database.rows(
    FOUND_BACKING,
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

/** Finds the records behind one token. A single call can run on the machine of its domain. */
async function findBacking(
  database: Database,
  { domainId, accountUuid, clientId, methodUuid }: Named,
  clientType: RecordTypeName,
): Promise<readonly Backing[]> {
  const rows = await database.rows(FOUND_BACKING, `select find_backing($1, $2, $3, $4, $5) as backing`, [
    domainId,
    accountUuid,
    clientId,
    methodUuid,
    clientType,
  ])
  return rows.map(({ backing }) => backing)
}
