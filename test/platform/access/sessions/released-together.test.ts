import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openPostgres } from '../../../../src/db/postgres/postgres.ts'
import type { Database, Sql } from '../../../../src/db/sql.ts'
import { changeDelegatedUser } from '../../../../src/platform/access/delegated/delegated-users.ts'
import { personOfIdentity } from '../../../../src/platform/access/delegated/identity/external-identity.ts'
import { listIdentities } from '../../../../src/platform/access/delegated/identity/identities.ts'
import { createDelegatedMethod } from '../../../../src/platform/access/methods/methods.ts'
import { identifyBearer } from '../../../../src/platform/access/sessions/identify-bearer.ts'
import { signOut } from '../../../../src/platform/access/sessions/sessions.ts'
import type { DomainContext } from '../../../../src/platform/domain-context.ts'
import { Datapoints } from '../../../../src/platform/datapoints/datapoints.ts'
import { saveArtifact } from '../../../../src/store/access/artifacts.ts'
import { endSessions } from '../../../../src/store/access/ended-artifacts.ts'
import { deletePlatformAccounts } from '../../../../src/store/access/ended-identities.ts'
import {
  bindIdentity,
  forgetOldRefusals,
  holdIdentitiesOf,
  lockIdentity,
  noteRefusal,
} from '../../../../src/store/access/external-identities.ts'
import { writeAccess } from '../../../../src/store/domains.ts'
import { artifact, giveToken } from '../../../support/access.ts'
import { countingDatabase, type BeforeStatement } from '../../../support/counting-database.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../../../support/databases.ts'
import { applyAll, emptyDomain, makeDomain } from '../../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../../support/global-setup.ts'
import { makeSite, SITE_MODEL } from '../../../support/site.ts'
import { countWaiting } from '../../../support/lock-waits.ts'

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
  const { account, identity } = await personOfIdentity(context, method, { sub: name, email, email_verified: true })
  const given = { accountUuid: account.uuid, methodUuid: method.uuid }
  const token = await giveToken(context, account, { ...given, sessionUid: name, grantId: `grant ${name}` })
  const session = artifact(`session ${name}`, { ...given, kind: 'Session', uid: name })
  await elsewhere((sql) => saveArtifact(sql, context.domain.id, session))
  return { email, uid: name, token, account: account.uuid, methodUuid: method.uuid, identity }
}

/** Runs `work` once, in an apply that has written its changes, before a statement. */
function inTheMiddle(work: () => Promise<unknown>, statement = 'insert into apply_changes'): { isDone: boolean } {
  const state = { isDone: false }
  let isWritten = false
  before = async ({ text }) => {
    isWritten ||= text.includes('insert into apply_changes')
    if (state.isDone || !isWritten || !text.includes(statement)) return
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

it('keeps nobody from signing out while it looks at data that came meanwhile', async () => {
  const site = await makeSite(context)
  const datapoints = new Datapoints({ ...context, isAlone: true })
  const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
  await datapoints.ingest.add(who, [site.point('percent', 5)])
  await datapoints.close()
  const ann = await signedIn('ann')
  const middle = inTheMiddle(() => elsewhere((sql) => signOut(sql, context.domain.id, ann.uid)), 'declare chunks_after')
  const characteristics = SITE_MODEL.characteristics.map((one) =>
    one.code === 'percent' ? { ...one, boundaryMax: 50 } : one,
  )
  await applyAll(context, { ...SITE_MODEL, characteristics, users: [{ email: ann.email }] })
  expect(middle.isDone).toBe(true)
})

/** Until another connection waits for a lock. */
async function untilWaiting(): Promise<void> {
  await expect.poll(() => countWaiting(context.database), { interval: 20 }).toBe(1)
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

it('shuts a person out whose identity is being unbound, and neither waits for the other', async () => {
  const ann = await signedIn('ann')
  const { shuttingOut } = await elsewhere(async (sql) => {
    await lockIdentity(sql, context.domain.id, ann.identity)
    const outcome = changeDelegatedUser(context, ann.account, 'DEACTIVATED').catch((error: unknown) => error)
    await untilWaiting()
    await deletePlatformAccounts(sql, context.domain.id, [ann.account])
    return { shuttingOut: outcome }
  })
  expect(await shuttingOut).toMatchObject({ code: 'NOT_FOUND' })
})

it('holds the identities of a person in the order in which an apply locks them', async () => {
  const { id } = context.domain
  const { account, methodUuid, identity } = await signedIn('ann')
  // It comes before the first one by its issuer, and after it in the table.
  const sighting = { ...stranger(methodUuid, 'ann'), issuer: 'https://a.example.com' }
  const second = crypto.randomUUID()
  await elsewhere((sql) => bindIdentity(sql, id, sighting, { uuid: second, accountUuid: account }))
  const { holding } = await elsewhere(async (sql) => {
    await lockIdentity(sql, id, second)
    const held = writeAccess(context.database, id, (own) => holdIdentitiesOf(own, id, account))
    await untilWaiting()
    await lockIdentity(sql, id, identity)
    return { holding: held }
  })
  expect((await holding).map(({ uuid }) => uuid)).toStrictEqual([second, identity])
})

const WHY = { reason: 'no-rule', detail: 'no rule' }

/** A sighting of somebody without an address. */
const stranger = (methodUuid: string, subject: string, at = new Date()) => ({
  issuer: 'https://x.example',
  subject,
  methodUuid,
  at,
  email: null,
  isVerified: false,
  address: null,
})

it('notes the refusals of two strangers at once, and neither waits for the other', async () => {
  const { id } = context.domain
  const { methodUuid } = await signedIn('ann')
  const note = (sql: Sql, subject: string, at?: Date) =>
    noteRefusal(sql, id, stranger(methodUuid, subject, at), { ...WHY, uuid: crypto.randomUUID() })
  for (const [day, subject] of ['one', 'two', 'three'].entries())
    await elsewhere((sql) => note(sql, subject, new Date(Date.UTC(2020, 0, day))))
  const { promise: both, resolve } = Promise.withResolvers<void>()
  const noted: string[] = []
  const noteAnew = (subject: string) =>
    elsewhere(async (sql) => {
      await note(sql, subject)
      if (noted.push(subject) === 2) resolve()
      await both
      await forgetOldRefusals(sql, id, 2)
    })
  await Promise.all(['one', 'two'].map(noteAnew))
  const refused = { account: null, method: null, isRefused: true }
  const left = await listIdentities(context, refused, { first: 9, after: null })
  expect(left.map(({ item }) => item.subject)).toStrictEqual(expect.arrayContaining(['one', 'two']))
})
