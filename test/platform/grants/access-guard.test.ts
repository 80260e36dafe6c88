import { beforeEach, expect, test } from 'vitest'
import type { Plan } from '../../../src/plan/plan.ts'
import { createDelegatedMethod } from '../../../src/platform/access/methods/methods.ts'
import { applyImport } from '../../../src/platform/imports/applying/apply-import.ts'
import { planRollback } from '../../../src/platform/imports/applying/roll-back.ts'
import { createSystem } from '../../../src/platform/systems/systems.ts'
import { createSystemCredential } from '../../../src/platform/systems/credentials.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { createRecord, updateRecord } from '../../../src/platform/records/change-record.ts'
import { NO_SETTINGS, type Settings } from '../../../src/records/settings.ts'
import { strongSecret } from '../../support/example-records.ts'
import { acknowledging, applyAll, emptyDomain, plan } from '../../support/domain.ts'
import { oneDomain } from '../one-domain.ts'

// Whoever may merge a change of the models could hand the platform to a stranger by it. Each test tries one way.

const domain = oneDomain()

const person = (email: string, more: object = {}) => ({ email, name: 'Ada', ...more })
const robot = (username: string, secret = username, more: object = {}) => ({
  username,
  password: strongSecret(secret),
  ...more,
})
const portal = (more: object = {}) => ({
  name: 'Portal',
  slug: 'portal',
  secret: strongSecret('portal'),
  grantTypes: ['AUTHORIZATION_CODE'],
  redirectUris: ['https://portal.example.com/cb'],
  scopes: ['data:read'],
  ...more,
})

const MODEL = {
  users: [
    person('adm1@example.com'),
    person('adm2@example.com'),
    person('former@example.com', { status: 'DEACTIVATED' }),
  ],
  machineUsers: [robot('deployer')],
  applicationConsumers: [portal()],
}
const ACCESS: Settings = {
  ...NO_SETTINGS,
  access: [
    { role: 'administrator', user: 'adm1@example.com' },
    { role: 'administrator', user: 'adm2@example.com' },
    { role: 'administrator', user: 'former@example.com' },
    { role: 'administrator', machineUser: 'deployer' },
    { role: 'operator', everyone: 'users' },
  ],
}

beforeEach(async () => {
  await applyAll(domain(), MODEL, ACCESS)
})

const planned = (changes: object, settings = ACCESS) => plan(domain(), { ...MODEL, ...changes }, settings)

/** What a plan says about who gains what; it is blocked by that alone. */
async function gained(changes: object, settings = ACCESS): Promise<string[]> {
  const made = await planned(changes, settings)
  expect(made).toMatchObject({
    outcome: 'blocked',
    access: { guards: [{ code: 'widens-access', acknowledged: false }] },
  })
  return gains(made)
}

function gains({ access }: Plan): string[] {
  return (access.diff?.changes ?? []).filter((change) => change.gains.length > 0).map(({ message }) => message)
}

test('an administrator who gets the address of somebody else', async () => {
  const users = [person('adm1@example.com'), person('mallory@example.com'), MODEL.users[2]]
  const access = [...(ACCESS.access ?? [])].map((grant) =>
    'user' in grant && grant['user'] === 'adm2@example.com' ? { ...grant, user: 'mallory@example.com' } : grant,
  )
  const moved = [{ type: 'users', from: 'adm2@example.com', to: 'mallory@example.com' } as const]
  expect(await gained({ users }, { ...ACCESS, access, moved })).toEqual([
    'mallory@example.com would become administrator in the whole domain: users/adm2@example.com is renamed to it',
  ])
})

test('a root organization that moves below another one, whose people its unmanaged grant then reaches', async () => {
  const organizations = ['a', 'b'].map((name) => ({ name, alias: name }))
  await applyAll(domain(), { ...MODEL, organizations }, ACCESS)
  const { access: _, ...unmanaged } = ACCESS
  await createRecord(domain(), 'access', { role: 'administrator', organization: 'a' }, [])
  const below = [{ name: 'b', alias: 'b', organizationUnits: [{ name: 'a', alias: 'a' }] }]
  const moved = [{ type: 'organizations', from: 'a', to: 'b/a' } as const]
  const made = await planned({ organizations: below }, { ...unmanaged, moved })
  expect(gains(made)).toEqual(['everyone of b would become administrator in the whole domain'])
  expect(made.access.guards.map(({ code }) => code)).toContain('widens-access')
})

const machineUsers = (secret: string) => ({ machineUsers: [robot('deployer', secret)] })

test('another password for the machine user of an administrator, and each one for itself', async () => {
  expect(await gained(machineUsers('mine'))).toEqual([
    'machine user deployer would get a new password, as administrator in the whole domain',
  ])
  const settings = acknowledging(await planned(machineUsers('mine')), ACCESS)
  expect(await planned(machineUsers('mine'), settings)).toMatchObject({ outcome: 'changes' })
  expect(await planned(machineUsers('yours'), settings)).toMatchObject({ outcome: 'blocked' })
})

test('an account that becomes ACTIVATED again', async () => {
  expect(await gained({ users: [...MODEL.users.slice(0, 2), person('former@example.com')] })).toEqual([
    'former@example.com would become administrator in the whole domain: it becomes ACTIVATED',
  ])
})

test('a stranger who is a user by the grant to all users', async () => {
  expect(await gained({ users: [...MODEL.users, person('stranger@evil.example')] })).toEqual([
    'stranger@evil.example would become operator in the whole domain: a new account',
  ])
})

test.each([
  ['scopes', { scopes: ['service'] }, 'the scope service'],
  ['another way to get tokens', { grantTypes: ['AUTHORIZATION_CODE', 'PASSWORD'] }, 'the grant type PASSWORD'],
  [
    'a foreign redirect URI',
    { redirectUris: ['https://portal.example.com/cb', 'https://evil.example/cb'] },
    'the redirect URI https://evil.example/cb',
  ],
  ['no question for consent', { noExplicitConsentRequired: true }, 'no question for consent'],
  ['another secret', { secret: strongSecret('evil') }, 'a new secret'],
])('an application that gets %s', async (_, change, what) => {
  expect(await gained({ applicationConsumers: [portal(change)] })).toEqual([`the application portal would get ${what}`])
})

test('a machine user that a rule of a provider names', async () => {
  const rule = { name: 'apply', claims: { sub: ['a'] }, scopes: ['model:apply'], machineUser: 'robot' }
  await createDelegatedMethod(domain(), {
    status: 'ACTIVATED',
    name: 'Forge',
    configuration: { clientId: 'c', issuer: 'https://login.example.com', rules: [rule] },
  })
  expect(await gained({ machineUsers: [...MODEL.machineUsers, robot('robot')] })).toEqual([
    'machine user robot would act by the rule apply of Forge (model:apply)',
  ])
})

test('names, metadata and what is taken away need no acknowledgement', async () => {
  const users = [
    person('adm1@example.com', { name: 'Ada Lovelace' }),
    person('adm2@example.com', { status: 'ARCHIVED' }),
    MODEL.users[2],
  ]
  const made = await planned({ users, applicationConsumers: [portal({ name: 'The portal', scopes: ['openid'] })] })
  expect(made).toMatchObject({ outcome: 'changes', access: { guards: [] } })
  expect(made.access.diff?.changes.map(({ message }) => message)).toEqual([
    'adm2@example.com would no longer be administrator in the whole domain',
    'the application portal would lose the scope data:read',
  ])
})

test('an apply by which somebody would gain more than was reviewed is stale', async () => {
  const document = { ...MODEL, users: [...MODEL.users, person('new@example.com')] }
  const { access: _, ...settings } = ACCESS
  const reviewed = await plan(domain(), document, settings)
  expect(gains(reviewed)).toEqual(['new@example.com would become operator in the whole domain: a new account'])
  const request = { document, settings: acknowledging(reviewed, settings), plan: reviewed, origin: {} }
  await createRecord(domain(), 'access', { role: 'editor', everyone: 'users' }, [])
  await expect(applyImport(domain(), request)).rejects.toMatchObject({
    code: 'STALE_PLAN',
    details: [{ type: 'users', key: 'new@example.com', gains: ['editor in the whole domain'] }],
  })
  const anew = await plan(domain(), document, settings)
  await applyImport(domain(), { ...request, settings: acknowledging(anew, settings), plan: anew })
})

test('an acknowledgement that was altered into a plan lets nothing pass', async () => {
  const document = { ...MODEL, users: [...MODEL.users, person('new@example.com')] }
  const { access: _, ...settings } = ACCESS
  const reviewed = await plan(domain(), document, settings)
  const digest = `sha256:${'0'.repeat(64)}`
  const altered = { ...reviewed, access: { ...reviewed.access, diff: { digest, changes: [] } } }
  const acknowledge = [{ code: 'widens-access', type: 'access', digest } as const]
  const request = { document, settings: { ...settings, acknowledge }, plan: altered, origin: {} }
  await expect(applyImport(domain(), request)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
})

test('a roll-back that gives back what was taken is guarded like any other plan', async () => {
  const users = [person('adm1@example.com'), person('adm2@example.com', { status: 'DEACTIVATED' }), MODEL.users[2]]
  const { uuid } = await applyAll(domain(), { ...MODEL, users }, ACCESS)
  const { plan: inverse } = await planRollback(domain(), uuid, NO_SETTINGS)
  expect(gains(inverse)).toEqual([
    'adm2@example.com would become administrator in the whole domain: it becomes ACTIVATED',
  ])
  expect(inverse).toMatchObject({ outcome: 'blocked', access: { guards: [{ code: 'widens-access' }] } })
})

test('an administrator changes a single account without an acknowledgement, and nobody else may', async () => {
  await updateRecord(domain(), 'users', 'former@example.com', { status: 'ACTIVATED' }, [])
  const editor = { ...domain(), mayChangeAccess: false }
  const change = updateRecord(editor, 'machineUsers', 'deployer', { password: strongSecret('evil') }, [])
  await expect(change).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('the first plan of a domain says who gets what, and no guard stops it', async () => {
  await emptyDomain(domain())
  const first = await planned({})
  expect(gains(first)).toContain('adm1@example.com would become administrator in the whole domain')
  expect(first).toMatchObject({ outcome: 'changes', access: { guards: [] } })
  await createRecord(domain(), 'users', person('anna@example.com'), [])
  expect(await gained({})).toContain('adm1@example.com would become administrator in the whole domain')
})

test('the account of a device, which has no role and sends the data of its system', async () => {
  const { uuid } = await createSystem(domain(), EVERYWHERE, { name: 'Boiler house' })
  const { username } = await createSystemCredential(domain(), uuid)
  const device = `the device of system ${uuid}`
  const listed = (secret: string, more = {}) => ({ machineUsers: [robot('deployer'), robot(username, secret, more)] })
  const become = async (changes: object, settings = ACCESS) =>
    applyAll(domain(), { ...MODEL, ...changes }, acknowledging(await planned(changes, settings), settings))
  const message = `machine user ${username} would get a new password, as ${device}`
  expect(await gained(listed('mine'))).toEqual([message])
  await become(listed('mine'))
  expect(await gained(listed('yours'))).toEqual([message])
  await become(listed('mine', { status: 'DEACTIVATED' }))
  expect(await gained(listed('mine'))).toEqual([`machine user ${username} would become ${device}`])
})
