import { exportJWK, generateKeyPair, jwtVerify } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { ProviderKeys } from '../../../../../src/platform/access/delegated/provider/provider-keys.ts'
import { heapInUse } from '../../../../support/heap-in-use.ts'
import { KID, makeIssuer, networkOf, type ForeignIssuer } from '../../../../support/foreign-issuer.ts'

const ISSUER = 'https://login.example.com'
const MINUTE = 60_000

let time: number
let provider: ForeignIssuer
let asked: string[]
let keys: ProviderKeys

beforeEach(async () => {
  time = Date.parse('2026-01-01T00:00:00Z')
  provider = await makeIssuer(ISSUER)
  const network = networkOf([provider])
  asked = network.asked
  keys = new ProviderKeys(network.fetch, () => new Date(time))
})

const find = (kid = KID, alg = 'RS256') => keys.find(ISSUER, { alg, kid })

/** What the provider publishes from now on. */
async function publish(kid: string): Promise<CryptoKey> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  provider.keySet = { keys: [{ ...(await exportJWK(publicKey)), kid }] }
  return privateKey
}

describe('the keys of another provider', () => {
  it('are found by way of its description, once', async () => {
    await find()
    await find()
    expect(asked).toStrictEqual([`${ISSUER}/.well-known/openid-configuration`, `${ISSUER}/keys`])
  })

  it('are asked for once, for all who come at the same time', async () => {
    await Promise.all(Array.from({ length: 50 }, () => find()))
    expect(asked).toHaveLength(2)
  })

  it('are kept without what a provider adds, which may take a lot of memory', async () => {
    const many = await Promise.all(Array.from({ length: 30 }, (_, index) => makeIssuer(`${ISSUER}/${index}`)))
    const more = Array.from({ length: 40_000 }, () => [])
    for (const one of many) one.keySet = { keys: [{ ...one.publicJwk, more }] }
    const kept = new ProviderKeys(networkOf(many).fetch, () => new Date(time))
    await kept.find(`${ISSUER}/0`, { alg: 'RS256', kid: KID })
    const before = heapInUse()
    for (const { issuer } of many) await kept.find(issuer, { alg: 'RS256', kid: KID })
    expect(heapInUse() - before).toBeLessThan(10_000_000)
  })

  it('check a signature', async () => {
    const { payload } = await jwtVerify(await provider.sign(), (header) => keys.find(ISSUER, header))
    expect(payload.sub).toBe('subject-1')
  })

  it('are asked for again after ten minutes, and a key that is withdrawn then counts no more', async () => {
    await find()
    await publish('key-2')
    time += 11 * MINUTE
    await expect(find()).rejects.toThrow('no applicable key')
    expect(await find('key-2')).toBeDefined()
  })

  it('are asked for again after the clock was set back, too', async () => {
    await find()
    await publish('key-2')
    time -= 6 * 60 * MINUTE
    await expect(find()).rejects.toThrow('no applicable key')
    expect(await find('key-2')).toBeDefined()
  })

  it('are asked for again when a new one is named', async () => {
    await find()
    await publish('key-2')
    time += MINUTE
    expect(await find('key-2')).toBeDefined()
    expect(asked).toHaveLength(4)
  })

  it('are not asked for more than twice a minute, however many tokens name keys that do not exist', async () => {
    await find()
    for (let second = 0; second < 60; second += 1) {
      await Promise.allSettled(Array.from({ length: 20 }, (_, index) => find(`made-up-${second}-${index}`)))
      time += 1_000
    }
    expect(asked.length / 2).toBeLessThanOrEqual(3)
  })

  it('stay good for an hour while the provider does not answer', async () => {
    await find()
    provider.isDown = true
    time += 59 * MINUTE
    expect(await find()).toBeDefined()
    time += 2 * MINUTE
    await expect(find()).rejects.toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining(ISSUER) })
  })

  it('of a provider that does not answer are not asked for by every request', async () => {
    provider.isDown = true
    for (let index = 0; index < 10; index += 1) await expect(find()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(asked).toHaveLength(1)
    provider.isDown = false
    time += 31_000
    expect(await find()).toBeDefined()
  })

  it('with a shared secret are none', async () => {
    provider.keySet = { keys: [{ kty: 'oct', k: 'c2VjcmV0', kid: KID, alg: 'HS256' }] }
    await expect(find(KID, 'HS256')).rejects.toThrow(/Unsupported "alg"/)
  })
})

describe('a provider is not believed', () => {
  it.each<[string, (provider: ForeignIssuer) => void, RegExp]>([
    [
      'that describes itself as another one',
      (it) => (it.description = { ...it.description, issuer: 'https://other.example' }),
      /names another issuer/,
    ],
    ['that says nothing of itself', (it) => (it.description = {}), /names another issuer/],
    ['that names no keys', (it) => (it.description = { issuer: ISSUER }), /names no keys/],
    ['whose keys are no set of keys', (it) => (it.keySet = { keys: 'none' }), /not a JSON Web Key Set/],
    ['whose answer is no object', (it) => (it.keySet = []), /no JSON object/],
  ])('%s', async (_, change, message) => {
    change(provider)
    await expect(find()).rejects.toThrow(message)
  })
})
