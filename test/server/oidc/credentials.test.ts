import { describe, expect, it } from 'vitest'
import { obtainCode, post, signIn } from './application.ts'
import { type Fields, at, useAttacked } from './attacked-server.ts'
import { makeConsumer } from './people.ts'

const TOKEN = '/authenticate/token'

useAttacked()

function ask(fields: Fields, headers: Fields = {}) {
  return post(at.server.url, TOKEN, { grant_type: 'refresh_token', refresh_token: 'x', ...fields }, { headers })
}

function basic(text: string): Fields {
  return { authorization: `Basic ${Buffer.from(text).toString('base64')}` }
}

describe('client credentials', () => {
  it.each(['plain', 'a+b', '100%', 'p@ss:word', 'mit Leerzeichen', '"quoted"\\', '&=?#/', '%2B', 'grün-雪-🔑'])(
    'may hold any characters: %s',
    async (text) => {
      const secret = `${text}${crypto.randomUUID()}`
      const { clientId } = await makeConsumer(at.server.access, { secret })
      expect((await ask({ client_id: clientId, client_secret: secret })).body['error']).toBe('invalid_grant')
      expect((await ask({ client_id: clientId, client_secret: `${secret} ` })).body['error']).toBe('invalid_client')
      const encoded = [clientId, secret].map((part) => new URLSearchParams({ part }).toString().slice(5)).join(':')
      // RFC 6749, appendix A.2: a client_secret is visible ASCII; others only work as parameters.
      const expected = /^[\x20-\x7e]+$/.test(secret) ? 'invalid_grant' : 'invalid_request'
      expect((await ask({}, basic(encoded))).body['error']).toBe(expected)
    },
  )

  it('that are wrong get no more than that', async () => {
    for (const fields of [
      { client_id: at.consumer.clientId, client_secret: 'wrong' },
      { client_id: at.consumer.clientId },
      { client_id: 'nobody.12345678', client_secret: at.consumer.secret },
      { client_id: at.consumer.clientId.toUpperCase(), client_secret: at.consumer.secret },
    ] as Fields[])
      expect(await ask(fields)).toMatchObject({
        status: 401,
        body: { error: 'invalid_client', error_description: 'client authentication failed' },
      })
    const { status, headers } = await ask({}, basic(`${at.consumer.clientId}:wrong`))
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toMatch(/^Basic /)
  })

  it.each([
    ['twice', { client_secret: 'x' }, basic('a:b')],
    [
      'as JWT',
      { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer', client_assertion: 'x.y.z' },
      {},
    ],
    ['that are no Basic credentials', {}, { authorization: 'Basic !!!' }],
    ['without a colon', {}, basic('abc')],
    ['in another scheme', {}, { authorization: 'Bearer x' }],
  ])('%s are refused', async (_, fields, headers) => {
    expect([400, 401]).toContain((await ask(fields as Fields, headers)).status)
  })

  it('given twice as parameters are refused', async () => {
    const fields = new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: 'x',
      client_id: at.consumer.clientId,
    })
    for (const secret of ['wrong', at.consumer.secret]) fields.append('client_secret', secret)
    expect((await post(at.server.url, TOKEN, fields)).body['error']).toBe('invalid_request')
  })
})

describe('tokens', () => {
  it('in a query or a form are refused, also beside a header', async () => {
    const { tokens } = await signIn(at.client, at.person)
    const token = tokens.access_token
    const bearer = { authorization: `Bearer ${token}` }
    const url = `${at.server.url}/authenticate/userinfo`
    expect((await fetch(`${url}?access_token=${token}`)).status).toBe(400)
    expect((await post(at.server.url, '/authenticate/userinfo', { access_token: token })).status).toBe(400)
    expect(
      (await post(at.server.url, '/authenticate/userinfo', { access_token: token }, { headers: bearer })).status,
    ).toBe(400)
    expect((await fetch(url, { method: 'POST', headers: bearer })).status).toBe(200)
    const body = '{"query":"{ currentDomain { name } }"}'
    const headers = { 'content-type': 'application/json' }
    expect(
      (await fetch(`${at.server.url}/graphql?access_token=${token}`, { method: 'POST', headers, body })).status,
    ).toBe(401)
  })

  it('of another kind are no access tokens', async () => {
    const { tokens } = await signIn(at.client, at.person)
    for (const token of [tokens.refresh_token, tokens.id_token, (await obtainCode(at.client, at.person)).code])
      expect(await at.userinfo(token)).toBe(401)
  })
})
