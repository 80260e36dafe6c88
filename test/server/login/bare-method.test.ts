import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JWTPayload } from 'jose'
import { OWN_RIGHTS } from '../../../src/auth/roles.ts'
import { RIGHTS } from '../../../src/auth/scopes.ts'
import { identifyBearer } from '../../../src/platform/access/sessions/identify-bearer.ts'
import { tokenHash } from '../../../src/platform/access/sessions/token-hash.ts'
import { stillMay } from '../../../src/platform/access/grants/still-may.ts'
import {
  createDelegatedMethod,
  deleteMethod,
  listMethods,
  updateMethod,
  type DelegatedMethod,
} from '../../../src/platform/access/methods/methods.ts'
import { createRecord } from '../../../src/platform/records/change-record.ts'
import { writeDomain } from '../../../src/store/domains.ts'
import { AUDIENCE, startCompany, type Company } from '../../support/company.ts'
import { setGrants } from '../../support/grants.ts'
import { visitorWith } from '../../support/console-visitor.ts'
import type { LoginServer } from '../../support/login-server.ts'
import { isLong } from '../../support/runs.ts'
import { ADA, rightsAt, startCompanyWorld, WAYS, type CompanyWorld } from './company-people.ts'

// The configuration of the specification, `{ clientId, issuer }`, and who gets in by it, as whom, and with which rights.

const NOT_ADMINISTRATION = RIGHTS.filter((right) => !right.startsWith('access:')).toSorted()
const OWN = OWN_RIGHTS.toSorted()
/** The console's token for a terminal has the scope `service` alone, and may not even ask `me`. */
const AT_MOST_ME = [['self:read'], []]
const person = (name: string) => ({ sub: name, email: `${name}@corp.example`, email_verified: true })

let supplier: Company
let world: CompanyWorld
let method: DelegatedMethod

beforeAll(async () => {
  supplier = await startCompany()
  world = await startCompanyWorld(() => new Date(), [supplier])
})
beforeEach(async () => {
  const { context } = world.servers[0]
  for (const { kind, uuid } of await listMethods(context)) if (kind !== 'internal') await deleteMethod(context, uuid)
  await context.database.script(`delete from external_identities; delete from platform_records where type = 'users'`)
  await setGrants(context, [{ role: 'administrator', user: ADA.email }])
  method = await trust(world.company)
})
afterAll(async () => {
  await world.close()
  supplier.close()
})

function trust({ issuer }: Company, more: object = {}): Promise<DelegatedMethod> {
  const configuration = { clientId: AUDIENCE, issuer, ...more }
  return createDelegatedMethod(world.servers[0].context, { status: 'ACTIVATED', configuration })
}

async function ask({ url }: LoginServer, token: string, query: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  })
  return { status: answer.status, text: await answer.text() }
}

/** As an earlier release has stored it, which knew of no `matchesUsers`. */
async function makeOld(): Promise<void> {
  const { database } = world.servers[0].context
  await database.script(`update authentication_methods set configuration = configuration - 'matchesUsers'
    where uuid = '${method.uuid}'; update access_versions set version = version + 1`)
}

/** The rights by a token at either server. */
async function rightsOf(token: string | undefined): Promise<readonly string[] | number> {
  const [here, there] = world.servers
  const rights = await rightsAt(here, token)
  expect(await rightsAt(there, token)).toStrictEqual(rights)
  return rights
}

const CREATE_GRANT = 'mutation { createGrant(input: { role: ADMINISTRATOR, everyone: USERS }) { key } }'

/** In `npm test`, those that begin with one of the others. */
const SAMPLED = Object.entries(WAYS).filter((_, at) => isLong || at % 2 === 1)

describe.each(SAMPLED)('by %s', (_, tokenFor) => {
  it('an administrator of the model gets in as themselves, and never administers', async () => {
    const token = (await tokenFor(world, ADA)) ?? ''
    expect(await rightsOf(token)).toStrictEqual(NOT_ADMINISTRATION)
    expect((await ask(world.servers[1], token, '{ me { login } systems { totalCount } }')).text).toBe(
      '{"data":{"me":{"login":"ada@corp.example"},"systems":{"totalCount":0}}}',
    )
    const { text } = await ask(world.servers[1], token, CREATE_GRANT)
    expect(text).toMatch(/is administration, and an authentication method without emailDomains gives none.*FORBIDDEN/)
  })

  it('somebody new may ask me and currentDomain, and what else is granted later, but administration', async () => {
    const token = (await tokenFor(world, person('new'))) ?? ''
    expect(await rightsOf(token)).toStrictEqual(OWN)
    const asked = await ask(world.servers[1], token, '{ me { login } currentDomain { name } }')
    expect(asked.text).toBe('{"data":{"me":{"login":"new@corp.example"},"currentDomain":{"name":"Building"}}}')
    expect((await ask(world.servers[1], token, '{ systems { totalCount } }')).text).toContain('FORBIDDEN')
    await setGrants(world.servers[0].context, [{ role: 'administrator', user: 'new@corp.example' }])
    expect(await rightsOf(token)).toStrictEqual(OWN)
    const identities = { issuer: world.company.issuer, clientId: AUDIENCE, claims: { group: 'staff' } }
    await setGrants(world.servers[0].context, [{ role: 'administrator', identities }])
    const granted = await tokenFor(world, { ...person('new'), group: 'staff' })
    expect(await rightsOf(granted)).toStrictEqual(NOT_ADMINISTRATION)
  })

  it.each<[string, JWTPayload]>([
    ['without an address', {}],
    ['with an address that is not verified', { email: 'anon@corp.example', email_verified: false }],
  ])('somebody %s may ask me alone, on every visit, whatever their claims fit', async (_why, told) => {
    await setGrants(world.servers[0].context, [
      { role: 'editor', identities: { issuer: world.company.issuer, clientId: AUDIENCE, claims: { group: 'staff' } } },
    ])
    for (let visit = 0; visit < 2; visit++) {
      const token = (await tokenFor(world, { sub: 'anon', group: 'staff', ...told })) ?? ''
      expect(AT_MOST_ME).toContainEqual(await rightsOf(token))
      const asked = await ask(world.servers[1], token, '{ currentDomain { name } }')
      expect(asked.text).toContain('FORBIDDEN')
    }
    const known = await tokenFor(world, { ...person('anon'), group: 'staff' })
    expect(await rightsOf(known)).toStrictEqual(NOT_ADMINISTRATION)
    // Not every token of the provider tells the address. Once it was verified, it stays that of the subject.
    const again = await tokenFor(world, { sub: 'anon', group: 'staff', ...told, jti: 'again' })
    expect(await rightsOf(again)).toStrictEqual(NOT_ADMINISTRATION)
  })

  it('somebody without an address has the grants that name their subject, and no others', async () => {
    const identities = { issuer: world.company.issuer, clientId: AUDIENCE }
    const grants = [
      { role: 'viewer', identities: { ...identities, claims: { oid: 'tess' } } },
      { role: 'editor', identities: { ...identities, claims: { group: 'staff' } } },
    ] as const
    await setGrants(world.servers[0].context, grants)
    const token = await tokenFor(world, { sub: 'nameless', oid: 'tess', group: 'staff' })
    expect(await rightsOf(token)).toStrictEqual([...OWN, 'data:read', 'model:read'].toSorted())
    await setGrants(world.servers[0].context, grants.slice(1))
    expect(await rightsOf(token)).toStrictEqual(OWN)
  })

  it('somebody without an address has all grants that fit where a rule names their subject', async () => {
    const rule = { name: 'tess', claims: { sub: 'nameless' }, scopes: ['data:read'] }
    await updateMethod(world.servers[0].context, method.uuid, { configuration: { rules: [rule] } })
    await setGrants(world.servers[0].context, [
      { role: 'editor', identities: { issuer: world.company.issuer, clientId: AUDIENCE, claims: { group: 'staff' } } },
    ])
    const token = await tokenFor(world, { sub: 'nameless', group: 'staff' })
    expect(await rightsOf(token)).toStrictEqual(['data:read', 'domain:read', 'self:read'])
  })
})

it('who was shut out does not come back by leaving the address out, by any way', async () => {
  const { context } = world.servers[0]
  await createRecord(context, 'users', { email: 'fired@corp.example', status: 'DEACTIVATED' }, [])
  await setGrants(context, [
    { role: 'editor', identities: { issuer: world.company.issuer, clientId: AUDIENCE, claims: { group: 'staff' } } },
  ])
  const claims = { ...person('fired'), group: 'staff' }
  const { email: _, ...silent } = claims
  for (const tokenFor of Object.values(WAYS)) {
    // Whom the provider never named before cannot be told from anybody, and gets nothing.
    for (const told of [silent, { ...claims, email_verified: false }])
      expect(AT_MOST_ME).toContainEqual(await rightsOf(await tokenFor(world, told)))
  }
  const bearer = await world.company.sign(claims)
  for (const server of world.servers) {
    const { status, text } = await ask(server, bearer, '{ me { login } }')
    expect(status).toBe(401)
    expect(text).toContain('its subject may not sign in here')
    expect(text).not.toMatch(/fired|emailDomains|DEACTIVATED/)
  }
})

describe('with a second provider', () => {
  it('a user with an address in emailDomains of the other method gets in by that method alone', async () => {
    const trusted = await trust(supplier, { emailDomains: ['corp.example'] })
    expect(await rightsOf(await supplier.sign(ADA))).toStrictEqual(RIGHTS.toSorted())
    for (const status of ['ACTIVATED', 'DEACTIVATED'] as const) {
      await updateMethod(world.servers[0].context, trusted.uuid, { status })
      expect(await rightsOf(await world.company.sign(ADA))).toBe(401)
      expect((await world.signIn(ADA)).text).toContain('may not sign in here')
    }
  })

  it('a user whom one provider has bound is refused by the other, and unbound by emailDomains of that one', async () => {
    const other = await trust(supplier)
    expect(await rightsOf(await supplier.sign(ADA))).toStrictEqual(NOT_ADMINISTRATION)
    expect(await rightsOf(await world.company.sign(ADA))).toBe(401)
    await updateMethod(world.servers[0].context, method.uuid, { configuration: { emailDomains: ['corp.example'] } })
    expect(await rightsOf(await world.company.sign(ADA))).toStrictEqual(RIGHTS.toSorted())
    expect(await rightsOf(await supplier.sign(ADA))).toBe(401)
    await deleteMethod(world.servers[0].context, other.uuid)
  })

  it.each(Object.entries(WAYS))(
    'what it let in by %s ends when another method names the domain',
    async (_, tokenFor) => {
      const before = await tokenFor(world, ADA)
      expect(await rightsOf(before)).toStrictEqual(NOT_ADMINISTRATION)
      await trust(supplier, { emailDomains: ['corp.example'] })
      expect(await rightsOf(before)).toBe(401)
    },
  )

  it('first sign-ins by both at once, on both servers, bind the user to one', async () => {
    await trust(supplier)
    const [here, there] = world.servers
    const tokens = await Promise.all([world.company, supplier].map((one) => one.sign(ADA)))
    const rights = await Promise.all(
      tokens.flatMap((token) => [rightsAt(here, token), rightsAt(there, token), rightsAt(there, token)]),
    )
    const [first = 0] = rights.splice(0, 1)
    expect(rights.slice(0, 2)).toStrictEqual([first, first])
    expect(rights.slice(2)).toStrictEqual(Array(3).fill(first === 401 ? NOT_ADMINISTRATION : 401))
  })
})

it('a sign-in ends with the method, and when an administrator edits it', async () => {
  const { context } = world.servers[0]
  for (const change of [
    { configuration: { emailDomains: ['corp.example'] } },
    { configuration: { emailDomains: [] } },
    { configuration: { matchesUsers: false } },
    { configuration: { matchesUsers: true } },
    { status: 'DEACTIVATED' },
  ] as const) {
    const { access_token: token } = await world.exchange(await world.company.sign(ADA))
    await updateMethod(context, method.uuid, change)
    expect(await rightsOf(token)).toBe(401)
  }
  expect(await rightsOf(await world.company.sign(ADA))).toBe(401)
})

it('whoever waits for a lock has no administration any more when the method has lost its domains', async () => {
  const { context } = world.servers[0]
  await updateMethod(context, method.uuid, { configuration: { emailDomains: ['corp.example'] } })
  const token = (await WAYS['exchange']?.(world, ADA)) ?? ''
  const actor = await identifyBearer(context, token)
  const inUse = { tokenHash: tokenHash(token), now: context.now() }
  const may = () =>
    writeDomain(
      context.database,
      context.domain.id,
      async (sql) => actor && stillMay(sql, context.domain.id, actor, inUse),
    )
  expect(await may()).toBe(true)
  await updateMethod(context, method.uuid, { configuration: { emailDomains: [] } })
  expect(await may()).toBe(false)
})

describe('a method of an earlier release', () => {
  it('keeps refusing users of the model, and keeps the administrators whom claims name', async () => {
    await makeOld()
    const identities = { issuer: world.company.issuer, clientId: AUDIENCE, claims: { group: 'it' } }
    await setGrants(world.servers[0].context, [
      { role: 'administrator', identities },
      { role: 'administrator', user: ADA.email },
    ])
    expect(await rightsOf(await world.company.sign(ADA))).toBe(401)
    const administrator = await world.company.sign({ ...person('root'), group: 'it' })
    expect(await rightsOf(administrator)).toStrictEqual(RIGHTS.toSorted())
    const { text: before } = await ask(world.servers[1], administrator, '{ authenticationMethods { advice } }')
    expect(before).toContain('Set matchesUsers to let them in')
    const confirm = `mutation { updateAuthenticationMethod(uuid: "${method.uuid}", configuration: { matchesUsers: true }) {
      advice configuration { matchesUsers } } }`
    const { text } = await ask(world.servers[1], administrator, confirm)
    expect(text).toContain('"matchesUsers":true')
    expect(text).toContain('nobody is an administrator by this method')
    expect(await rightsOf(administrator)).toStrictEqual(NOT_ADMINISTRATION)
    expect(await rightsOf(await world.company.sign(ADA))).toStrictEqual(NOT_ADMINISTRATION)
  })

  it('is confirmed in the console, which asks first', async () => {
    const { context } = world.servers[0]
    const trusted = await trust(supplier, { emailDomains: ['corp.example'] })
    const token = await supplier.sign(ADA)
    expect(await rightsOf(token)).toStrictEqual(RIGHTS.toSorted())
    const administrator = visitorWith(world.servers[0], token)
    await makeOld()
    const address = `/auth-methods/${method.uuid}`
    expect((await administrator.get(address)).text).toContain('Let users of the model sign in by it…')
    const asked = await administrator.post(address, { act: 'ask-match-users' })
    expect(asked.text).toContain('Everybody who signed in by this method is signed out')
    await administrator.post(address, { act: 'match-users' })
    expect((await administrator.get(address)).text).not.toContain('Let users of the model sign in by it…')
    await deleteMethod(context, trusted.uuid)
    await context.database.script('delete from external_identities')
    expect(await rightsOf(await world.company.sign(ADA))).toStrictEqual(NOT_ADMINISTRATION)
  })

  it('stays as it is when an administrator saves its form', async () => {
    await makeOld()
    await updateMethod(world.servers[0].context, method.uuid, { name: 'Old', configuration: { scopes: ['service'] } })
    expect(await rightsOf(await world.company.sign(ADA))).toBe(401)
  })
})
