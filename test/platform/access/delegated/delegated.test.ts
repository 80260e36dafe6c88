import { createPublicKey } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignJWT, UnsecuredJWT } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AccessContext } from '../../../../src/platform/access/access-context.ts'
import { identifyBearer } from '../../../../src/platform/access/sessions/identify-bearer.ts'
import { signInDelegated } from '../../../../src/platform/access/delegated/delegated.ts'
import { externalProviders } from '../../../../src/platform/access/delegated/provider/external-providers.ts'
import { createDelegatedMethod, deleteMethod, updateMethod } from '../../../../src/platform/access/methods/methods.ts'
import { HoldfastError } from '../../../../src/lib/errors.ts'
import type { DomainContext } from '../../../../src/platform/domain-context.ts'
import { giveToken } from '../../../support/access.ts'
import { makeDomain } from '../../../support/domain.ts'
import { AUDIENCE, makeIssuer, withIssuers, type ForeignIssuer } from '../../../support/foreign-issuer.ts'
import { oneDomain } from '../../one-domain.ts'
import { SAMPLED_DATABASES, ANY_DATABASE } from '../../../support/databases.ts'

const ISSUER = 'https://login.example.com'
const NOW = new Date('2026-03-01T12:00:00Z')
const SECONDS = NOW.getTime() / 1_000
const LATER = new Date('2026-03-01T13:00:00Z')

const provider = await makeIssuer(ISSUER, () => NOW)
const other = await makeIssuer('https://other.example.com', () => NOW)

function trust(context: AccessContext, { issuer }: ForeignIssuer, more: object = {}) {
  return createDelegatedMethod(context, { status: 'ACTIVATED', configuration: { clientId: AUDIENCE, issuer, ...more } })
}

describe.each(SAMPLED_DATABASES)('a token of another provider on $name', (kind) => {
  const domain = oneDomain(kind)
  let context: DomainContext & { readonly asked: readonly string[] }

  beforeEach(() => {
    context = withIssuers({ ...domain(), now: () => NOW }, [provider, other])
  })

  it('signs in, creates its user on first sight, and is known from then on without asking the provider', async () => {
    const { uuid } = await trust(context, provider)
    const token = await provider.sign({ email: 'Ada@example.com', email_verified: true, name: 'Ada Lovelace' })
    const signIn = await signInDelegated(context, token)
    expect(signIn).toMatchObject({
      account: { kind: 'person', login: 'ada@example.com', name: 'Ada Lovelace', email: 'ada@example.com' },
      scopes: ['openid', 'service'],
      method: { uuid },
      expiresAt: new Date(NOW.getTime() + 600_000),
    })
    // Another process, whose network has nothing.
    const offline = withIssuers(context, [])
    expect(await identifyBearer(offline, token)).toMatchObject({
      name: 'ada@example.com',
      scopes: ['openid', 'service'],
    })
    expect(offline.asked).toStrictEqual([])
  })

  it('is told from a made-up one at the first request, too', async () => {
    await trust(context, provider)
    const token = await provider.sign()
    expect((await identifyBearer(context, token))?.account?.kind).toBe('person')
    expect((await identifyBearer(context, token))?.account?.kind).toBe('person')
  })

  it('stops with its time, its user, its method, and with another configuration', async () => {
    const { uuid } = await trust(context, provider)
    const token = await provider.sign()
    await signInDelegated(context, token)
    const later = { ...context, now: () => new Date(NOW.getTime() + 700_000) }
    await expect(identifyBearer(later, token)).rejects.toThrow(/it expired 100 seconds ago/)
    await updateMethod(context, uuid, { status: 'DEACTIVATED' })
    expect(await identifyBearer(context, token)).toBeNull()
    const unseen = await provider.sign({ sub: 'subject-2' })
    await expect(identifyBearer(context, unseen)).rejects.toThrow(/no ACTIVATED authentication method/)
    await updateMethod(context, uuid, { status: 'ACTIVATED' })
    expect(await identifyBearer(context, token)).not.toBeNull()
    await updateMethod(context, uuid, { configuration: { clientId: 'renamed' } })
    await expect(identifyBearer(context, token)).rejects.toThrow(/another audience \(aud\)$/)
    await updateMethod(context, uuid, { configuration: { clientId: AUDIENCE } })
    expect(await identifyBearer(context, token)).not.toBeNull()
    await deleteMethod(context, uuid)
    await expect(identifyBearer(context, token)).rejects.toThrow(/no ACTIVATED authentication method/)
  })

  it('is not remembered on terms that changed while its provider was asked for the keys', async () => {
    const { uuid } = await trust(context, provider)
    const { keys } = context.external
    const find: typeof keys.find = async (...asked) => {
      const key = await keys.find(...asked)
      await updateMethod(context, uuid, {
        configuration: { rules: [{ name: 'staff', claims: { hd: 'a' }, scopes: ['service'] }] },
      })
      return key
    }
    const slow = { ...context, external: { ...context.external, keys: Object.assign(Object.create(keys), { find }) } }
    const token = await provider.sign()
    await expect(identifyBearer(slow, token)).rejects.toThrow(/changed at the same moment/)
    await expect(identifyBearer(context, token)).rejects.toThrow(/it fits no rule/)
  })

  it('lets whoever comes in by its method do no more than the method allows, by whatever application, from now on', async () => {
    const { uuid } = await trust(context, provider, { scopes: ['data:read', 'datapoints:write'] })
    const { account } = await signInDelegated(context, await provider.sign())
    const scope = 'openid email service data:read datapoints:write'
    const token = await giveToken(context, account, { methodUuid: uuid, scope, expiresAt: LATER })
    expect((await identifyBearer(context, token))?.scopes).toStrictEqual([
      'openid',
      'email',
      'data:read',
      'datapoints:write',
    ])
  })

  it('of one domain says nothing to another', async () => {
    await trust(context, provider)
    const token = await provider.sign()
    await signInDelegated(context, token)
    const elsewhere = withIssuers({ ...(await makeDomain(context.database, 'elsewhere')), now: () => NOW }, [provider])
    await expect(identifyBearer(elsewhere, token)).rejects.toThrow(/no ACTIVATED authentication method of this domain/)
    expect(elsewhere.asked).toStrictEqual([])
  })
})

it('the keys of a provider come over the network, from where the settings of the server allow it', async () => {
  const server = createServer(({ url }, response) => {
    response.end(JSON.stringify(url === '/keys' ? real.keySet : real.description))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const real = await makeIssuer(issuer, () => NOW)
  const database = await ANY_DATABASE.openMigrated()
  const external = externalProviders({ allowedOrigins: [issuer], now: () => NOW })
  const context = { ...(await makeDomain(database)), now: () => NOW, external }
  await trust(context, real)
  expect((await identifyBearer(context, await real.sign()))?.account?.kind).toBe('person')
  await new Promise((resolve) => server.close(resolve))
  await database.close()
})

describe('a token is refused, and why', () => {
  const domain = oneDomain()
  let context: DomainContext & { readonly asked: readonly string[] }

  beforeEach(async () => {
    context = withIssuers({ ...domain(), now: () => NOW }, [provider, other])
    await trust(context, provider)
  })

  /** What the holder of the token is told. */
  const refusalOf = async (token: string | Promise<string>): Promise<string> => {
    try {
      await signInDelegated(context, await token)
    } catch (error) {
      if (error instanceof HoldfastError && error.code === 'UNAUTHENTICATED') return error.message
      throw error
    }
    return 'it was accepted'
  }

  it.each<[string, object, RegExp]>([
    [
      'expired',
      { exp: SECONDS - 180 },
      /it expired 3 minutes ago; get a new one\. The clock here says 2026-03-01T12:00/,
    ],
    ['without an end', { exp: undefined }, /missing required "exp" claim/],
    ['without a beginning', { iat: undefined }, /missing required "iat" claim/],
    ['without a subject', { sub: undefined }, /missing required "sub" claim/],
    ['with a subject that is no text', { sub: 17 }, /1 to 255/],
    ['with an empty subject', { sub: '' }, /1 to 255/],
    ['from the future', { iat: SECONDS + 7_200 }, /issued 2 hours in the future \(iat\); the clock here says/],
    ['not valid yet', { nbf: SECONDS + 300 }, /valid only in 5 minutes \(nbf\)/],
    ['for somebody else', { aud: 'another-app' }, /it is for another audience \(aud\)$/],
    ['for nobody', { aud: undefined }, /missing required "aud" claim/],
    ['for several, and of another', { aud: [AUDIENCE, 'another'], azp: 'another' }, /another client \(azp\)$/],
    ['of another', { azp: 'another' }, /another client \(azp\)$/],
    ['of something else', { azp: 7 }, /another client \(azp\)$/],
    ['for several, and of nobody', { aud: [AUDIENCE, 'another'] }, /several audiences/],
    ['of nobody', { iss: undefined }, /names no issuer/],
    ['that is a logout token', { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }, /\(events\)/],
    ['of an issuer that nobody trusts here', { iss: other.issuer }, /no ACTIVATED .* issuer "https:\/\/other/],
    ['of an issuer that is spelled otherwise', { iss: `${ISSUER}/` }, /no ACTIVATED authentication method/],
  ])('%s', async (_, claims, message) => {
    expect(await refusalOf(provider.sign({ ...claims }))).toMatch(message)
  })

  it('one that is good for long is good for a day here: its signature is checked again then', async () => {
    const { expiresAt } = await signInDelegated(context, await provider.sign({ exp: SECONDS + 30 * 86_400 }))
    expect(expiresAt).toStrictEqual(new Date(NOW.getTime() + 86_400_000))
  })

  it('several audiences are right where it is of ours', async () => {
    const token = await provider.sign({ aud: ['another', AUDIENCE], azp: AUDIENCE })
    expect((await signInDelegated(context, token)).account.kind).toBe('person')
  })

  it.each([
    ['behind', { exp: SECONDS - 59, iat: SECONDS - 600 }],
    ['ahead', { iat: SECONDS + 59, nbf: SECONDS + 59 }],
  ])('its clock may be a minute %s', async (_, claims) => {
    expect(await refusalOf(provider.sign(claims))).toBe('it was accepted')
  })

  it('unsigned', async () => {
    const claims = { iss: ISSUER, sub: 'subject-1', aud: AUDIENCE, iat: SECONDS, exp: SECONDS + 600 }
    expect(await refusalOf(new UnsecuredJWT(claims).encode())).toMatch(/signed with "none"/)
    expect(context.asked).toStrictEqual([])
  })

  it("signed with the provider's public key as if it were a shared secret", async () => {
    const pem = createPublicKey({ key: provider.publicJwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    expect(
      await refusalOf(provider.sign({}, { algorithm: 'HS256', key: new TextEncoder().encode(String(pem)) })),
    ).toMatch(/signed with "HS256", and only RS256/)
  })

  it('signed by another provider that names this one (mix-up)', async () => {
    await trust(context, other)
    expect(await refusalOf(provider.sign({}, { key: other.privateKey }))).toMatch(
      /its signature does not match a key of https:\/\/login/,
    )
    expect(await refusalOf(other.sign({ iss: ISSUER }))).toMatch(
      /its signature does not match a key of https:\/\/login/,
    )
  })

  it('changed after it was signed', async () => {
    const [header, payload, signature] = (await provider.sign()).split('.')
    const forged = Buffer.from(JSON.stringify({ ...JSON.parse(atob(payload ?? '')), sub: 'admin' })).toString(
      'base64url',
    )
    expect(await refusalOf(`${header}.${forged}.${signature}`)).toMatch(/its signature does not match a key/)
  })

  it('signed with a key that the provider does not publish', async () => {
    expect(await refusalOf(provider.sign({}, { kid: 'made-up' }))).toMatch(/publishes no key "made-up" for RS256/)
  })

  it('that brings its own key along', async () => {
    const { publicKey, privateKey } = await crypto.subtle.generateKey(
      { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
      true,
      ['sign', 'verify'],
    )
    const jwk = await crypto.subtle.exportKey('jwk', publicKey)
    const claims = { iss: ISSUER, sub: 'subject-1', aud: AUDIENCE, iat: SECONDS, exp: SECONDS + 600 }
    const header = { alg: 'RS256', jwk, jku: 'https://evil.example/keys', x5u: 'https://evil.example/x5u' } as const
    expect(await refusalOf(new SignJWT(claims).setProtectedHeader(header as never).sign(privateKey))).toMatch(
      /its signature does not match/,
    )
    expect(context.asked.every((address) => address.startsWith(ISSUER))).toBe(true)
  })

  it('too long', async () => {
    expect(await refusalOf(provider.sign({ filler: 'x'.repeat(20_000) }))).toMatch(/and at most 16384 are allowed/)
    expect(context.asked).toStrictEqual([])
  })

  it.each(['logout+jwt', 'secevent+jwt', 'dpop+jwt'])('of the type %s', async (typ) => {
    expect(await refusalOf(provider.sign({}, { typ }))).toMatch(/its type is/)
  })

  it.each([1, null, ['JWT'], {}])('of the type %j, which is no text', async (typ) => {
    const [, payload, signature] = (await provider.sign()).split('.')
    const header = Buffer.from(JSON.stringify({ alg: 'RS256', typ })).toString('base64url')
    expect(await refusalOf(`${header}.${payload}.${signature}`)).toMatch(/its type is|its signature does not match/)
  })

  it.each(['a.b.c', 'eyJhbGciOiJSUzI1NiJ9.e30.x', '....', 'x'])('that is none: %s', async (text) => {
    expect(await refusalOf(text)).toMatch(/JSON Web Token|names no issuer/)
  })

  it('while its provider does not answer, and that is not the fault of who holds it', async () => {
    const offline = withIssuers(context, [])
    await expect(signInDelegated(offline, await provider.sign())).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('before any key is asked for, where nobody trusts its issuer: nobody can have requests sent anywhere', async () => {
    expect(await refusalOf(other.sign({ iss: 'https://169.254.169.254' }))).toMatch(
      /no ACTIVATED authentication method/,
    )
    expect(context.asked).toStrictEqual([])
  })
})
