import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import type { HoldfastError } from '../../src/lib/errors.ts'

const CWD = '/home/somebody'

describe('the environment', () => {
  it('may be empty', () => {
    expect(readConfig({}, CWD)).toStrictEqual({
      host: '127.0.0.1',
      port: 3000,
      workers: 1,
      metricsPort: null,
      databaseUrl: null,
      connections: 16,
      dataDir: `${CWD}/.holdfast`,
      key: null,
      baseUrl: null,
      bootstrapSecret: null,
      bootstrapPassword: null,
      allowedIssuers: [],
      providerRefreshHours: 24,
      trustedProxies: [],
      compresses: true,
    })
  })

  it('may set an empty variable, which is not set', () => {
    expect(readConfig({ PORT: '', HOLDFAST_KEY: ' ' }, CWD)).toMatchObject({ port: 3000, key: null })
  })

  it('may set everything', () => {
    const env = {
      HOST: '::',
      PORT: '0',
      WORKERS: '4',
      METRICS_PORT: '9464',
      DATABASE_URL: 'postgres://user:password@db:5432/holdfast',
      HOLDFAST_DATA_DIR: 'data',
      HOLDFAST_KEY: 'ab'.repeat(32),
      HOLDFAST_BASE_URL: 'https://building.example.com/',
      HOLDFAST_BOOTSTRAP_SECRET: 'secret-of-16-characters',
      HOLDFAST_BOOTSTRAP_PASSWORD: 'password of 16 characters',
      HOLDFAST_PROVIDER_REFRESH_HOURS: '8',
      HOLDFAST_ALLOWED_ISSUERS: 'http://127.0.0.1:4000, https://login.building.example',
      HOLDFAST_TRUSTED_PROXIES: '10.0.0.0/8,fd00::/8 192.0.2.7',
      HOLDFAST_COMPRESSION: 'off',
      HOLDFAST_CONNECTIONS: '4',
    }
    expect(readConfig(env, CWD)).toStrictEqual({
      host: '::',
      port: 0,
      workers: 4,
      metricsPort: 9464,
      databaseUrl: env.DATABASE_URL,
      dataDir: `${CWD}/data`,
      key: new Uint8Array(32).fill(0xab),
      baseUrl: 'https://building.example.com',
      bootstrapSecret: env.HOLDFAST_BOOTSTRAP_SECRET,
      bootstrapPassword: env.HOLDFAST_BOOTSTRAP_PASSWORD,
      allowedIssuers: ['http://127.0.0.1:4000', 'https://login.building.example'],
      providerRefreshHours: 8,
      trustedProxies: ['10.0.0.0/8', 'fd00::/8', '192.0.2.7'],
      compresses: false,
      connections: 4,
    })
  })

  it.each(['base64', 'base64url', 'hex'] as const)('has a key in %s', (encoding) => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 80 }), (key) => {
        // Base64 without any letter beyond f would be read as hexadecimal digits; it does not happen by chance.
        expect(readConfig({ HOLDFAST_KEY: Buffer.from(key).toString(encoding) }, CWD).key).toStrictEqual(key)
      }),
    )
  })

  it.each([
    ['PORT', '65536', 'whole number'],
    ['PORT', '3000.5', 'whole number'],
    ['WORKERS', '0', 'whole number from 1 to 64'],
    ['WORKERS', '65', 'whole number from 1 to 64'],
    ['HOLDFAST_CONNECTIONS', '3', 'whole number from 4 to 200'],
    ['WORKERS', '2', 'must be 1 without DATABASE_URL'],
    ['METRICS_PORT', 'http', 'whole number'],
    ['METRICS_PORT', '3000', 'another port than PORT'],
    ['HOST', 'http://localhost', 'address or name'],
    ['DATABASE_URL', 'mysql://u:hidden@host/db', 'postgres://'],
    ['HOLDFAST_KEY', 'hidden', 'at least 32 bytes'],
    ['HOLDFAST_KEY', 'hidden hidden', 'base64'],
    ['HOLDFAST_BASE_URL', 'https://host/hidden', 'without path'],
    ['HOLDFAST_BASE_URL', 'ftp://host', 'without path'],
    ['HOLDFAST_BOOTSTRAP_SECRET', 'hidden', 'at least 16'],
    ['HOLDFAST_BOOTSTRAP_SECRET', 'hidden and with white space', 'letters, digits'],
    ['HOLDFAST_BOOTSTRAP_PASSWORD', 'hidden', 'at least 16'],
    ['HOLDFAST_PROVIDER_REFRESH_HOURS', '0', 'from 1 to 2160'],
    ['HOLDFAST_PROVIDER_REFRESH_HOURS', '2161', 'from 1 to 2160'],
    ['HOLDFAST_ALLOWED_ISSUERS', 'https://a.example,https://u:hidden@b.example', 'number 2 is none'],
    ['HOLDFAST_ALLOWED_ISSUERS', 'https://a.example/hidden', 'number 1 is none'],
    ['HOLDFAST_TRUSTED_PROXIES', '10.0.0.0/33', 'addresses or networks'],
    ['HOLDFAST_TRUSTED_PROXIES', 'proxy.example', 'addresses or networks'],
    ['HOLDFAST_COMPRESSION', 'no', 'must be on or off'],
  ])('refuses %s=%s', (variable, value, message) => {
    const refused = problemsOf({
      [variable]: value,
      ...(variable === 'DATABASE_URL' && { HOLDFAST_KEY: 'ab'.repeat(32) }),
    })
    expect(refused.details).toStrictEqual([{ variable, message: expect.stringContaining(message) as string }])
    expect(refused.message).not.toContain('hidden')
  })

  it('needs a key with a database that others share', () => {
    expect(problemsOf({ DATABASE_URL: 'postgres://host/db' }).details).toMatchObject([{ variable: 'HOLDFAST_KEY' }])
  })
})

function problemsOf(env: { readonly [name: string]: string }): HoldfastError {
  try {
    readConfig(env, CWD)
  } catch (error) {
    return error as HoldfastError
  }
  throw new Error('the environment was accepted')
}
