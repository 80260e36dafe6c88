import { describe, expect, test } from 'vitest'
import { checkClientSecret, findClient } from '../../../../src/platform/access/clients/clients.ts'
import type { JsonObject } from '../../../../src/lib/json.ts'
import { Secret } from '../../../../src/records/secret.ts'
import { applyAll } from '../../../support/domain.ts'
import { storedRecords } from '../../../support/plan-parts.ts'
import { oneDomain } from '../../one-domain.ts'

const domain = oneDomain()

const SECRET = 'Zq7-first-secret-8Kd02mfPq71L'

const portal = (fields: JsonObject = {}) => ({
  applicationConsumers: [{ name: 'Portal', slug: 'portal', secret: SECRET, grantTypes: ['PASSWORD'], ...fields }],
})

/** `<slug>.<suffix>`, as GraphQL tells it. */
async function identifier(): Promise<string> {
  const [record] = await storedRecords(domain(), ['applicationConsumers'])
  return `portal.${record?.uuid.slice(0, 8)}`
}

async function client(fields: JsonObject = {}) {
  await applyAll(domain(), portal(fields))
  return findClient(domain(), await identifier())
}

describe('a consumer as a client', () => {
  test('is found by its identifier and by nothing like it', async () => {
    await applyAll(domain(), portal())
    const right = await identifier()
    expect((await findClient(domain(), right))?.name).toBe('Portal')
    for (const wrong of [
      'portal',
      'portal.',
      'portal.00000000',
      `PORTAL.${right.slice(-8)}`,
      `${right} `,
      `x\0.00000000`,
    ]) {
      expect(await findClient(domain(), wrong)).toBeNull()
      expect(await checkClientSecret(domain(), wrong, SECRET)).toBe(false)
    }
  })

  test('has what its record says', async () => {
    const made = await client({
      grantTypes: ['REFRESH_TOKEN', 'AUTHORIZATION_CODE'],
      defaultRedirectUri: 'https://portal.example.org/main',
      redirectUris: ['https://portal.example.org/a', 'https://portal.example.org/main'],
      noExplicitConsentRequired: true,
      scopes: ['openid', 'email', 'what nobody knows'],
    })
    expect(made).toStrictEqual({
      uuid: made?.uuid,
      identifier: await identifier(),
      name: 'Portal',
      status: 'ACTIVATED',
      grantTypes: ['AUTHORIZATION_CODE', 'REFRESH_TOKEN'],
      defaultRedirectUri: 'https://portal.example.org/main',
      unknownScopes: ['what nobody knows'],
      allowedScopes: ['email', 'openid'],
      redirectUris: ['https://portal.example.org/main', 'https://portal.example.org/a'],
      scopes: ['email', 'openid'],
      skipsConsent: true,
    })
  })

  test('may ask for openid and service where it lists no scopes, and for nothing where its list is empty', async () => {
    expect(await client()).toMatchObject({ scopes: ['openid', 'service'], redirectUris: [], skipsConsent: false })
    expect(await client({ scopes: [] })).toMatchObject({ scopes: [] })
  })

  test.each(['DEACTIVATED', 'ARCHIVED'])('is found but has no right secret when it is %s', async (status) => {
    expect(await client({ status })).toMatchObject({ status })
    expect(await checkClientSecret(domain(), await identifier(), SECRET)).toBe(false)
  })
})

describe('the secret of a client', () => {
  test('is right or wrong as a whole', async () => {
    await applyAll(domain(), portal())
    expect(await checkClientSecret(domain(), await identifier(), SECRET)).toBe(true)
    for (const wrong of ['', SECRET.slice(1), `${SECRET} `, SECRET.toLowerCase(), `${SECRET}\0`]) {
      expect(await checkClientSecret(domain(), await identifier(), wrong)).toBe(false)
    }
  })

  test('that is not stored is none, not even an empty one', () => {
    for (const secret of ['', SECRET]) expect(domain().secrets.checkClientSecret(new Secret(secret), null)).toBe(false)
  })

  test.each(['with+plus%and&more=', 'a:b:c', '"quoted\\"'])('may be %j', async (secret) => {
    await applyAll(domain(), portal({ secret }))
    expect(await checkClientSecret(domain(), await identifier(), secret)).toBe(true)
  })
})
