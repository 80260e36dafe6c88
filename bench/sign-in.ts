import { writeFileSync } from 'node:fs'
import { openPostgres } from '../src/db/postgres/postgres.ts'
import { readCredentials, type Credentials } from '../src/server/requests/credentials.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { lookUpsOf } from './look-ups.ts'
import { postgresStores, startServer } from './platform.ts'
import { processorTime } from './processes.ts'
import { reportOf, type ServerRow } from './sign-in-report.ts'
import { countIn, measureInTurns } from './turns.ts'

// npm run bench:sign-in. How many bearer tokens one process checks in a second, next to the same look-up in bare SQL, and
// how many tokens it gives out. Linux only: it asks /proc about the server.

const AT_ONCE = 16
const SECONDS = 4

const postgres = await startPostgres({ durable: true })
try {
  const store = await postgresStores(postgres, () => 0).create()
  const server = await startServer(store)
  const database = await openPostgres(store.env['DATABASE_URL'] ?? '', { maxConnections: AT_ONCE })
  const credentials = readCredentials(store.env.HOLDFAST_DATA_DIR)
  if (credentials === null) throw new Error('the server made no credentials')
  const token = await server.token()
  const { check, checkAnew, statement, join, row } = await lookUpsOf(database, token)
  const works = [
    { what: 'bare SQL: token, account and consumer in one join', run: join },
    { what: 'bare SQL: the row of the token alone', run: row },
    { what: 'the statement of a check, `find_token`', run: statement },
    { what: 'a check of a bearer token, `identifyBearer`', run: check },
    { what: 'a check where nobody is remembered', run: checkAnew },
  ]
  const looked = [
    ...(await measureInTurns(works, AT_ONCE, postgres.pid)),
    ...(await measureInTurns(works, 1, postgres.pid)),
  ]
  const atServer = (what: string, start: () => () => Promise<unknown>, atOnce = AT_ONCE): Promise<ServerRow> =>
    rate(what, server.pid, start, atOnce)
  const rows = [
    await atServer('`POST /graphql` with `{ currentDomain { uuid } }`', () => () => query(server.url, token)),
    await atServer('`POST /authenticate/token`, PASSWORD grant', () => () => byPassword(server.url, credentials), 4),
    await atServer('`POST /authenticate/token`, REFRESH_TOKEN grant', () => refreshing(server.url, credentials)),
  ]
  const report = reportOf(looked, rows, new Date().toISOString().slice(0, 10))
  process.stdout.write(report)
  writeFileSync(new URL('./sign-in.md', import.meta.url), report)
  await database.close()
  await server.stop()
  await store.remove()
} finally {
  await postgres.stop()
}

async function query(url: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  await answerOf(
    await fetch(`${url}/graphql`, { method: 'POST', headers, body: '{"query":"{ currentDomain { uuid } }"}' }),
  )
}

interface Tokens {
  readonly refresh_token: string
}

function byPassword(url: string, credentials: Credentials): Promise<Tokens> {
  const { username, password } = credentials
  return askForTokens(url, credentials, { grant_type: 'password', username, password })
}

/** Each token works once, so whoever refreshes goes on with the one that came of the last time. */
function refreshing(url: string, credentials: Credentials): () => Promise<void> {
  let last: Promise<Tokens> | undefined
  return async () => {
    const { refresh_token: token } = await (last ?? byPassword(url, credentials))
    last = askForTokens(url, credentials, { grant_type: 'refresh_token', refresh_token: token })
    await last
  }
}

async function askForTokens(
  url: string,
  { clientId, clientSecret }: Credentials,
  fields: { readonly [name: string]: string },
): Promise<Tokens> {
  const body = new URLSearchParams({ ...fields, client_id: clientId, client_secret: clientSecret })
  return (await answerOf(await fetch(`${url}/authenticate/token`, { method: 'POST', body }))) as Tokens
}

async function answerOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (response.status !== 200) throw new Error(text)
  return JSON.parse(text)
}

/** After a second of warming up. `start` begins what one of those who ask at once does again and again. */
async function rate(
  what: string,
  pid: number,
  start: () => () => Promise<unknown>,
  atOnce: number,
): Promise<ServerRow> {
  const works = Array.from({ length: atOnce }, start)
  await countIn(1, works)
  const before = processorTime(pid)
  const count = await countIn(SECONDS, works)
  return { what, atOnce, perSecond: count / SECONDS, processor: (processorTime(pid) - before) / count }
}
