import { randomBytes, randomUUID } from 'node:crypto'
import { cpus } from 'node:os'
import { migrate } from '../src/db/migrate.ts'
import { openPostgres } from '../src/db/postgres.ts'
import { readMigrations } from '../src/db/read-migrations.ts'
import type { Database } from '../src/db/sql.ts'
import { accessContext } from '../src/server/access-context.ts'
import { identifyBearer } from '../src/platform/access/bearer.ts'
import { externalProviders } from '../src/platform/access/external-providers.ts'
import { tokenHash } from '../src/platform/access/token-hash.ts'
import { DataKey } from '../src/platform/data-key.ts'
import { SecretKeeper } from '../src/platform/secret-keeper.ts'
import { readCredentials } from '../src/server/credentials.ts'
import { findDomainBySlug, readDomain } from '../src/store/domains.ts'
import { findArtifact } from '../src/store/artifacts.ts'
import { giveToken, makeMachine } from '../test/support/access.ts'
import { passwordToken } from '../test/support/password-token.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { postgresStores, startServer } from './platform.ts'

// npm run bench:sign-in. How many bearer tokens one process checks in a second, next to the same look-up in bare SQL, and
// how many tokens it gives out.

const TOKENS = 100_000
const AT_ONCE = 16
const SECONDS = 4

const postgres = await startPostgres({ durable: true })
try {
  const store = await postgresStores(postgres, () => 0).create()
  const server = await startServer(store)
  const database = await openPostgres(store.env['DATABASE_URL'] ?? '', { maxConnections: AT_ONCE })
  const credentials = readCredentials(store.env.HOLDFAST_DATA_DIR)
  if (credentials === null) throw new Error('the server made no credentials')
  const query = async (token: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = '{"query":"{ currentDomain { uuid } }"}'
    await expectOk(await fetch(`${server.url}/graphql`, { method: 'POST', headers, body }))
  }
  const token = await server.token()
  const { check, bare, transaction } = await lookUps(database)
  const rows: (readonly [what: string, perSecond: number])[] = [
    ['bearer check (identifyBearer)', await rate(check)],
    ['the row of the token in bare SQL, one statement', await rate(bare)],
    ['the row of the token in a transaction as the role of its domain', await rate(transaction)],
    ['POST /graphql { currentDomain { uuid } }', await rate(() => query(token))],
    [
      'POST /authenticate/token, PASSWORD grant, 4 at once',
      await rate(() => passwordToken(server.url, credentials), 4),
    ],
  ]
  process.stdout.write(`${TOKENS.toLocaleString('en-US')} tokens, ${AT_ONCE} at once, ${cpus().length} cores\n`)
  for (const [what, perSecond] of rows)
    process.stdout.write(`${String(Math.round(perSecond)).padStart(8)}/s  ${what}\n`)
  await database.close()
  await server.stop()
  await store.remove()
} finally {
  await postgres.stop()
}

function now(): Date {
  return new Date()
}

function some(found: unknown): void {
  if (found === null || found === undefined) throw new Error('the token was not found')
}

async function lookUps(
  database: Database,
): Promise<{ [name in 'check' | 'bare' | 'transaction']: () => Promise<void> }> {
  await migrate(database, await readMigrations(new URL('../src/db/migrations/', import.meta.url)))
  const domain = await database.read((sql) => findDomainBySlug(sql, 'local'))
  if (domain === null) throw new Error('the server made no domain')
  const key = randomBytes(32)
  const external = externalProviders({ allowedOrigins: [], now })
  const secrets = new SecretKeeper(key, now)
  const context = accessContext({ database, secrets, key: new DataKey(key), external, now, newId: randomUUID }, domain)
  const token = await giveToken(context, await makeMachine(context, 'bench'))
  await database.transaction((sql) =>
    sql.query(
      `insert into artifacts (domain_id, kind, hash, payload, grant_id, account_uuid, issued_at, expires_at)
       select $1, 'AccessToken', sha256(n::text::bytea), '{}', n::text, gen_random_uuid(), now(), now() + interval '1 hour'
       from generate_series(1, ${TOKENS}) n`,
      [domain.id],
    ),
  )
  const hash = tokenHash(token)
  const values = [domain.id, 'AccessToken', hash]
  return {
    check: async () => some(await identifyBearer(context, token)),
    bare: async () =>
      some(
        (
          await database.statement('select * from artifacts where domain_id = $1 and kind = $2 and hash = $3', values)
        )[0],
      ),
    transaction: async () =>
      some(await readDomain(database, domain.id, (sql) => findArtifact(sql, domain.id, 'AccessToken', hash))),
  }
}

async function expectOk(response: Response): Promise<void> {
  const text = await response.text()
  if (response.status !== 200) throw new Error(text)
}

/** Per second, after a second of warming up. */
async function rate(work: () => Promise<unknown>, atOnce = AT_ONCE): Promise<number> {
  const run = async (seconds: number): Promise<number> => {
    let count = 0
    const end = performance.now() + seconds * 1_000
    const loop = async (): Promise<void> => {
      while (performance.now() < end) {
        await work()
        count += 1
      }
    }
    await Promise.all(Array.from({ length: atOnce }, loop))
    return count / seconds
  }
  await run(1)
  return run(SECONDS)
}
