import { describe, expect, it } from 'vitest'
import { discover, obtainCode, post, signIn } from './application.ts'
import { at, useAttacked } from './attacked-server.ts'
import { change, makeConsumer } from './people.ts'

useAttacked()

/** In days from now. */
async function daysLeft(token: unknown): Promise<number> {
  const { body } = await post(
    at.server.url,
    '/authenticate/introspect',
    { token: String(token) },
    { consumer: at.consumer },
  )
  return Math.round((Number(body['exp']) - Date.now() / 1000) / 86_400)
}

describe('a code', () => {
  it.each([
    ['at once', 0],
    ['later', 6],
  ])('that is used a second time %s ends everything that came out of it', async (_, seconds) => {
    const { code, verifier } = await obtainCode(at.client, at.person)
    const first = (await at.redeem(code, { code_verifier: verifier })).body
    at.wait(seconds)
    expect((await at.redeem(code, { code_verifier: verifier })).body).toMatchObject({ error: 'invalid_grant' })
    expect(await at.userinfo(first['access_token'])).toBe(401)
    expect((await at.refresh(first['refresh_token'])).status).toBe(400)
  })

  it('is of no use to another consumer, and does not end by its trying', async () => {
    const thief = await makeConsumer(at.server.access)
    const { code, verifier } = await obtainCode(at.client, at.person)
    const steal = async () =>
      expect((await at.redeem(code, { code_verifier: verifier }, thief)).body).toMatchObject({ error: 'invalid_grant' })
    await steal()
    const { status, body } = await at.redeem(code, { code_verifier: verifier })
    expect(status).toBe(200)
    await steal()
    expect(await at.userinfo(body['access_token'])).toBe(200)
  })

  it('ends after a minute', async () => {
    const { code, verifier } = await obtainCode(at.client, at.person)
    at.wait(61)
    expect((await at.redeem(code, { code_verifier: verifier })).body).toMatchObject({ error: 'invalid_grant' })
    at.wait(-61)
  })
})

describe('a refresh token', () => {
  it('that is used a second time at once is refused and no more', async () => {
    const { tokens } = await signIn(at.client, at.person)
    const next = await at.refresh(tokens.refresh_token)
    expect((await at.refresh(tokens.refresh_token)).status).toBe(400)
    expect((await at.refresh(next.body['refresh_token'])).status).toBe(200)
  })

  it('that is used a second time later ends its whole family', async () => {
    const { tokens } = await signIn(at.client, at.person)
    const next = (await at.refresh(tokens.refresh_token)).body
    at.wait(6)
    expect((await at.refresh(tokens.refresh_token)).body).toMatchObject({ error: 'invalid_grant' })
    expect((await at.refresh(next['refresh_token'])).status).toBe(400)
    expect(await at.userinfo(next['access_token'])).toBe(401)
  })

  it('gives no scope that was not granted, nor one that the consumer has lost', async () => {
    const shrinking = await makeConsumer(at.server.access)
    const { tokens } = await signIn(await discover(at.server.url, shrinking), at.person, {
      scope: 'openid email service',
    })
    const more = await at.refresh(tokens.refresh_token, { scope: 'openid profile' }, shrinking)
    expect(more.body).toMatchObject({ error: 'invalid_scope' })
    await change(at.server.access, shrinking.uuid, { scopes: ['openid', 'email'] })
    expect((await at.refresh(tokens.refresh_token, {}, shrinking)).body['scope']).toBe('openid email')
  })

  it('is of no use to another consumer', async () => {
    const { tokens } = await signIn(at.client, at.person)
    expect((await at.refresh(tokens.refresh_token, {}, await makeConsumer(at.server.access))).status).toBe(400)
    expect((await at.refresh(tokens.refresh_token)).status).toBe(200)
  })

  it('ends 30 days after its last use, and 90 days after the first', async () => {
    const { tokens } = await signIn(at.client, at.person)
    expect(await daysLeft(tokens.refresh_token)).toBe(30)
    await at.database.transaction((sql) =>
      // Citus refuses jsonb_build_object here.
      sql.query(`update artifacts
        set payload = payload || ('{"iiat": ' || ((payload->>'iiat')::bigint - 80 * 86400)::text || '}')::jsonb
        where kind = 'RefreshToken'`),
    )
    expect(await daysLeft((await at.refresh(tokens.refresh_token)).body['refresh_token'])).toBe(10)
  })
})
