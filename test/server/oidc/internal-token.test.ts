import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { personOfIdentity } from '../../../src/platform/access/delegated/identity/external-identity.ts'
import { deleteMethod, updateMethod, type DelegatedMethod } from '../../../src/platform/access/methods/methods.ts'
import { tokenOfSession } from '../../support/browser-session.ts'
import { setGrants } from '../../support/grants.ts'
import { ask, createUser, updateUser } from '../identities-world.ts'
import { post } from './application.ts'
import { change, makeConsumer, type Consumer } from './people.ts'
import { database, useWorld, world } from '../one-world.ts'

// The internal token that an application gets for the token of another provider (specification, section 5), and what
// resource servers are told of both.

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange'
const INTROSPECT = '/authenticate/introspect'

let method: DelegatedMethod
let consumer: Consumer

useWorld()
beforeAll(async () => {
  await createUser(world, 'ada@corp.example')
})
beforeEach(async () => {
  method = await world.trust({ emailDomains: ['corp.example'], scopes: ['openid', 'email', 'data:read', 'model:read'] })
  consumer = await makeConsumer(world.servers[0].access, { scopes: ['openid', 'data:read', 'setpoints:write'] })
  return () => deleteMethod(world.servers[0].access, method.uuid)
})

const ada = (more: object = {}) =>
  world.company.sign({ sub: 'ada', email: 'ada@corp.example', email_verified: true, ...more })

/** Claims count only for somebody whom the provider identifies. */
const VERIFIED = { email: 'somebody@corp.example', email_verified: true }

async function exchange(by: Consumer, more: { readonly [field: string]: string } = {}) {
  const fields = {
    grant_type: GRANT,
    subject_token: await ada(),
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    ...more,
  }
  return post(world.servers[0].url, '/authenticate/token', fields, { consumer: by })
}

async function systems(token: string): Promise<string> {
  return JSON.stringify((await ask(world.servers[1], token, '{ systems { totalCount } }')).json)
}

/** The grant types and the ways of authentication, which both documents name. */
async function advertised(): Promise<unknown[]> {
  const [one, other] = await Promise.all(
    ['openid-configuration', 'oauth-authorization-server'].map(async (name) => {
      const answer = await fetch(`${world.servers[0].url}/.well-known/${name}`)
      return (await answer.json()) as { readonly [name: string]: unknown[] }
    }),
  )
  expect(one).toStrictEqual(other)
  return [one?.['grant_types_supported'], one?.['token_endpoint_auth_methods_supported']].flat()
}

describe('an application with a secret', () => {
  it('gets one of ours, with what both its own scopes and those of the method allow', async () => {
    const { status, body } = await exchange(consumer)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      token_type: 'Bearer',
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      scope: 'openid data:read',
    })
    expect(body).not.toHaveProperty('refresh_token')
    const token = String(body['access_token'])
    expect(await world.me(token)).toStrictEqual(['ada@corp.example', 'ada@corp.example'])
    const { json } = await ask(world.servers[1], token, '{ me { scopes } }')
    expect(json).toStrictEqual({ data: { me: { scopes: ['openid', 'data:read'] } } })
    expect((await exchange(consumer, { scope: 'data:read' })).body['scope']).toBe('data:read')
    for (const scope of ['model:read', 'setpoints:write', 'service'])
      expect((await exchange(consumer, { scope })).body['error']).toBe('invalid_scope')
  })

  it('gets one for as long as the other is good, and no longer', async () => {
    const soon = Math.floor(Date.now() / 1_000) + 60
    const { body } = await exchange(consumer, { subject_token: await ada({ exp: soon }) })
    expect(Number(body['expires_in'])).toBeLessThanOrEqual(60)
    expect(Number(body['expires_in'])).toBeGreaterThan(0)
  })

  it('gets none without its secret, for another audience, or for who is not let in', async () => {
    expect((await exchange({ ...consumer, secret: 'wrong' })).status).toBe(401)
    const other = await exchange(consumer, { subject_token: await ada({ aud: 'another' }) })
    expect(other).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(JSON.stringify(other.body)).not.toContain('holdfast-at-the-company')
    await createUser(world, 'eve@corp.example')
    await updateUser(world, 'eve@corp.example', 'DEACTIVATED')
    const eve = await exchange(consumer, { subject_token: await ada({ sub: 'eve', email: 'eve@corp.example' }) })
    expect(eve.body['error_description']).toContain('may not sign in here')
  })

  it.each([[['PASSWORD']], [['PASSWORD', 'REFRESH_TOKEN']]])('gets none with %j alone', async (grants) => {
    const other = await makeConsumer(world.servers[0].access, { grantTypes: grants })
    expect((await exchange(other)).body['error']).toBe('unauthorized_client')
  })

  it('loses it with its own status, its scopes, and those of the method', async () => {
    const { access } = world.servers[0]
    const token = String((await exchange(consumer)).body['access_token'])
    const scopes = async () => JSON.stringify((await ask(world.servers[1], token, '{ me { scopes } }')).json)
    await change(access, consumer.uuid, { scopes: ['openid'] })
    expect(await scopes()).toContain('["openid"]')
    await change(access, consumer.uuid, { status: 'ARCHIVED' })
    expect(await world.me(token)).toMatchObject([{ status: 401 }, { status: 401 }])
    await change(access, consumer.uuid, { status: 'ACTIVATED' })
    expect(await world.me(token)).toStrictEqual(['ada@corp.example', 'ada@corp.example'])
    await updateMethod(access, method.uuid, { configuration: { scopes: ['email'] } })
    expect(await world.me(token)).toMatchObject([{ status: 401 }, { status: 401 }])
  })
})

const exchanged = async (subjectToken: string) => {
  const { body } = await exchange(consumer, { subject_token: subjectToken })
  const token = String(body['access_token'])
  return [token, (await ask(world.servers[1], token, '{ me { roles { role } } }')).json] as const
}

it('has what is granted to identities by the claims of the other one, until that is taken back', async () => {
  const identities = { issuer: world.company.issuer, clientId: 'holdfast-at-the-company', claims: { group: ['staff'] } }
  await world.administer(`mutation ($input: GrantInput!) { createGrant(input: $input) { role } }`, {
    input: { role: 'VIEWER', identities },
  })
  const [intern, nothing] = await exchanged(await world.company.sign({ ...VERIFIED, sub: 'intern', group: 'interns' }))
  expect(nothing).toStrictEqual({ data: { me: { roles: [] } } })
  const [staff, viewer] = await exchanged(
    await world.company.sign({ ...VERIFIED, sub: 'staff', group: ['staff', 'board'] }),
  )
  expect(viewer).toStrictEqual({ data: { me: { roles: [{ role: 'VIEWER' }] } } })
  expect(await systems(intern)).toContain('FORBIDDEN')
  expect(await systems(staff)).toContain('"totalCount":0')
  await database.script(`delete from records where type = 'access' and key like 'viewer/identities%';
    update access_versions set version = version + 1`)
  expect(await systems(staff)).toContain('FORBIDDEN')
})

const rolesOf = async (token: string) =>
  JSON.stringify((await ask(world.servers[1], token, '{ me { roles { role } } }')).json)

it('does not give a browser back what a newer sign-in took, nor take what it gave', async () => {
  const { access } = world.servers[0]
  const identities = { issuer: world.company.issuer, clientId: 'holdfast-at-the-company', claims: { group: 'staff' } }
  await setGrants(access, [{ role: 'viewer', identities }])
  const uma = { ...VERIFIED, sub: 'uma' }
  const tokens = { staff: { ...uma, group: 'staff' }, intern: { ...uma, group: 'interns' } }
  for (const [now, before] of [
    ['intern', 'staff'],
    ['staff', 'intern'],
  ] as const) {
    const older = await world.company.sign(tokens[before])
    const met = await personOfIdentity(access, method, tokens[now])
    const { body } = await exchange(consumer, { subject_token: older })
    const [ours, browsers] = [String(body['access_token']), await tokenOfSession(access, method, met)]
    expect((await rolesOf(ours)).includes('VIEWER')).toBe(before === 'staff')
    expect((await rolesOf(browsers)).includes('VIEWER')).toBe(now === 'staff')
  }
})

it('is advertised only where there is a provider whose tokens can be exchanged', async () => {
  expect(await advertised()).toStrictEqual(expect.arrayContaining([GRANT, 'none']))
  await updateMethod(world.servers[0].access, method.uuid, { status: 'DEACTIVATED' })
  const without = await advertised()
  expect(without).toContain('authorization_code')
  expect(without).not.toContain(GRANT)
  // Only the exchange has clients without a secret.
  expect(without).not.toContain('none')
})

function introspect(token: string, by = consumer) {
  return post(world.servers[0].url, INTROSPECT, { token }, { consumer: by })
}

describe('of a token of another provider, introspection', () => {
  it('tells what the API makes of it', async () => {
    await createUser(world, 'cy@corp.example')
    const token = await ada({ sub: 'cy', email: 'cy@corp.example' })
    const { status, body } = await introspect(token)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      active: true,
      token_type: 'Bearer',
      username: 'cy@corp.example',
      scope: 'openid email data:read model:read',
      iss: world.company.issuer,
      aud: 'holdfast-at-the-company',
      exp: expect.any(Number),
      iat: expect.any(Number),
    })
    await updateUser(world, 'cy@corp.example', 'ARCHIVED')
    expect((await introspect(token)).body).toStrictEqual({ active: false })
  })

  it.each<[string, () => Promise<string> | string]>([
    ['has expired', () => ada({ exp: Math.floor(Date.now() / 1_000) - 600 })],
    ['is for somebody else', () => ada({ aud: 'another' })],
    ['is of an issuer that nobody trusts', () => ada({ iss: 'https://stranger.example' })],
    ['was given to another client', () => ada({ azp: 'another' })],
    ['is signed with a weak key', () => world.company.signWeakly({ sub: 'ada' })],
    ['is not signed', () => `${btoa('{"alg":"none"}')}.${btoa('{"sub":"ada"}')}.`],
    ['is none', () => `${btoa('{"alg":"RS256"}')}.x.y`],
  ])('says that one that %s is not active', async (_, make) => {
    expect(await introspect(await make())).toMatchObject({ status: 200, body: { active: false } })
  })

  it('says nothing to who is no consumer', async () => {
    const token = await ada()
    expect((await introspect(token, { ...consumer, secret: 'wrong' })).status).toBe(401)
    const fields = { token, client_id: 'holdfast-at-the-company' }
    expect((await post(world.servers[0].url, INTROSPECT, fields)).body).toStrictEqual({ active: false })
  })
})
