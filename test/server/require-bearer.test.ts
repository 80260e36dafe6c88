import { describe, expect, test } from 'vitest'
import { findAccountByLogin } from '../../src/platform/access/accounts/accounts.ts'
import { giveToken } from '../support/access.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { contextOf, HOSTS, TOKEN } from './test-server.ts'
import { server, useServer } from './one-server.ts'

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

const QUERY = JSON.stringify({ query: '{ currentDomain { name } }' })

const update = (status: string) =>
  server.data(`mutation { updateMachineUser(username: "gateway", input: { status: ${status} }) { username } }`)

/** The status and the challenge of an answer. */
const ask = async (authorization: string | null, path = '/graphql') => {
  const { status, headers } = await server.call({ path, authorization, body: QUERY })
  return [status, headers['www-authenticate']]
}

describe.each(SAMPLED_DATABASES)('a bearer token of a request on $name', (kind) => {
  useServer({ kind })

  const METADATA = `resource_metadata="http://${HOSTS.first}/.well-known/oauth-protected-resource/graphql"`
  const REFUSED = [401, `Bearer realm="holdfast", error="invalid_token", ${METADATA}`]
  const MISSING = [401, `Bearer realm="holdfast", ${METADATA}`]

  test('is good in the Authorization header only', async () => {
    expect(await ask(`Bearer ${TOKEN}`)).toStrictEqual([200, undefined])
    expect(await ask(`bearer   ${TOKEN} `)).toStrictEqual([200, undefined])
    expect(await ask(null)).toStrictEqual(MISSING)
    expect(await ask(null, `/graphql?access_token=${TOKEN}`)).toStrictEqual(MISSING)
    const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie: `access_token=${TOKEN}` }
    const inBody = await server.call({ authorization: null, headers, body: `access_token=${TOKEN}` })
    expect(inBody.status).toBe(401)
  })

  test.each(['Bearer', 'Bearer two tokens', `Bearer ${TOKEN}x`])('is refused as %s', async (authorization) => {
    expect(await ask(authorization)).toStrictEqual(REFUSED)
  })

  test.each(['Basic b3BlcmF0b3I6eA==', `Token ${TOKEN}`, TOKEN])(
    'is not there as %s, and the answer names the scheme',
    async (authorization) => {
      expect(await ask(authorization)).toStrictEqual(MISSING)
      const { json } = await server.call({ authorization, body: QUERY })
      expect(json).toMatchObject({ detail: expect.stringContaining('another scheme than "Bearer"') as string })
      expect(JSON.stringify(json)).not.toContain(TOKEN)
    },
  )

  test('is refused by the request after the mutation that switches its owner off', async () => {
    const input = '{ username: "gateway", password: "Zq7-8Kd02mfPq71L-word" }'
    await server.data(`mutation { createMachineUser(input: ${input}) { username } }`)
    const context = contextOf(server)
    const account = await findAccountByLogin(context, 'machine', 'gateway')
    const token = `Bearer ${await giveToken(context, account ?? { uuid: '' })}`
    expect(await ask(token)).toStrictEqual([200, undefined])
    await update('DEACTIVATED')
    expect(await ask(token)).toStrictEqual(REFUSED)
    await update('ACTIVATED')
    expect(await ask(token)).toStrictEqual(REFUSED)
    const next = `Bearer ${await giveToken(context, account ?? { uuid: '' })}`
    expect(await ask(next)).toStrictEqual([200, undefined])
    await server.data('mutation { deleteMachineUser(username: "gateway") { username } }')
    expect(await ask(next)).toStrictEqual(REFUSED)
  })

  test('of another provider is told what is wrong with it', async () => {
    const jwt = `${part({ alg: 'RS256' })}.${part({ iss: 'https://login.example.com', sub: 'x', aud: 'y', exp: 1 })}.x`
    const { json, headers } = await server.call({ authorization: `Bearer ${jwt}`, body: QUERY })
    expect(headers['www-authenticate']).toBe(REFUSED[1])
    expect(json).toMatchObject({
      code: 'UNAUTHENTICATED',
      detail: expect.stringContaining('login.example.com') as string,
    })
  })
})
