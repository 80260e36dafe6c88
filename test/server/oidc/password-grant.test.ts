import { ResourceOwnerPassword } from 'simple-oauth2'
import { beforeAll, describe, expect, it } from 'vitest'
import { listMethods, updateMethod } from '../../../src/platform/access/methods/methods.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { post } from './application.ts'
import { change, makeConsumer, makeMachineUser, makePerson, type Consumer } from './people.ts'
import { person, server, useSignIn } from './one-sign-in-server.ts'

const TOKEN = '/authenticate/token'

describe.each(SAMPLED_DATABASES)('the PASSWORD grant on $name', ({ openMigrated }) => {
  let consumer: Consumer

  useSignIn({ openMigrated })
  beforeAll(async () => {
    consumer = await makeConsumer(server.access, { grantTypes: ['PASSWORD', 'REFRESH_TOKEN'] })
  })

  const works = async (bearer: string) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${bearer}` }
    const body = '{"query":"{ currentDomain { name } }"}'
    const [{ status }, introspected] = await Promise.all([
      fetch(`${server.url}/graphql`, { method: 'POST', headers, body }),
      post(server.url, '/authenticate/introspect', { token: bearer }, { consumer }),
    ])
    expect(introspected.body['active']).toBe(status === 200)
    return status === 200
  }

  function ask(fields: { readonly [name: string]: string } = {}, by: Consumer = consumer) {
    const { login: username, password } = person
    return post(server.url, TOKEN, { grant_type: 'password', username, password, ...fields }, { consumer: by })
  }

  async function askToken(fields = {}): Promise<string> {
    return String((await ask(fields)).body['access_token'])
  }

  it.each(['header', 'body'] as const)(
    'signs people in, by simple-oauth2 with credentials in the %s',
    async (place) => {
      const client = new ResourceOwnerPassword({
        client: { id: consumer.clientId, secret: consumer.secret },
        auth: { tokenHost: server.url, tokenPath: TOKEN, revokePath: '/authenticate/revoke' },
        options: { authorizationMethod: place },
      })
      const first = await client.getToken({ username: person.login, password: person.password, scope: 'openid email' })
      expect(first.token).toMatchObject({ token_type: 'Bearer', expires_in: 600, scope: 'openid email' })
      const second = await first.refresh()
      expect(second.token).toMatchObject({ token_type: 'Bearer', scope: 'openid email' })
      await second.revokeAll()
      await expect(second.refresh()).rejects.toThrow('400')
    },
  )

  it('gives tokens of which a resource server learns what they allow now, not what they did once', async () => {
    const shrinking = await makeConsumer(server.access, { grantTypes: ['PASSWORD'] })
    const token = String((await ask({}, shrinking)).body['access_token'])
    const scopes = async () =>
      (await post(server.url, '/authenticate/introspect', { token }, { consumer })).body['scope']
    expect(await scopes()).toBe('openid email profile service')
    await change(server.access, shrinking.uuid, { scopes: ['openid'] })
    expect(await scopes()).toBe('openid')
  })

  it('signs machine users in', async () => {
    const { login: username, password } = await makeMachineUser(server.access)
    expect((await ask({ username, password })).body).toHaveProperty('access_token')
  })

  it('gives all scopes of the consumer where none is asked for, and tells about the person by them', async () => {
    const { body } = await ask()
    expect(body['scope']).toBe('openid email profile service')
    const headers = { authorization: `Bearer ${String(body['access_token'])}` }
    const claims = await fetch(`${server.url}/authenticate/userinfo`, { headers })
    expect(await claims.json()).toHaveProperty('email', person.login)
  })

  it('ignores scopes that the consumer does not list, and says which it gives', async () => {
    const listed = await makeConsumer(server.access, { grantTypes: ['PASSWORD'], scopes: ['service', 'email'] })
    for (const [scope, given] of [
      ['openid email profile', 'email'],
      ['email unknown service', 'email service'],
      ['access:admin service', 'service'],
    ] as const) {
      const { status, body } = await ask({ scope }, listed)
      expect([status, body['scope']]).toStrictEqual([200, given])
      const inspected = await post(
        server.url,
        '/authenticate/introspect',
        { token: String(body['access_token']) },
        { consumer },
      )
      expect(inspected.body['scope']).toBe(given)
    }
  })

  it('tells simple-oauth2 the scopes that it gives', async () => {
    const { clientId: id, secret } = await makeConsumer(server.access, { grantTypes: ['PASSWORD'], scopes: ['email'] })
    const auth = { tokenHost: server.url, tokenPath: TOKEN }
    const client = new ResourceOwnerPassword({ client: { id, secret }, auth })
    const { login: username, password } = person
    const { token } = await client.getToken({ username, password, scope: ['openid', 'email', 'profile'] })
    expect(token).toMatchObject({ scope: 'email' })
  })

  it('refuses a request of which no scope remains, and says which are allowed', async () => {
    const listed = await makeConsumer(server.access, { grantTypes: ['PASSWORD'], scopes: ['service', 'email'] })
    expect(await ask({ scope: 'profile unknown' }, listed)).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_scope',
        error_description: 'none of these scopes is allowed here: profile unknown; allowed: service email',
      },
    })
  })

  it('gives a consumer without scopes a token that allows nothing', async () => {
    const nothing = await makeConsumer(server.access, { grantTypes: ['PASSWORD'], scopes: [] })
    const { body } = await ask({}, nothing)
    expect(body['scope']).toBe('')
    expect((await ask({ scope: 'openid' }, nothing)).body['error']).toBe('invalid_scope')
  })

  it('refuses a consumer whose scopes all do not exist here, and names them', async () => {
    const custom = await makeConsumer(server.access, { grantTypes: ['PASSWORD'], scopes: ['meter "é"', 'billing'] })
    expect(await ask({}, custom)).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_scope',
        error_description: expect.stringMatching(/do not exist here: meter '\?' billing; known are openid, /) as string,
      },
    })
    const also = await makeConsumer(server.access, { grantTypes: ['PASSWORD'], scopes: ['billing', 'data:read'] })
    expect((await ask({}, also)).body['scope']).toBe('data:read')
  })

  it('is only for consumers that list it, and gives refresh tokens only to those that list them', async () => {
    const other = await makeConsumer(server.access)
    expect(await ask({}, other)).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
    const plain = await makeConsumer(server.access, { grantTypes: ['PASSWORD'] })
    expect((await ask({}, plain)).body).not.toHaveProperty('refresh_token')
  })

  it('answers alike whatever is wrong', async () => {
    const { login: username } = await makePerson(server.access)
    const gone = await makePerson(server.access)
    await change(server.access, gone.uuid, { status: 'DEACTIVATED' })
    const answers = await Promise.all([
      ask({ username: 'nobody@example.org' }),
      ask({ username, password: 'wrong' }),
      ask({ username: gone.login, password: gone.password }),
    ])
    const [first] = answers
    expect(first).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'the username or the password is wrong' },
    })
    for (const answer of answers) expect(answer.body).toStrictEqual(first?.body)
  })

  it('asks whoever guesses to slow down, but not the one who signs in elsewhere', async () => {
    const guessed = await makePerson(server.access)
    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, guess) => ask({ username: guessed.login, password: `guess-${guess}` })),
    )
    const slowed = guesses.filter(({ status }) => status === 429)
    expect(slowed.length).toBeGreaterThan(10)
    expect(slowed[0]?.body['error']).toBe('slow_down')
    expect(Number(slowed[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ask({ username: guessed.login, password: guessed.password })).status).toBe(429)
    expect((await ask()).status).toBe(200)
  })

  it('stops for people, not for machines, with the internal method, and so do the tokens', async () => {
    const machine = await makeMachineUser(server.access)
    const [ofPerson, ofMachine] = [
      await askToken(),
      await askToken({ username: machine.login, password: machine.password }),
    ]
    const internal = (await listMethods(server.access))[0]?.uuid ?? ''
    expect([await works(ofPerson), await works(ofMachine)]).toStrictEqual([true, true])
    await updateMethod(server.access, internal, { status: 'DEACTIVATED' })
    try {
      expect([await works(ofPerson), await works(ofMachine)]).toStrictEqual([false, true])
      expect((await ask()).body['error']).toBe('invalid_grant')
      expect((await ask({ username: machine.login, password: machine.password })).status).toBe(200)
    } finally {
      await updateMethod(server.access, internal, { status: 'ACTIVATED' })
    }
  })

  it.each(['username', 'password'])('says that %s is missing', async (field) => {
    expect(await ask({ [field]: '' })).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })
})
