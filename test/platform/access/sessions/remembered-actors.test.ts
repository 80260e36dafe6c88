import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openPostgres } from '../../../../src/db/postgres/postgres.ts'
import type { Database } from '../../../../src/db/sql.ts'
import { changeDelegatedUser } from '../../../../src/platform/access/delegated/delegated-users.ts'
import { personOfIdentity } from '../../../../src/platform/access/delegated/identity/external-identity.ts'
import { unbindIdentity } from '../../../../src/platform/access/delegated/identity/identities.ts'
import { GrantKeeper } from '../../../../src/platform/access/grants/grant-keeper.ts'
import {
  createDelegatedMethod,
  deleteMethod,
  updateMethod,
  type DelegatedMethod,
} from '../../../../src/platform/access/methods/methods.ts'
import { identifyAgain, identifyBearer } from '../../../../src/platform/access/sessions/identify-bearer.ts'
import { tokenHash } from '../../../../src/platform/access/sessions/token-hash.ts'
import type { DomainContext } from '../../../../src/platform/domain-context.ts'
import { listApplies } from '../../../../src/platform/imports/history/applies.ts'
import { applyImport } from '../../../../src/platform/imports/applying/apply-import.ts'
import { planRollback } from '../../../../src/platform/imports/applying/roll-back.ts'
import { createRecord, deleteRecord, updateRecord } from '../../../../src/platform/records/change-record.ts'
import { createSystemCredential, revokeSystemCredential } from '../../../../src/platform/systems/credentials.ts'
import { NO_SETTINGS } from '../../../../src/records/settings.ts'
import { giveToken, makePlatformRecord, type TokenOptions } from '../../../support/access.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../../../support/databases.ts'
import { acknowledging, applyAll, emptyDomain, makeDomain } from '../../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../../support/global-setup.ts'
import { setGrants } from '../../../support/grants.ts'
import { storedRecords } from '../../../support/plan-parts.ts'
import { makeSite } from '../../../support/site.ts'

// Processes remember what stands behind tokens. What one of them changes counts on the next request of the others: there
// a token means what it means to a process that remembers nothing.

const ADA = 'ada@example.org'
const PASSWORD = 'Zq7-8Kd02mfPq71L-word'
const GRANTS = [
  { role: 'viewer', everyone: 'users', withinOwnOrganization: true },
  { role: 'operator', user: ADA, within: 'acme' },
] as const
const MODEL = {
  applicationConsumers: [{ name: 'Portal', slug: 'portal', secret: PASSWORD, grantTypes: ['PASSWORD'] }],
  machineUsers: [{ username: 'gateway', password: PASSWORD }],
  organizations: [
    { alias: 'acme', name: 'Acme', organizationUnits: [{ name: 'North' }] },
    { alias: 'b', name: 'B' },
  ],
  users: [{ email: ADA, name: 'Ada', organization: { alias: 'acme' } }],
}

let postgres: PostgresDatabase
let databases: readonly Database[]
/** Two processes on one database. */
let here: DomainContext
let there: DomainContext

beforeAll(async () => {
  postgres = await createPostgresDatabase(MIGRATED_TEMPLATE)
  const open = () => openPostgres(postgres.url, { maxConnections: 4 })
  databases = [await open(), await open()]
})
beforeEach(async () => {
  ;[here, there] = (await Promise.all(databases.map((database) => makeDomain(database)))) as [
    DomainContext,
    DomainContext,
  ]
  await emptyDomain(here)
  await setGrants(here, GRANTS)
  await applyAll(here, MODEL)
})
afterAll(async () => {
  for (const database of databases) await database.close()
  await postgres.drop()
})

interface Holder {
  readonly uuid: string
  readonly options?: TokenOptions
}

async function recordOf(type: 'users' | 'machineUsers' | 'applicationConsumers'): Promise<{ readonly uuid: string }> {
  const [record] = await storedRecords(here, [type])
  if (record === undefined) throw new Error(`there are no ${type}`)
  return record
}

const ada = () => recordOf('users')

async function atPortal(): Promise<Holder> {
  const { uuid } = await recordOf('applicationConsumers')
  return { ...(await recordOf('machineUsers')), options: { clientId: `portal.${uuid.slice(0, 8)}` } }
}

const COMPANY = { clientId: 'us', issuer: 'https://login.example.com' }

async function byCompany(): Promise<Holder> {
  const { uuid } = await createDelegatedMethod(here, { status: 'ACTIVATED', configuration: COMPANY })
  return { ...(await ada()), options: { methodUuid: uuid } }
}

/** Ada, whom the last import has made an editor. */
async function adaByImport(): Promise<Holder> {
  await applyAll(here, MODEL, { ...NO_SETTINGS, access: [...GRANTS, { role: 'editor', user: ADA }] })
  return ada()
}

async function rollBack(): Promise<void> {
  const [{ uuid } = { uuid: '' }] = await listApplies(here, 1, null)
  const settings = acknowledging((await planRollback(here, uuid, NO_SETTINGS)).plan)
  const { plan } = await planRollback(here, uuid, settings)
  await applyImport(here, { document: {}, settings, plan, origin: { rollbackOf: uuid } })
}

interface Stranger extends Holder {
  readonly identity: string
  readonly method: DelegatedMethod
}

async function stranger(): Promise<Stranger> {
  const configuration = { ...COMPANY, emailDomains: ['example.org'] }
  const method = await createDelegatedMethod(here, { status: 'ACTIVATED', configuration })
  const { account, identity } = await personOfIdentity(here, method, { sub: 'eve' })
  return { uuid: account.uuid, identity, method }
}

async function robot(): Promise<Holder> {
  const body = { username: 'robot', status: 'ACTIVATED' }
  return { uuid: await makePlatformRecord(here, { type: 'machineUsers', key: 'robot' }, body, null) }
}

async function device(): Promise<Holder> {
  const { systemUuid } = await makeSite(here)
  const { uuid: accountUuid } = await createSystemCredential(here, systemUuid)
  return { uuid: accountUuid }
}

const change = (
  type: 'users' | 'machineUsers' | 'applicationConsumers' | 'organizations',
  key: string,
  input: object,
) => updateRecord(here, type, key, { ...input }, [])
const methodOf = ({ options }: Holder) => String(options?.methodUuid)

/** What changes what a token stands for, from what it is that the token is given to. */
const WAYS: readonly (readonly [string, () => Promise<Holder>, (holder: never) => Promise<unknown>])[] = [
  ['a user is switched off', ada, () => change('users', ADA, { status: 'DEACTIVATED' })],
  ['a user has another name', ada, () => change('users', ADA, { name: 'Augusta' })],
  ['a user is deleted', ada, () => deleteRecord(here, 'users', ADA, [])],
  ['a user comes into another organization', ada, () => change('users', ADA, { organization: { alias: 'b' } })],
  ['an import leaves a user out', ada, () => applyAll(here, { ...MODEL, users: [] })],
  ['something is granted', ada, () => createRecord(here, 'access', { role: 'editor', user: ADA }, [])],
  ['a grant is taken back', ada, () => deleteRecord(here, 'access', `operator/user/${ADA}/within/acme`, [])],
  ['an import leaves a grant out', adaByImport, () => applyAll(here, MODEL, { ...NO_SETTINGS, access: [...GRANTS] })],
  ['the import of a grant is rolled back', adaByImport, rollBack],
  [
    'an organization has another unit',
    ada,
    () => change('organizations', 'acme', { organizationUnits: [{ name: 'North' }, { name: 'South' }] }),
  ],
  ['a machine user is archived', atPortal, () => change('machineUsers', 'gateway', { status: 'ARCHIVED' })],
  ['a consumer is switched off', atPortal, () => change('applicationConsumers', 'portal', { status: 'DEACTIVATED' })],
  ['a consumer has fewer scopes', atPortal, () => change('applicationConsumers', 'portal', { scopes: ['openid'] })],
  ['a consumer is deleted', atPortal, () => deleteRecord(here, 'applicationConsumers', 'portal', [])],
  [
    'an account of the platform becomes one of the model',
    robot,
    () => createRecord(here, 'machineUsers', { username: 'robot', password: PASSWORD }, []),
  ],
  [
    'a method is switched off',
    byCompany,
    (holder: Holder) => updateMethod(here, methodOf(holder), { status: 'DEACTIVATED' }),
  ],
  [
    'a method allows other scopes',
    byCompany,
    (holder: Holder) => updateMethod(here, methodOf(holder), { configuration: { scopes: ['openid'] } }),
  ],
  ['a method is deleted', byCompany, (holder: Holder) => deleteMethod(here, methodOf(holder))],
  [
    'somebody of another provider is switched off',
    stranger,
    ({ uuid }: Holder) => changeDelegatedUser(here, uuid, 'DEACTIVATED'),
  ],
  ['the last identity of an account is unbound', stranger, ({ identity }: Stranger) => unbindIdentity(here, identity)],
  [
    'an identity turns out to be that of a user',
    stranger,
    ({ method }: Stranger) => personOfIdentity(here, method, { sub: 'eve', email: ADA, email_verified: true }),
  ],
  ['a credential is revoked', device, ({ uuid }: Holder) => revokeSystemCredential(here, uuid)],
]

it.each(WAYS)('when %s, the next request of another process knows', async (_, begin, make) => {
  const holder = await begin()
  const give = () => giveToken(here, holder, holder.options)
  const token = await give()
  const before = await identifyBearer(there, token)
  expect(before).not.toBeNull()
  await make(holder as never)
  // A request that began before may write one late.
  const late = await give()
  for (const one of [token, late]) {
    const now = await identifyBearer(there, one)
    expect(now).toStrictEqual(await identifyBearer({ ...there, grants: new GrantKeeper(there.database) }, one))
    const key = { domainId: there.domain.id, tokenHash: tokenHash(one) }
    expect(await identifyAgain(there, [key], new Date())).toStrictEqual([now])
    expect(now).not.toStrictEqual(before)
  }
})

it('each answer is right while somebody is switched off and on', async () => {
  const state = { isDone: false, token: await giveToken(here, await ada()) }
  const asking = Array.from({ length: 3 }, async () => {
    while (!state.isDone) await identifyBearer(there, state.token)
  })
  for (const status of Array.from({ length: 10 }, () => ['DEACTIVATED', 'ACTIVATED']).flat()) {
    await change('users', ADA, { status })
    // What was given before does not come back.
    expect([status, await identifyBearer(there, state.token)]).toStrictEqual([status, null])
    if (status === 'DEACTIVATED') continue
    state.token = await giveToken(here, await ada())
    expect(await identifyBearer(there, state.token)).not.toBeNull()
  }
  state.isDone = true
  await Promise.all(asking)
})
