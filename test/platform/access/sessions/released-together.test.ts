import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { TEXT } from '../../../../src/db/columns.ts'
import { openPostgres } from '../../../../src/db/postgres/postgres.ts'
import type { Database } from '../../../../src/db/sql.ts'
import { personOfIdentity } from '../../../../src/platform/access/delegated/identity/external-identity.ts'
import { createDelegatedMethod } from '../../../../src/platform/access/methods/methods.ts'
import { identifyBearer } from '../../../../src/platform/access/sessions/identify-bearer.ts'
import { signOut } from '../../../../src/platform/access/sessions/sessions.ts'
import type { DomainContext } from '../../../../src/platform/domain-context.ts'
import { saveArtifact } from '../../../../src/store/access/artifacts.ts'
import { endSessions } from '../../../../src/store/access/ended-artifacts.ts'
import { writeAccess } from '../../../../src/store/domains.ts'
import { artifact, giveToken } from '../../../support/access.ts'
import { countingDatabase, type BeforeStatement } from '../../../support/counting-database.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../../../support/databases.ts'
import { applyAll, emptyDomain, makeDomain } from '../../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../../support/global-setup.ts'

// An apply that ends sessions, beside people who sign out by another server.

let postgres: PostgresDatabase
/** That of another server, which gives up rather than wait for the apply. */
let other: Database
let context: DomainContext
let before: BeforeStatement = () => {}
beforeAll(async () => {
  postgres = await createPostgresDatabase(MIGRATED_TEMPLATE)
  other = await openPostgres(postgres.url, { maxConnections: 2, statementMs: 5_000 })
  const database = await openPostgres(postgres.url, { maxConnections: 4 })
  context = await makeDomain(countingDatabase(database, (statement) => before(statement)))
})
beforeEach(async () => {
  before = () => {}
  await emptyDomain(context)
})
afterAll(async () => {
  await other.close()
  await context.database.close()
  await postgres.drop()
})

const elsewhere = <T>(work: Parameters<typeof writeAccess<T>>[2]) => writeAccess(other, context.domain.id, work)

/** Somebody whom a provider told about, with a session and a token of it. */
async function signedIn(name: string) {
  const issuer = `https://${name}.example.com`
  const method = await createDelegatedMethod(context, {
    status: 'ACTIVATED',
    configuration: { clientId: 'holdfast', issuer },
  })
  const email = `${name}@example.org`
  const { account } = await personOfIdentity(context, method, { sub: name, email, email_verified: true })
  const given = { accountUuid: account.uuid, methodUuid: method.uuid }
  const token = await giveToken(context, account, { ...given, sessionUid: name, grantId: `grant ${name}` })
  const session = artifact(`session ${name}`, { ...given, kind: 'Session', uid: name })
  await elsewhere((sql) => saveArtifact(sql, context.domain.id, session))
  return { email, uid: name, token }
}

/** Runs `work` once, in the middle of an apply. */
function inTheMiddle(work: () => Promise<unknown>): { isDone: boolean } {
  const state = { isDone: false }
  before = async ({ text }) => {
    if (state.isDone || !text.includes('insert into apply_changes')) return
    state.isDone = true
    await work()
  }
  return state
}

it('keeps nobody from signing out while it has more to write, those included whose session it ends', async () => {
  const [ann, ben] = [await signedIn('ann'), await signedIn('ben')]
  const middle = inTheMiddle(async () => {
    await elsewhere((sql) => signOut(sql, context.domain.id, ben.uid))
    await elsewhere((sql) => signOut(sql, context.domain.id, ann.uid))
  })
  await applyAll(context, { users: [{ email: ann.email }] })
  expect(middle.isDone).toBe(true)
  for (const { token } of [ann, ben]) expect(await identifyBearer(context, token)).toBeNull()
})

/** Until another connection waits for a lock. */
async function untilWaiting(): Promise<void> {
  const waits = `select pid::text from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect
    .poll(() => context.database.rows({ pid: TEXT }, waits), { interval: 20, timeout: 20_000 })
    .toHaveLength(1)
}

it('waits for a sign-out of a session that it ends, too, and neither waits for the other', async () => {
  const ann = await signedIn('ann')
  const apply = await elsewhere(async (sql) => {
    await endSessions(sql, context.domain.id, [ann.uid])
    const applying = applyAll(context, { users: [{ email: ann.email }] })
    await untilWaiting()
    await signOut(sql, context.domain.id, ann.uid)
    return { applying }
  })
  await apply.applying
  expect(await identifyBearer(context, ann.token)).toBeNull()
})

it('ends the sessions of several methods without waiting for a sign-out that waits for it', async () => {
  const [ann, ben] = [await signedIn('ann'), await signedIn('ben')]
  const configuration = { clientId: 'us', issuer: 'https://login.example.org', emailDomains: ['example.org'] }
  const created = await elsewhere(async (sql) => {
    await endSessions(sql, context.domain.id, [ben.uid])
    const creating = createDelegatedMethod(context, { status: 'ACTIVATED', configuration })
    await untilWaiting()
    await signOut(sql, context.domain.id, ben.uid)
    return { creating }
  })
  await created.creating
  for (const { token } of [ann, ben]) expect(await identifyBearer(context, token)).toBeNull()
})
