import type { AccessContext } from '../../src/platform/access/access-context.ts'
import type { Account } from '../../src/platform/access/accounts/account.ts'
import { OPERATOR } from '../../src/platform/access/accounts/bootstrap.ts'
import { digestOf } from '../../src/lib/digest.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { RecordKey } from '../../src/records/record-type.ts'
import { findAccountByLogin } from '../../src/platform/access/accounts/accounts.ts'
import { tokenHash } from '../../src/platform/access/sessions/token-hash.ts'
import { typeThatSignsIn } from '../../src/records/registry.ts'
import { Secret } from '../../src/records/secret.ts'
import { saveArtifact, type Artifact } from '../../src/store/access/artifacts.ts'
import { writeAccess } from '../../src/store/domains.ts'
import { insertPlatformRecord } from '../../src/store/access/platform-records.ts'
import { saveHash } from '../../src/store/access/principals.ts'
import { insertRecords } from '../../src/store/model/records.ts'

const HOUR = 3_600_000

/** An artifact with nothing special about it. */
export function artifact(value: string, fields: Partial<Artifact> = {}): Artifact {
  const now = Date.now()
  return {
    kind: 'AccessToken',
    hash: tokenHash(value),
    payload: {},
    grantId: null,
    uid: null,
    sessionUid: null,
    clientId: null,
    accountUuid: null,
    methodUuid: null,
    scope: null,
    issuedAt: new Date(now),
    consumedAt: null,
    expiresAt: new Date(now + HOUR),
    ...fields,
  }
}

/** A machine user of the data model. `operator` is the platform's own machine user, as on a new platform. */
export async function makeMachine(context: AccessContext, login: string, password?: string): Promise<Account> {
  const hash = password === undefined ? null : await context.secrets.hashPassword(new Secret(password))
  const body = { username: login, status: 'ACTIVATED' }
  const type = typeThatSignsIn('machine').name
  if (login === OPERATOR) await makePlatformRecord(context, { type, key: login }, body, hash)
  else await makeModelRecord(context, { type, key: login }, body, hash)
  const account = await findAccountByLogin(context, 'machine', login)
  if (account === null) throw new Error('the machine user that was made is not found')
  return account
}

/** A record that no document describes. */
export async function makePlatformRecord(
  { database, domain, newId, now }: AccessContext,
  key: RecordKey,
  body: JsonObject,
  hash: string | null,
): Promise<string> {
  const record = { ...key, uuid: newId(), body, hash, createdAt: now() }
  await writeAccess(database, domain.id, (sql) => insertPlatformRecord(sql, domain.id, record))
  return record.uuid
}

/** A record as an import would make it, but by one statement instead of a plan. */
export async function makeModelRecord(
  { database, domain, newId, now }: AccessContext,
  key: RecordKey,
  body: JsonObject,
  hash: string | null,
): Promise<string> {
  const record = { ...key, uuid: newId(), body, digest: digestOf(JSON.stringify(body)) }
  await writeAccess(database, domain.id, async (sql) => {
    await insertRecords(sql, domain.id, [record], now())
    if (hash !== null) await saveHash(sql, domain.id, { uuid: record.uuid, isOfModel: true }, hash)
  })
  return record.uuid
}

export interface TokenOptions extends Partial<Artifact> {
  readonly token?: string
}

/** An access token of this account, as the token endpoint makes it. */
export async function giveToken(
  { database, domain }: AccessContext,
  { uuid }: Pick<Account, 'uuid'>,
  { token = crypto.randomUUID(), ...fields }: TokenOptions = {},
): Promise<string> {
  const made = artifact(token, { accountUuid: uuid, scope: 'openid service', ...fields })
  await writeAccess(database, domain.id, (sql) => saveArtifact(sql, domain.id, made))
  return token
}
