import { randomBytes, randomUUID } from 'node:crypto'
import type { Database, SqlValue } from '../src/db/sql.ts'
import { identifyBearer } from '../src/platform/access/sessions/identify-bearer.ts'
import { CLIENT_TYPE } from '../src/platform/access/clients/clients.ts'
import { GrantKeeper } from '../src/platform/access/grants/grant-keeper.ts'
import { externalProviders } from '../src/platform/access/delegated/provider/external-providers.ts'
import { tokenHash } from '../src/platform/access/sessions/token-hash.ts'
import { DataKey } from '../src/platform/data-key.ts'
import { SecretKeeper } from '../src/platform/secret-keeper.ts'
import { accessContext } from '../src/server/request-context.ts'
import { findDomainBySlug, type Domain } from '../src/store/domains.ts'

/** Access tokens of others that are in the table too. */
export const TOKENS = 100_000

export interface LookUps {
  /** What each request does before anything else. */
  check(): Promise<void>
  /** The same in a process that remembers nobody, as after every change of somebody's rights. */
  checkAnew(): Promise<void>
  /** The statement of a check, alone. */
  statement(): Promise<void>
  /** What it looks up, as one would write it without a second wall between domains. */
  join(): Promise<void>
  /** The row of the token, alone. */
  row(): Promise<void>
}

const JOIN = `select a.scope, a.expires_at, a.consumed_at, account.body as account, client.body as client from artifacts a
  left join lateral (
    select p.body from platform_records p where p.domain_id = a.domain_id and p.uuid = a.account_uuid limit 1
  ) account on true
  left join lateral (
    select p.body from platform_records p
    where p.domain_id = a.domain_id and p.type = $3 and p.key = left(a.client_id, -9) limit 1
  ) client on true
  where a.domain_id = $1 and a.kind = 'AccessToken' and a.hash = $2`

/** Ways to find out about a token that a server on this database has given to its operator. */
export async function lookUpsOf(database: Database, token: string): Promise<LookUps> {
  const domain = await database.read((sql) => findDomainBySlug(sql, 'local'))
  if (domain === null) throw new Error('the server made no domain')
  await fillArtifacts(database, domain)
  const context = contextOf(database, domain)
  const [values, client] = [[domain.id, tokenHash(token)] as const, CLIENT_TYPE.name]
  const first = async (text: string, more: readonly SqlValue[] = []): Promise<void> => {
    const [found] = await database.statement(text, [...values, ...more])
    if (found === undefined || Object.values(found)[0] === null) throw new Error('the token was not found')
  }
  const check = async ({ grants }: Pick<typeof context, 'grants'>): Promise<void> => {
    if ((await identifyBearer({ ...context, grants }, token)) === null) throw new Error('the token is not good')
  }
  return {
    check: () => check(context),
    checkAnew: () => check({ grants: new GrantKeeper(database, 1) }),
    statement: () => first('select standing, expires_at, is_consumed from find_token($1, $2)'),
    join: () => first(JOIN, [client]),
    row: () => first(`select * from artifacts where domain_id = $1 and kind = 'AccessToken' and hash = $2`),
  }
}

async function fillArtifacts(database: Database, { id }: Domain): Promise<void> {
  await database.transaction((sql) =>
    sql.query(
      `insert into artifacts (domain_id, kind, hash, payload, grant_id, account_uuid, issued_at, expires_at)
       select $1, 'AccessToken', sha256(n::text::bytea), '{}', n::text, gen_random_uuid(), now(), now() + interval '1 hour'
       from generate_series(1, $2::int) n`,
      [id, TOKENS],
    ),
  )
}

/** Looking up needs no key of the server. */
function contextOf(database: Database, domain: Domain) {
  const [key, now] = [randomBytes(32), () => new Date()]
  const external = externalProviders({ allowedOrigins: [], now })
  const parts = {
    database,
    secrets: new SecretKeeper(key, now),
    key: new DataKey(key),
    external,
    grants: new GrantKeeper(database),
    now,
  }
  return accessContext({ ...parts, newId: randomUUID }, domain)
}
