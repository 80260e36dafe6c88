import { expect, it } from 'vitest'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import type { Actor } from '../../src/platform/access/grants/actor.ts'
import { tokenHash } from '../../src/platform/access/sessions/token-hash.ts'
import { ChangeSignals } from '../../src/platform/change-signals.ts'
import { bearerAuthenticator } from '../../src/server/authenticate.ts'
import { AT_ONCE, HeavyRequests } from '../../src/server/heavy/heavy-requests.ts'
import { giveToken, makeMachine } from '../support/access.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { makeDomain } from '../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../support/global-setup.ts'

const NOBODY: Actor = {
  name: 'nobody',
  account: null,
  clientId: null,
  methodUuid: null,
  rule: null,
  grantee: null,
  rightsVersion: null,
  systemUuid: null,
  scopes: [],
  rights: new Set(),
  roles: [],
  rightsWithin: new Map(),
  units: null,
  isDevice: false,
}
const ASKED = {
  domain: { id: 1, uuid: '00000000-0000-4000-8000-000000000001', slug: 'local', name: 'Local', hostNames: [] },
  actor: NOBODY,
  tokenHash: new Uint8Array(32),
  traceId: '0'.repeat(32),
}
const ignore = () => undefined
const now = () => new Date()
const asked = (query = '{ __typename }') => ({ ...ASKED, body: Buffer.from(JSON.stringify({ query })) })

it('the thread for heavy requests is there while it is needed, and comes again', async () => {
  const { url, drop } = await createPostgresDatabase(MIGRATED_TEMPLATE)
  const setup = { databaseUrl: url, key: new Uint8Array(32), allowedIssuers: [], maxConnections: 4, name: 'holdfast' }
  const log: object[] = []
  const logger = { info: (fields: object) => log.push(fields), error: ignore }
  const heavy = new HeavyRequests({ setup, changes: new ChangeSignals(), logger, noteApply: ignore, now }, 20)
  expect(heavy.load).toStrictEqual({ requests: 0, thread: null })
  for (let turn = 0; turn < 2; turn++) {
    const answers = await Promise.all([heavy.answer(asked()), heavy.answer(asked())])
    expect(heavy.load).toMatchObject({ requests: 0, thread: { connections: { isUp: true, waiting: 0 } } })
    for (const answer of answers) expect(await answer.json()).toStrictEqual({ data: { __typename: 'Query' } })
    await expect.poll(() => heavy.load.thread).toBeNull()
  }
  await heavy.answer(asked('{ users { totalCount } }'))
  expect(log).toStrictEqual([{ traceId: ASKED.traceId, code: 'FORBIDDEN', operation: 'users' }])
  const last = heavy.answer(asked())
  expect(heavy.load.requests).toBe(1)
  expect((await last).status).toBe(200)
  await heavy.close()
  // Nothing of it holds the database any more.
  await drop()
})

it('a token that expires while its request waits for the thread counts as when the request came', async () => {
  const { url, drop } = await createPostgresDatabase(MIGRATED_TEMPLATE)
  const database = await openPostgres(url, { maxConnections: 1 })
  const context = await makeDomain(database)
  const came = new Date(Date.now() - 60_000)
  const expiresAt = new Date(came.getTime() + 1_000)
  const token = await giveToken(context, await makeMachine(context, 'operator'), { expiresAt })
  const actor = await bearerAuthenticator({ ...context, now: () => came })(token, context.domain)
  if (actor === null) throw new Error('the token was valid when the request came')
  const setup = {
    databaseUrl: url,
    key: new Uint8Array(32).fill(7),
    allowedIssuers: [],
    maxConnections: 4,
    name: 'holdfast',
  }
  const parts = { setup, changes: new ChangeSignals(), logger: { info: ignore, error: ignore }, noteApply: ignore }
  const query = 'mutation { createDataSource(input: { code: "late", name: "Late" }) { code } }'
  const request = { ...asked(query), domain: context.domain, actor, tokenHash: tokenHash(token) }
  const answerAt = async (at: Date) => {
    const heavy = new HeavyRequests({ ...parts, now: () => at })
    const answer = await (await heavy.answer({ ...request, body: Buffer.from(request.body) })).json()
    await heavy.close()
    return answer
  }
  expect(await answerAt(now())).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] })
  expect(await answerAt(came)).toStrictEqual({ data: { createDataSource: { code: 'late' } } })
  await database.close()
  await drop()
})

it('works on few requests at once, so that those of one domain do not fill the memory that all share', async () => {
  const { url, drop } = await createPostgresDatabase(MIGRATED_TEMPLATE)
  const setup = { databaseUrl: url, key: new Uint8Array(32), allowedIssuers: [], maxConnections: 4, name: 'holdfast' }
  const logger = { info: ignore, error: ignore }
  const heavy = new HeavyRequests({ setup, changes: new ChangeSignals(), logger, noteApply: ignore, now })
  const ask = (id: number) =>
    Array.from({ length: 20 }, () => heavy.answer({ ...asked(), domain: { ...ASKED.domain, id } }))
  const first = ask(1)
  expect(heavy.load.requests).toBe(AT_ONCE.mostOfOne)
  const others = [...ask(2), ...ask(3)]
  expect(heavy.load.requests).toBe(AT_ONCE.mostOfAll)
  for (const answer of await Promise.all([...first, ...others])) expect(answer.status).toBe(200)
  await heavy.close()
  await drop()
})
