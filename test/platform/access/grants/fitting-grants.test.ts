import { beforeEach, expect, it } from 'vitest'
import { RIGHTS } from '../../../../src/auth/scopes.ts'
import { identifyBearer } from '../../../../src/platform/access/sessions/identify-bearer.ts'
import {
  personOfIdentity,
  type MetPerson,
} from '../../../../src/platform/access/delegated/identity/external-identity.ts'
import {
  createDelegatedMethod,
  updateMethod,
  type DelegatedMethod,
} from '../../../../src/platform/access/methods/methods.ts'
import { tokenOfSession } from '../../../support/browser-session.ts'
import { setGrants } from '../../../support/grants.ts'
import { oneDomain } from '../../one-domain.ts'

// Two applications that one provider knows: whoever signs in by both has one identity, and what each says of it.

const ISSUER = 'https://login.example.com'
const domain = oneDomain()

let methods: { readonly a: DelegatedMethod; readonly b: DelegatedMethod }

/** The first name is the beginning of the second one, and holds what separates the parts of a key. */
const CLIENTS = { a: 'app/1', b: 'app/1/2' }

beforeEach(async () => {
  methods = { a: await trust(CLIENTS.a), b: await trust(CLIENTS.b) }
  await setGrants(domain(), [
    { role: 'viewer', identities: { issuer: ISSUER, clientId: CLIENTS.a, claims: { group: 'staff' } } },
    { role: 'administrator', identities: { issuer: ISSUER, clientId: CLIENTS.b, claims: { group: 'staff' } } },
  ])
})

function trust(clientId: string): Promise<DelegatedMethod> {
  return createDelegatedMethod(domain(), { status: 'ACTIVATED', configuration: { clientId, issuer: ISSUER } })
}

async function signIn(method: DelegatedMethod, group: string): Promise<MetPerson> {
  const claims = { sub: 'ada', group, email: 'ada@example.com', email_verified: true }
  const met = await personOfIdentity(domain(), method, claims)
  return met
}

async function rolesBy(method: DelegatedMethod, ada: MetPerson): Promise<readonly string[] | undefined> {
  const actor = await identifyBearer(domain(), await tokenOfSession(domain(), method, ada))
  return actor?.roles.map(({ role }) => role)
}

it('a session has the grants that its own method gives, and none of another one, least of all of one switched off', async () => {
  const ada = await signIn(methods.b, 'staff')
  expect(await rolesBy(methods.b, ada)).toStrictEqual(['administrator'])
  expect(await rolesBy(methods.a, ada)).toStrictEqual([])
  await updateMethod(domain(), methods.b.uuid, { status: 'DEACTIVATED' })
  expect(await rolesBy(methods.a, ada)).toStrictEqual([])
})

it('a sign-in says again what its own method gives, and leaves the others alone', async () => {
  const ada = await signIn(methods.a, 'staff')
  await signIn(methods.b, 'staff')
  const roles = async () => [await rolesBy(methods.a, ada), await rolesBy(methods.b, ada)]
  expect(await roles()).toStrictEqual([['viewer'], ['administrator']])
  await signIn(methods.a, 'interns')
  expect(await roles()).toStrictEqual([[], ['administrator']])
  await signIn(methods.a, 'staff')
  await signIn(methods.b, 'interns')
  expect(await roles()).toStrictEqual([['viewer'], []])
})

it('a method without emailDomains gives no administration, whatever is granted by claims', async () => {
  const ada = await signIn(methods.b, 'staff')
  const rights = async () => (await identifyBearer(domain(), await tokenOfSession(domain(), methods.b, ada)))?.rights
  expect(await rights()).toStrictEqual(new Set(RIGHTS.filter((right) => !right.startsWith('access:'))))
})

it('a grant to an address is for whom the provider has verified it', async () => {
  const identities = { issuer: ISSUER, clientId: CLIENTS.a, claims: { email: 'boss@example.com' } }
  await setGrants(domain(), [{ role: 'viewer', identities }])
  const rolesWith = async (sub: string, told: object) => {
    const own = { iss: ISSUER, sub, email: `${sub}@example.com`, email_verified: true }
    await personOfIdentity(domain(), methods.a, own)
    const claims = { iss: ISSUER, sub, email: 'boss@example.com', ...told }
    return rolesBy(methods.a, await personOfIdentity(domain(), methods.a, claims))
  }
  expect(await rolesWith('mallory', {})).toStrictEqual([])
  expect(await rolesWith('mallory', { email_verified: false })).toStrictEqual([])
  expect(await rolesWith('boss', { email_verified: true })).toStrictEqual(['viewer'])
})

it('sign-ins by two methods at once lose nothing of each other', async () => {
  const ada = await signIn(methods.a, 'interns')
  await Promise.all([signIn(methods.a, 'staff'), signIn(methods.b, 'staff')])
  expect(await rolesBy(methods.a, ada)).toStrictEqual(['viewer'])
  expect(await rolesBy(methods.b, ada)).toStrictEqual(['administrator'])
})
