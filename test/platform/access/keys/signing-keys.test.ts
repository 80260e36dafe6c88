import { SignJWT, createLocalJWKSet, importJWK, jwtVerify } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AccessContext } from '../../../../src/platform/access/access-context.ts'
import { rotateSigningKey, signingKeys, type PrivateJwk } from '../../../../src/platform/access/keys/signing-keys.ts'
import { DataKey } from '../../../../src/platform/data-key.ts'
import { makeDomain } from '../../../support/domain.ts'
import { dumpTables } from '../../../support/table-dump.ts'
import { SAMPLED_DATABASES } from '../../../support/databases.ts'
import { database, useDatabase } from '../../../support/one-database.ts'

const SECOND = 1_000
const HOUR = 3_600_000
const DAY = 24 * HOUR

async function kid(context: AccessContext): Promise<string> {
  return (await signingKeys(context)).current.kid
}

async function published(context: AccessContext): Promise<string[]> {
  return (await signingKeys(context)).published.map((key) => key.kid)
}

describe.each(SAMPLED_DATABASES)('signing keys on $name', ({ openMigrated }) => {
  let time: number
  let one: AccessContext
  /** Another process on the same database, which remembers things of its own. */
  let other: AccessContext

  useDatabase({ openMigrated })
  beforeEach(async () => {
    time = Date.parse('2026-01-01T00:00:00Z')
    const domain = await makeDomain(database, crypto.randomUUID())
    one = { ...domain, database: { ...database }, now: () => new Date(time) }
    other = { ...one, database: { ...database } }
  })

  async function sign({ current }: { readonly current: PrivateJwk }): Promise<string> {
    const key = await importJWK({ ...current }, 'RS256')
    return new SignJWT({ made: time }).setProtectedHeader({ alg: 'RS256', kid: current.kid }).sign(key)
  }

  /** As a client does, with what the provider publishes now. */
  async function check(token: string, context: AccessContext): Promise<void> {
    const { published: keys } = await signingKeys(context)
    const publicKeys = keys.map(({ kty, n, e, kid: name, alg, use }) => ({
      kty,
      n: n ?? '',
      e: e ?? '',
      kid: name,
      alg,
      use,
    }))
    await jwtVerify(token, createLocalJWKSet({ keys: publicKeys }), { currentDate: new Date(time) })
  }

  it('are one for all processes, made by whoever asks first', async () => {
    const kids = await Promise.all([one, other, one, other].map(kid))
    expect(new Set(kids).size).toBe(1)
    const { current } = await signingKeys(one)
    expect(current).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig' })
    expect(Buffer.from(current.n ?? '', 'base64url')).toHaveLength(256)
    await check(await sign(await signingKeys(one)), other)
  })

  it('are others for another domain', async () => {
    const elsewhere = { ...(await makeDomain(one.database, 'elsewhere')), now: one.now }
    expect(await kid(elsewhere)).not.toBe(await kid(one))
  })

  it('cannot be read from the database, nor opened with another key', async () => {
    const { current } = await signingKeys(one)
    const dump = JSON.stringify(await dumpTables(one.database))
    const secret = Buffer.from(current.d ?? '', 'base64url')
    expect(dump).toContain(current.n)
    expect(dump).not.toContain(current.d)
    expect(dump).not.toContain(secret.toString('hex'))
    const stranger = { ...one, database: { ...one.database }, key: new DataKey(new Uint8Array(32).fill(8)) }
    await expect(signingKeys(stranger)).rejects.toThrow(/HOLDFAST_KEY .* is not the key of this database/)
  })

  it('sign for 90 days; the next one is published a day before, the old one a day after', async () => {
    const first = await kid(one)
    time += 89 * DAY - SECOND
    expect(await published(one)).toStrictEqual([first])
    time += 10 * SECOND
    const [current, next = '', ...more] = await published(one)
    expect([current, ...more]).toStrictEqual([first])
    time += DAY - 20 * SECOND
    expect(await kid(one)).toBe(first)
    time += 30 * SECOND
    expect(await published(one)).toStrictEqual([next, first])
    time += DAY
    expect(await published(one)).toStrictEqual([next])
  })

  it('have another version whenever another one signs or is published', async () => {
    const versions = []
    for (let day = 0; day <= 92; day += 1) {
      versions.push((await signingKeys(one)).version)
      time += DAY
    }
    expect(new Set(versions).size).toBe(4)
  })

  it('are not read again for five seconds', async () => {
    const before = await signingKeys(one)
    time += 4 * SECOND
    expect(await signingKeys(one)).toBe(before)
    time += 2 * SECOND
    expect(await signingKeys(one)).not.toBe(before)
    const later = await signingKeys(one)
    time -= 6 * SECOND
    expect(await signingKeys(one)).not.toBe(later)
  })

  it('in a domain where nobody came for long sign on until the next one was published for a day', async () => {
    const first = await kid(one)
    time += 90 * DAY + HOUR
    const [current, next] = await published(one)
    expect(current).toBe(first)
    time += DAY + SECOND
    expect(await kid(one)).toBe(next)
  })

  it('in a domain where nobody came for longer begin anew', async () => {
    const first = await kid(one)
    time += 400 * DAY
    const kids = await published(one)
    expect(kids).toHaveLength(1)
    expect(kids).not.toContain(first)
  })

  it('rotate by command: published at once, signing when every process publishes it, and no token fails', async () => {
    const first = await kid(one)
    const before = await sign(await signingKeys(other))
    const { kid: next, signsFrom } = await rotateSigningKey(one)
    expect(await published(one)).toStrictEqual([first, next])
    expect(signsFrom.getTime() - time).toBeGreaterThanOrEqual(10 * SECOND)
    const end = time + DAY
    for (; time < signsFrom.getTime() + 10 * SECOND; time += SECOND) {
      for (const [signer, checker] of [
        [one, other],
        [other, one],
      ] as const) {
        await check(await sign(await signingKeys(signer)), checker)
      }
    }
    expect([await kid(one), await kid(other)]).toStrictEqual([next, next])
    await check(before, one)
    time = end
    expect(await published(one)).toStrictEqual([next, first])
    time += 60 * SECOND
    expect(await published(one)).toStrictEqual([next])
  })

  it('rotate as often as somebody wants, and none is lost that has signed', async () => {
    const tokens = []
    for (let turn = 0; turn < 4; turn += 1) {
      tokens.push(await sign(await signingKeys(one)))
      await rotateSigningKey(turn % 2 === 0 ? one : other)
      time += turn === 1 ? 5 * SECOND : 40 * SECOND
    }
    for (const token of tokens) await expect(check(token, one)).resolves.toBeUndefined()
  })

  it('sign on with the newest one where the clock was set back before it began', async () => {
    const first = await kid(one)
    const token = await sign(await signingKeys(one))
    time -= 10 * DAY
    const restarted = { ...one, database: { ...one.database } }
    expect(await published(restarted)).toStrictEqual([first])
    await check(token, restarted)
    await check(await sign(await signingKeys(restarted)), restarted)
  })

  it('rotate also by such a clock: what was signed stays good, and the old one does not sign again', async () => {
    const first = await kid(one)
    const token = await sign(await signingKeys(one))
    time -= HOUR
    const restarted = { ...one, database: { ...one.database } }
    const { kid: next, signsFrom } = await rotateSigningKey(restarted)
    expect(await published(restarted)).toStrictEqual([first, next])
    time = signsFrom.getTime() + SECOND
    expect(await published({ ...one, database: { ...one.database } })).toStrictEqual([next, first])
    time += HOUR
    const later = { ...one, database: { ...one.database } }
    expect(await published(later)).toStrictEqual([next, first])
    await check(token, later)
  })

  it('rotate before there is one', async () => {
    const { kid: next } = await rotateSigningKey(one)
    expect(await published(one)).toContain(next)
    expect(await kid(one)).not.toBe(next)
  })
})
