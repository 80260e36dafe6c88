import { once } from 'node:events'
import { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Account } from '../../src/platform/access/accounts/account.ts'
import { tokenHash } from '../../src/platform/access/sessions/token-hash.ts'
import { ERRORS_ONLY } from '../../src/server/logger.ts'
import { startServer } from '../../src/server/process/start-server.ts'
import type { Database } from '../../src/db/sql.ts'
import { deleteArtifact } from '../../src/store/access/artifacts.ts'
import { raiseAccessVersion, writeAccess } from '../../src/store/domains.ts'
import { giveToken, makeMachine } from '../support/access.ts'
import { countingDatabase } from '../support/counting-database.ts'
import { ANY_DATABASE, PGLITE } from '../support/databases.ts'
import { placeOnAny } from '../support/data-place.ts'
import { operatorToken } from '../support/password-token.ts'
import { makeSite, type Site } from '../support/site.ts'
import { follow, type Followed } from './follow.ts'
import { contextOf, startTestServer, TOKEN } from './test-server.ts'
import { context, server, useServer } from './one-server.ts'

// How subscriptions end: never in silence.

const QUERY = 'subscription { datapoints { cursor datapoints { value } } }'
const BACKLOG = 200_000

interface NewDatapoints {
  readonly datapoints: readonly { readonly value: unknown }[]
}

const endOf = async (followed: Followed<unknown>) => {
  await followed.ended
  const last = followed.results.at(-1)
  return `${String(last?.errors?.[0]?.extensions['code'])}: ${last?.errors?.[0]?.message}`
}

const endAfter = async (followed: Followed<unknown>, change: () => Promise<unknown>) => {
  await change()
  return endOf(followed)
}

/** Subscribes, and reads nothing until it is told to. */
async function slowClient(token: string): Promise<Socket> {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.pause()
  const body = JSON.stringify({ query: QUERY })
  const head = [
    'POST /graphql HTTP/1.1',
    'host: 127.0.0.1',
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    'accept: text/event-stream',
    `content-length: ${body.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  await once(socket, 'readable')
  return socket
}

/** As the platform does it: what a token stands for is looked up again under another version. */
function changeAccess(text: string, values: readonly (string | number)[]): Promise<void> {
  return writeAccess(context.database, context.domain.id, async (sql) => {
    await sql.query(text, values)
    await raiseAccessVersion(sql, context.domain.id)
  })
}

describe('a subscription', () => {
  let site: Site
  let account: Account
  const open: Followed<unknown>[] = []

  useServer({ streamBacklog: BACKLOG })
  beforeAll(async () => {
    site = await makeSite(context)
  })
  beforeEach(async () => {
    account = await makeMachine(context, `machine-${crypto.randomUUID()}`)
  })
  afterEach(() => {
    for (const one of open.splice(0)) one.stop()
  })

  async function begin(token: string, query = QUERY): Promise<Followed<NewDatapoints>> {
    const followed = follow<NewDatapoints>(server, query, { token })
    open.push(followed)
    await followed.until((changes) => changes.length > 0)
    return followed
  }

  const GONE =
    'UNAUTHENTICATED: the bearer token is not valid any more; sign in, and subscribe again after the last cursor'

  describe('ends by itself', () => {
    it('when its token is taken back', async () => {
      const token = await giveToken(context, account)
      const [mine, other] = [await begin(token), await begin(await giveToken(context, account))]
      const revoke = () =>
        writeAccess(context.database, context.domain.id, (sql) =>
          deleteArtifact(sql, context.domain.id, 'AccessToken', tokenHash(token)),
        )
      expect(await endAfter(mine, revoke)).toBe(GONE)
      expect(other.results.every(({ errors }) => errors === undefined)).toBe(true)
    })

    it('when its account is archived', async () => {
      const followed = await begin(await giveToken(context, account))
      const archive = () =>
        changeAccess(`update records set body = jsonb_set(body, '{status}', '"ARCHIVED"') where uuid = $1::uuid`, [
          account.uuid,
        ])
      expect(await endAfter(followed, archive)).toBe(GONE)
    })

    it('when the life of its token is over', async () => {
      const token = await giveToken(context, account)
      const followed = await begin(token)
      const expire = () => giveToken(context, account, { token, expiresAt: new Date(Date.now() + 500) })
      expect(await endAfter(followed, expire)).toBe(GONE)
    })

    it('when its token allows less than before', async () => {
      const token = await giveToken(context, account)
      const followed = await begin(token)
      const narrow = () => giveToken(context, account, { token, scope: 'datapoints:write' })
      expect(await endAfter(followed, narrow)).toMatch(/^UNAUTHENTICATED|^FORBIDDEN: datapoints needs a token with/)
    })

    it('when its account becomes one of a system', async () => {
      const followed = await begin(await giveToken(context, account))
      const bind = () =>
        changeAccess(
          `insert into system_credentials (domain_id, account_uuid, system_uuid, created_at)
           values ($1, $2::uuid, $3::uuid, now())`,
          [context.domain.id, account.uuid, site.systemUuid],
        )
      expect(await endAfter(followed, bind)).toMatch(/^FORBIDDEN: this account is now bound to another system/)
    })
  })

  it('does not begin where an account has too many of them, or the server', async () => {
    const own = await startTestServer(await ANY_DATABASE.openMigrated(), { streams: 4, streamsOfAccount: 3 })
    const access = contextOf(own)
    const token = await giveToken(access, await makeMachine(access, 'other'))
    const first = Array.from({ length: 3 }, () => follow(own, QUERY))
    await Promise.all(first.map(({ until }) => until((changes) => changes.length > 0)))
    expect(await endOf(follow(own, QUERY))).toBe(
      'LIMIT_EXCEEDED: operator has 3 subscriptions open at this server, and no more are allowed; end one of them',
    )
    const fourth = follow(own, QUERY, { token })
    await fourth.until((changes) => changes.length > 0)
    expect(await endOf(follow(own, QUERY, { token }))).toBe(
      'UNAVAILABLE: this server has 4 subscriptions open, and no more are possible; try again later',
    )
    // The place of one who has gone is free as soon as the server has noticed.
    fourth.stop()
    let again = follow(own, QUERY, { token })
    for (;;) {
      await Promise.race([again.until((changes) => changes.length > 0).catch(() => undefined), again.ended])
      if (again.changes.length > 0) break
      again = follow(own, QUERY, { token })
    }
    for (const one of [...first, again]) one.stop()
    await own.close()
  })

  it(
    'of a client that does not read ends when too much waits for it, and holds up nobody',
    { timeout: 180_000 },
    async () => {
      const socket = await slowClient(await giveToken(context, account))
      const quick = await begin(TOKEN)
      const text = 'x'.repeat(1_000)
      let sent = 0
      const send = async () => {
        const points = Array.from({ length: 1_000 }, () => site.point('note', text, 1_760_000_000_000 + sent++))
        const answer = await server.call({ path: '/rest/v1/data-points/add', body: JSON.stringify(points) })
        expect(answer.status).toBe(201)
      }
      // More than the sockets hold, and than may wait.
      for (let round = 0; round < 20; round++) await send()
      await quick.until((changes) => changes.reduce((sum, { datapoints }) => sum + datapoints.length, 0) === sent)
      let received = ''
      socket.on('data', (chunk: Buffer) => (received += chunk.toString().replaceAll(/x+/g, 'x')))
      await once(socket, 'close')
      const [last = ''] = /\{"errors".*\}/.exec(received) ?? []
      expect(JSON.parse(last)).toMatchObject({
        errors: [
          {
            message:
              'more than 200,000 datapoints, or as many bytes, wait to be read: this client is too slow; subscribe again with the last cursor',
            extensions: { code: 'LIMIT_EXCEEDED' },
          },
        ],
      })
      expect(received).toMatch(/event: complete/)
      expect(received.split('"value"').length - 1).toBeLessThan(sent)
    },
  )

  it('costs three small statements a second where nothing happens, however many there are', async () => {
    // A server that shares its database asks more, for the others.
    const database = countingDatabase(await PGLITE.openMigrated())
    const own = await startTestServer(database)
    const access = contextOf(own)
    const other = await giveToken(access, await makeMachine(access, 'other'))
    const followed = [TOKEN, TOKEN, other].map((token) => follow<NewDatapoints>(own, QUERY, { token }))
    open.push(...followed, follow(own, 'subscription { events { cursor } }'))
    await Promise.all(open.map(({ until }) => until((changes) => changes.length > 0)))
    const counts = () =>
      ['pg_control_system', 'from outbox_numbers', 'find_token'].map(
        (what) => database.statements.filter((text) => text.includes(what)).length,
      )
    const nextRound = async (rounds: number) => {
      database.statements.length = 0
      while (Math.min(...counts()) < rounds) await new Promise((resolve) => setTimeout(resolve, 50))
      return counts().reduce((rest, count) => rest - count, database.statements.length)
    }
    // What was sent before is still read, and the grants of a model that has changed, and upkeep may run; then nothing
    // else happens.
    let begun: number
    do begun = performance.now()
    while ((await nextRound(3)) > 0)
    const seconds = (performance.now() - begun) / 1_000
    // What is slow makes them fewer, and one from before may come late.
    expect(Math.max(...counts())).toBeLessThanOrEqual(seconds + 2)
    expect(followed.every(({ changes }) => changes.length === 1)).toBe(true)
    await own.close()
  })

  it('ends when the server does, and does not hold that up', async () => {
    const own = await startTestServer(await ANY_DATABASE.openMigrated())
    const followed = [follow(own, QUERY), follow(own, 'subscription { applies { cursor } }')]
    await Promise.all(followed.map(({ until }) => until((changes) => changes.length > 0)))
    own.lifecycle.state = 'draining'
    for (const one of followed)
      expect(await endOf(one)).toBe('UNAVAILABLE: this server is stopping; subscribe again after the last cursor')
    expect(await endOf(follow(own, QUERY))).toMatch(/^UNAVAILABLE: this server is stopping/)
    await own.close()
  })

  it('ends when the whole server is stopped, which waits for nobody', async () => {
    const place = await placeOnAny()
    const env = { ...place.env, PORT: '0' }
    const own = await startServer({ env, cwd: place.directory, logger: ERRORS_ONLY, tell: () => undefined })
    const followed = follow(own, QUERY, { token: await operatorToken(own.url, place.directory) })
    await followed.until((changes) => changes.length > 0)
    const cutOff = vi.spyOn(Server.prototype, 'closeAllConnections')
    await own.stop()
    // After ten seconds it would cut off a connection that stays open.
    expect(cutOff).not.toHaveBeenCalled()
    cutOff.mockRestore()
    expect(await endOf(followed)).toMatch(/^UNAVAILABLE: this server is stopping/)
    await place.remove()
  })
})

it('whoever goes away while a subscription is being opened leaves nothing behind', async () => {
  const database = await ANY_DATABASE.openMigrated()
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  let isSlow = true
  const rows: Database['rows'] = async (shape, text, values) => {
    if (isSlow && text.includes('pg_control_system')) {
      asked.resolve()
      await answered.promise
    }
    return database.rows(shape, text, values)
  }
  const server = await startTestServer({ ...database, rows }, { streams: 1 })
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', accept: 'text/event-stream' }
  const init = { method: 'POST', headers, body: JSON.stringify({ query: QUERY }), signal: leaving.signal }
  const left = fetch(`${server.url}/graphql`, init).catch(() => 'left')
  await asked.promise
  leaving.abort()
  expect(await left).toBe('left')
  // By then the server has heard of it.
  await server.call({ method: 'GET', path: '/healthz' })
  isSlow = false
  answered.resolve()
  const another = async () => {
    const followed = follow<NewDatapoints>(server, QUERY)
    const [opened] = await Promise.allSettled([followed.until((changes) => changes.length > 0)])
    followed.stop()
    return opened.status === 'fulfilled'
  }
  await expect.poll(another).toBe(true)
  await server.close()
})
