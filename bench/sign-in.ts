import type { Database } from '../src/db/sql.ts'
import { CLIENT_TYPE } from '../src/platform/access/clients/clients.ts'
import { GrantKeeper } from '../src/platform/access/grants/grant-keeper.ts'
import { identifyBearer } from '../src/platform/access/sessions/identify-bearer.ts'
import { tokenHash } from '../src/platform/access/sessions/token-hash.ts'
import { accessContext } from '../src/server/request-context.ts'
import { readCredentials, type Credentials } from '../src/server/process/credentials.ts'
import { makeDomain } from '../test/support/domain.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { countIn, familyProcessorTime, median, processorTime, takeTurns, tell } from './measure.ts'
import { hundredths, ON_POSTGRES, thousandths, whole, type Options, type Report, type Size } from './report.ts'
import { postgresStore, startServer } from './server.ts'

// npm run bench:sign-in: how many bearer tokens one process checks in a second, next to the same look-up in bare SQL, and
// how many tokens a server issues.

/** Seconds of a turn of a look-up, and of a question to the server; `tokens`: access tokens of others. */
const WHOLE = { rounds: 15, tokens: 100_000, warmUp: 0.1, turn: 0.4, serverWarmUp: 1, server: 4 }
const QUICK = { rounds: 1, tokens: 100, warmUp: 0, turn: 0.05, serverWarmUp: 0, server: 0.2 }
const SCALES: { readonly [size in Size]: typeof WHOLE } = { whole: WHOLE, night: WHOLE, quick: QUICK }

const AT_ONCE = 16

export async function bench({ size }: Options): Promise<Report> {
  const scale = SCALES[size]
  const postgres = await startPostgres({ durable: true })
  const store = await postgresStore(postgres)
  const server = await startServer(store)
  const credentials = readCredentials(store.env.HOLDFAST_DATA_DIR)
  if (credentials === null) throw new Error('the server made no credentials')
  const token = await server.token()
  const database = await store.open(AT_ONCE)
  const works = await lookUpsOf(database, token, scale.tokens)

  const lookUps: string[][] = []
  for (const atOnce of [AT_ONCE, 1]) {
    tell(`look-ups, ${atOnce} at once …`)
    const used = () => processorTime(process.pid) + familyProcessorTime(postgres.pid)
    const turnOf = async ({ run }: LookUp) => {
      const loops = Array<LookUp['run']>(atOnce).fill(run)
      await countIn(scale.warmUp, loops)
      const [before, began] = [used(), performance.now()]
      const count = await countIn(scale.turn, loops)
      return { perSecond: (count * 1_000) / (performance.now() - began), cpu: (used() - before) / count }
    }
    const turns = await takeTurns(
      scale.rounds,
      works.map((work) => () => turnOf(work)),
    )
    for (const [index, { what }] of works.entries()) {
      const own = turns[index] ?? []
      const times = own.map(({ perSecond }, round) => turns[0]![round]!.perSecond / perSecond)
      lookUps.push([
        what,
        String(atOnce),
        whole(median(own.map(({ perSecond }) => perSecond))),
        hundredths(median(times)),
        thousandths(median(own.map(({ cpu }) => cpu))),
      ])
    }
  }

  /** `start` begins what each of those who ask at once does again and again. */
  const rate = async (what: string, atOnce: number, start: () => () => Promise<unknown>): Promise<string[]> => {
    tell(`${what} …`)
    const loops = Array.from({ length: atOnce }, start)
    await countIn(scale.serverWarmUp, loops)
    const before = processorTime(server.pid)
    const count = await countIn(scale.server, loops)
    const cpu = (processorTime(server.pid) - before) / count
    return [what, String(atOnce), whole(count / scale.server), thousandths(cpu), whole(1_000 / cpu)]
  }
  const atServer = [
    await rate('`POST /graphql` with `{ currentDomain { uuid } }`', AT_ONCE, () => () => query(server.url, token)),
    await rate('`POST /authenticate/token`, PASSWORD grant', 4, () => () => byPassword(server.url, credentials)),
    await rate('`POST /authenticate/token`, REFRESH_TOKEN grant', AT_ONCE, () => refreshing(server.url, credentials)),
  ]
  await database.close()
  await server.stop()
  await postgres.stop()
  return {
    title: 'Signing in',
    about: `${ON_POSTGRES} The database has ${whole(scale.tokens)} access tokens of others.`,
    blocks: [
      aboutLookUps(scale.rounds),
      { columns: ['what', 'at once', 'a second', 'times the join', 'CPU of process and database, ms'], rows: lookUps },
      ABOUT_SERVER,
      { columns: ['what', 'at once', 'a second', 'CPU of its process, ms', 'a second, by that CPU'], rows: atServer },
    ],
  }
}

const aboutLookUps = (rounds: number) => `## A look-up

By one process that does nothing else, and shares the machine with the database. The works take turns, in ${rounds} rounds: the medians of the rounds, and how many times as long as the join in the same round. A check reads the token and the version of the rights in one statement, as the role of the domain, and remembers the account and the client behind it (docs/decisions/0027). Checks that come while two such statements are under way go together in the next one. The join reads the account and the consumer too, as the owner of the tables. If nobody is remembered, as after every change of somebody's rights, a check takes a second statement.`

const ABOUT_SERVER = `## A server

Its client and database share the machine with it. "By that CPU" is what one process comes to if it has a core to itself and waits for nobody. A password takes a thread its 14 ms of argon2id, by design; everything else is the price of a request.`

interface LookUp {
  readonly what: string
  run(): Promise<void>
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
const ROW = `select * from artifacts where domain_id = $1 and kind = 'AccessToken' and hash = $2`
const STATEMENT = 'select standing, expires_at, is_consumed from find_token($1, $2)'

/** Ways to find out about a token that a server on this database has issued. The first is the one to compare with. */
async function lookUpsOf(database: Database, token: string, others: number): Promise<LookUp[]> {
  const made = await makeDomain(database, 'local')
  const context = accessContext(made, made.domain)
  await fillArtifacts(database, context.domain.id, others)
  const values = [context.domain.id, tokenHash(token)]
  const first = async (text: string, more: readonly string[] = []): Promise<void> => {
    const [found] = await database.statement(text, [...values, ...more])
    if (found === undefined || Object.values(found)[0] === null) throw new Error('the token was not found')
  }
  const check = async (grants: GrantKeeper): Promise<void> => {
    if ((await identifyBearer({ ...context, grants }, token)) === null) throw new Error('the token is not good')
  }
  return [
    { what: 'bare SQL: token, account and consumer in one join', run: () => first(JOIN, [CLIENT_TYPE.name]) },
    { what: 'bare SQL: the row of the token alone', run: () => first(ROW) },
    { what: 'the statement of a check, `find_token`', run: () => first(STATEMENT) },
    { what: 'a check of a bearer token, `identifyBearer`', run: () => check(made.grants) },
    { what: 'a check where nobody is remembered', run: () => check(new GrantKeeper(database, 1)) },
  ]
}

async function fillArtifacts(database: Database, domainId: number, count: number): Promise<void> {
  await database.statement(
    `insert into artifacts (domain_id, kind, hash, payload, grant_id, account_uuid, issued_at, expires_at)
     select $1, 'AccessToken', sha256(n::text::bytea), '{}', n::text, gen_random_uuid(), now(), now() + interval '1 hour'
     from generate_series(1, $2::int) n`,
    [domainId, count],
  )
}

async function query(url: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = '{"query":"{ currentDomain { uuid } }"}'
  await answerOf(await fetch(`${url}/graphql`, { method: 'POST', headers, body }))
}

interface Tokens {
  readonly refresh_token: string
}

function byPassword(url: string, credentials: Credentials): Promise<Tokens> {
  const { username, password } = credentials
  return askForTokens(url, credentials, { grant_type: 'password', username, password })
}

/** Each refresh token works once, so the next request sends the one that the last answer brought. */
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
