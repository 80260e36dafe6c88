import type { AccessContext } from '../../src/platform/access/access-context.ts'
import type { Account } from '../../src/platform/access/account.ts'
import { findAccountByLogin } from '../../src/platform/access/accounts.ts'
import { tokenHash } from '../../src/platform/access/token-hash.ts'
import { typeThatSignsIn } from '../../src/records/registry.ts'
import { Secret } from '../../src/records/secret.ts'
import { saveArtifact, type Artifact } from '../../src/store/artifacts.ts'
import { writeAccess } from '../../src/store/domains.ts'
import { insertPlatformRecord } from '../../src/store/platform-records.ts'

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

/** A machine user that no document describes, as the operator of a new platform is. */
export async function makeMachine(context: AccessContext, login: string, password?: string): Promise<Account> {
  const record = {
    uuid: context.newId(),
    type: typeThatSignsIn('machine').name,
    key: login,
    body: { username: login, status: 'ACTIVATED' },
    hash: password === undefined ? null : await context.secrets.hashPassword(new Secret(password)),
    createdAt: context.now(),
  }
  await writeAccess(context.database, context.domain.id, (sql) => insertPlatformRecord(sql, context.domain.id, record))
  const account = await findAccountByLogin(context, 'machine', login)
  if (account === null) throw new Error('the machine user that was made is not found')
  return account
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
