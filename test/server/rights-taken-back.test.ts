import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { INT8 } from '../../src/db/columns.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import type { Database } from '../../src/db/sql.ts'
import type { Account } from '../../src/platform/access/accounts/account.ts'
import { findAccountByLogin } from '../../src/platform/access/accounts/accounts.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { createSystemCredential } from '../../src/platform/systems/credentials.ts'
import { deleteArtifact, saveArtifact } from '../../src/store/access/artifacts.ts'
import { writeAccess } from '../../src/store/domains.ts'
import { tokenHash } from '../../src/platform/access/sessions/token-hash.ts'
import { endGrants } from '../../src/store/access/ended-artifacts.ts'
import { historyOf } from '../platform/datapoints/history.ts'
import { artifact, giveToken, makeMachine, type TokenOptions } from '../support/access.ts'
import { countingDatabase, type CountingDatabase } from '../support/counting-database.ts'
import { createPostgresDatabase, ANY_DATABASE, type PostgresDatabase } from '../support/databases.ts'
import { MIGRATED_TEMPLATE } from '../support/global-setup.ts'
import { makeSite, type Site } from '../support/site.ts'
import { applying } from './applying.ts'
import { contextOf, HOSTS, startTestServer, type TestServer } from './test-server.ts'

// Tokens of those who send datapoints are remembered for a while. All the same nothing is stored of what is sent after
// a right was taken away: by one server, for all that serve the same database.

const PATH = '/rest/v1/data-points/add'
/** How many send at once, to each server. */
const SENDERS = 3
/** So many of each are answered before, and are sent after. */
const BEFORE = 5
const AFTER = 10

let postgres: PostgresDatabase
let servers: readonly [TestServer, TestServer]
let context: DomainContext
let site: Site

beforeAll(async () => {
  postgres = await createPostgresDatabase(MIGRATED_TEMPLATE)
  const start = async () => startTestServer(await openPostgres(postgres.url, { maxConnections: 6 }))
  servers = [await start(), await start()]
  context = contextOf(servers[0])
  site = await makeSite(context)
})
afterAll(async () => {
  for (const server of servers) await server.close()
  await postgres.drop()
})

let sent = 0

/** Gives the status, and the value that is stored where that is 201. */
async function send(server: TestServer, token: string): Promise<{ readonly status: number; readonly value: number }> {
  sent += 1
  const value = sent
  const at = Date.parse('2026-01-01T00:00:00Z') + value
  const { status } = await server.call({
    path: PATH,
    host: HOSTS.first,
    authorization: `Bearer ${token}`,
    body: JSON.stringify([site.point('temperature', value, at)]),
  })
  return { status, value }
}

async function storedValues(): Promise<ReadonlySet<unknown>> {
  const { 'Sensor 0 temperature': points = [] } = await historyOf(context)
  return new Set(points.map(([, value]) => value))
}

/** What became of what was sent after the answer. */
interface TakenAway {
  readonly statuses: readonly number[]
  readonly stored: readonly unknown[]
}

const REFUSED: TakenAway = { statuses: [401], stored: [] }

/** Sends on and on to both servers, while a right is taken away by the first; and a batch with a key before and after. */
async function takeAway(token: string, take: () => Promise<unknown>): Promise<TakenAway> {
  const body = JSON.stringify([site.point('temperature', -1)])
  const keyed = { path: PATH, authorization: `Bearer ${token}`, headers: { 'idempotency-key': token }, body }
  const sendKeyed = async () =>
    Promise.all(servers.map(async (server) => (await server.call({ ...keyed, host: HOSTS.first })).status))
  expect(await sendKeyed()).toStrictEqual([201, 201])
  const senders = servers.flatMap((server) => Array.from({ length: SENDERS }, () => server))
  let taken = false
  let ready = 0
  const allReady = Promise.withResolvers<void>()
  const sending = senders.map(async (server) => {
    for (let answered = 0, after = 0; after < AFTER;) {
      const isAfter = taken
      const { status, value } = await send(server, token)
      if (isAfter) {
        after += 1
        refused.push({ status, value })
      } else if (status === 201) {
        answered += 1
        if (answered === BEFORE && ++ready === senders.length) allReady.resolve()
      } else if (answered < BEFORE) {
        allReady.reject(new Error(`a batch was answered by ${status}`))
        return
      }
    }
  })
  const refused: { readonly status: number; readonly value: number }[] = []
  await allReady.promise
    .then(take)
    .finally(() => (taken = true))
    .finally(() => Promise.all(sending))
  const stored = await storedValues()
  return {
    statuses: [...new Set([...refused.map(({ status }) => status), ...(await sendKeyed())])],
    stored: refused.filter(({ value }) => stored.has(value)),
  }
}

const ASK = { uuid: '' }
const machine = (login: string): Promise<Account> => makeMachine(context, login)
const give = (account: Pick<Account, 'uuid'>, options?: TokenOptions) => giveToken(context, account, options)
const ask = (query: string, variables?: object) => servers[0].data(query, variables)

const user = (username: string) => ({ username, password: `Zq7-8Kd02mfPq71L-${username}` })

async function apply(document: object): Promise<unknown> {
  const applies = await applying(async (query, variables) => ({ data: await ask(query, variables) }), { document })
  return applies()
}

describe('what is sent after the answer is refused by both servers', () => {
  it('when a machine user is deleted by an import', async () => {
    const { importDocument } = await ask('{ importDocument }')
    const document = { ...(importDocument as object), machineUsers: [user('staying')] }
    await apply({ ...document, machineUsers: [user('staying'), user('leaving')] })
    const token = await give((await findAccountByLogin(context, 'machine', 'leaving')) ?? ASK)
    expect(await takeAway(token, () => apply(document))).toStrictEqual(REFUSED)
  })

  it.each(['ARCHIVED', 'DEACTIVATED'])('when a machine user is %s', async (status) => {
    const username = `gateway-${status.toLowerCase()}`
    await ask(
      `mutation { createMachineUser(input: { username: "${username}", password: "Zq7-8Kd02mfPq71L-word" }) { uuid } }`,
    )
    const token = await give((await findAccountByLogin(context, 'machine', username)) ?? ASK)
    expect(
      await takeAway(token, () =>
        ask(`mutation { updateMachineUser(username: "${username}", input: { status: ${status} }) { uuid } }`),
      ),
    ).toStrictEqual(REFUSED)
  })

  it('when the credential of a device is revoked', async () => {
    const { uuid: accountUuid } = await createSystemCredential(context, site.systemUuid)
    expect(
      await takeAway(await give({ uuid: accountUuid }), () =>
        ask(`mutation { revokeSystemCredential(uuid: "${accountUuid}") { createdAt } }`),
      ),
    ).toStrictEqual(REFUSED)
  })

  it('when a consumer is switched off', async () => {
    const { createApplicationConsumer } = await ask(
      `mutation { createApplicationConsumer(slug: "field", name: "Field", secret: "Zq7-8Kd02mfPq71L-word",
        grantTypes: [PASSWORD]) { identifier } }`,
    )
    const { identifier } = createApplicationConsumer as { identifier: string }
    const token = await give(await machine('at-consumer'), { clientId: identifier })
    expect(
      await takeAway(token, () =>
        ask('mutation { updateApplicationConsumer(slug: "field", input: { status: DEACTIVATED }) { uuid } }'),
      ),
    ).toStrictEqual(REFUSED)
  })

  it('when the authentication method is switched off', async () => {
    const { authenticationMethods } = await ask('{ authenticationMethods { uuid } }')
    const [{ uuid } = ASK] = authenticationMethods as { uuid: string }[]
    const token = await give(await machine('at-method'), { methodUuid: uuid })
    expect(
      await takeAway(token, () =>
        ask(`mutation { updateAuthenticationMethod(uuid: "${uuid}", status: DEACTIVATED) { uuid } }`),
      ),
    ).toStrictEqual(REFUSED)
  })

  it('when people lose the role by which they send', async () => {
    const email = 'sender@example.org'
    await ask('mutation { createOrganization(input: { name: "North", alias: "north" }) { uuid } }')
    await ask(`mutation { createUser(input: { email: "${email}", organization: { alias: "north" } }) { uuid } }`)
    const token = await give((await findAccountByLogin(context, 'person', email)) ?? ASK)
    expect(
      await takeAway(token, () => ask(`mutation { deleteGrant(key: "operator/everyone/users") { key } }`)),
    ).toStrictEqual({ statuses: [403], stored: [] })
  })

  it('when the token is revoked, or all of its grant', async () => {
    const { database, domain } = context
    const token = await give(await machine('at-token'))
    expect(
      await takeAway(token, () =>
        writeAccess(database, domain.id, (sql) => deleteArtifact(sql, domain.id, 'AccessToken', tokenHash(token))),
      ),
    ).toStrictEqual(REFUSED)
    const grantId = crypto.randomUUID()
    const grant = artifact(grantId, { kind: 'Grant' })
    await writeAccess(database, domain.id, (sql) => saveArtifact(sql, domain.id, grant))
    const granted = await give(await machine('at-grant'), { grantId })
    expect(
      await takeAway(granted, () => writeAccess(database, domain.id, (sql) => endGrants(sql, domain.id, [grantId]))),
    ).toStrictEqual(REFUSED)
  })
})

async function version(): Promise<number> {
  const [row] = await context.database.rows({ version: INT8 }, `select version from access_versions`)
  return row?.version ?? 0
}

describe('the access version', () => {
  it('stays as it is while people sign in and out, and tokens are given out', async () => {
    const before = await version()
    const { database, domain } = context
    await give(await machine('arriving'))
    await writeAccess(database, domain.id, async (sql) => {
      await saveArtifact(sql, domain.id, artifact('session', { kind: 'Session' }))
      await deleteArtifact(sql, domain.id, 'Session', tokenHash('session'))
    })
    await ask('mutation { createService(input: { code: "S1", name: "One" }) { uuid } }').catch(() => undefined)
    expect(await version()).toBe(before)
  })
})

describe('a batch', () => {
  let database: Database
  let counting: CountingDatabase
  let server: TestServer
  let own: Site
  beforeAll(async () => {
    database = await ANY_DATABASE.openMigrated()
    counting = countingDatabase(database)
    server = await startTestServer(counting)
    own = await makeSite(contextOf(server))
  })
  afterAll(() => server.close())

  const one = async (): Promise<void> => {
    const body = JSON.stringify([own.point('temperature', 1)])
    expect(await server.call({ path: PATH, body })).toMatchObject({ status: 201 })
  }

  it('takes one statement, beside looking its token up now and then', async () => {
    await one()
    await one()
    const before = counting.statements.length
    for (let index = 0; index < 20; index += 1) await one()
    const statements = counting.statements
      .slice(before)
      .filter((text) => !/find_token|find_backing|host_names/.test(text))
    expect(statements.filter((text) => text.includes('store_flush'))).toHaveLength(20)
    const others = statements.filter((text) => !text.includes('store_flush'))
    expect([...new Set(others)].map((text) => text.slice(0, 60))).toStrictEqual([])
  })
})
