import { beforeEach, describe, expect, test } from 'vitest'
import type { AccessContext } from '../../../../src/platform/access/access-context.ts'
import { checkPassword, findAccountByLogin } from '../../../../src/platform/access/accounts/accounts.ts'
import {
  createPasswordLink,
  readPasswordLink,
  setPassword,
} from '../../../../src/platform/access/accounts/password-links.ts'
import { comesFromKnownPlace, noteSuccess } from '../../../../src/platform/access/sessions/guessing.ts'
import { applyImport } from '../../../../src/platform/imports/applying/apply-import.ts'
import { planRollback } from '../../../../src/platform/imports/applying/roll-back.ts'
import { updateRecord } from '../../../../src/platform/records/change-record.ts'
import { NO_SETTINGS } from '../../../../src/records/settings.ts'
import { sweepExpired } from '../../../../src/platform/access/sessions/sweep.ts'
import { applyAll, makeDomain } from '../../../support/domain.ts'
import { dumpTables } from '../../../support/table-dump.ts'
import { oneDomain } from '../../one-domain.ts'
import { SAMPLED_DATABASES } from '../../../support/databases.ts'

const DAY = 24 * 3_600_000
const ADA = 'ada@example.org'
const NEW = 'correct horse battery'

const machine = (secret: string) => ({ username: 'Gate', status: 'ACTIVATED', password: secret })
const users = (status: string) => ({ users: [{ email: ADA, status }] })

describe.each(SAMPLED_DATABASES)('a link to set a password on $name', (kind) => {
  const domain = oneDomain(kind)
  beforeEach(() => applyAll(domain(), users('ACTIVATED')))

  const invite = async (context: AccessContext = domain()) => (await createPasswordLink(context, ADA, 'operator')).token
  const after = (milliseconds: number): AccessContext => {
    const now = Date.now() + milliseconds
    return { ...domain(), now: () => new Date(now) }
  }

  test('names whom it is for and sets the password, once', async () => {
    const token = await invite()
    expect(token).toMatch(/^[\w-]{43}$/)
    expect((await readPasswordLink(domain(), token))?.login).toBe(ADA)
    expect((await setPassword(domain(), token, NEW))?.login).toBe(ADA)
    expect((await checkPassword(domain(), ADA, NEW))?.login).toBe(ADA)
    expect(await setPassword(domain(), token, 'another password')).toBeNull()
    expect(await readPasswordLink(domain(), token)).toBeNull()
    expect(await checkPassword(domain(), ADA, 'another password')).toBeNull()
  })

  test('makes a stranger of whoever knew the old password', async () => {
    const guess = { of: 'password', name: ADA, network: '203.0.113.7', wideNetwork: '203.0.113' } as const
    await noteSuccess(domain(), guess, { isKnown: false })
    expect(await comesFromKnownPlace(domain(), guess)).toBe(true)
    await setPassword(domain(), await invite(), NEW)
    expect(await comesFromKnownPlace(domain(), guess)).toBe(false)
  })

  test.each(['an apply', 'a change of the record'])(
    '%s makes a stranger of whoever knew the old secret',
    async (how) => {
      await applyAll(domain(), { ...users('ACTIVATED'), machineUsers: [machine(NEW)] })
      const guess = { of: 'password', name: 'gate', network: '203.0.113.7', wideNetwork: '203.0.113' } as const
      await noteSuccess(domain(), guess, { isKnown: false })
      const other = `${NEW} and another one`
      if (how === 'an apply') await applyAll(domain(), { ...users('ACTIVATED'), machineUsers: [machine(other)] })
      else await updateRecord(domain(), 'machineUsers', 'Gate', { password: other }, [])
      expect(await comesFromKnownPlace(domain(), guess)).toBe(false)
    },
  )

  test('gives a password that comes back with its person when the deletion is rolled back', async () => {
    await setPassword(domain(), await invite(), NEW)
    const { uuid } = await applyAll(domain(), { users: [] })
    expect(await checkPassword(domain(), ADA, NEW)).toBeNull()
    const { plan } = await planRollback(domain(), uuid, NO_SETTINGS)
    await applyImport(domain(), { document: {}, settings: NO_SETTINGS, plan, origin: { rollbackOf: uuid } })
    expect((await checkPassword(domain(), ADA, NEW))?.login).toBe(ADA)
  })

  test('works once however many use it at the same time', async () => {
    const token = await invite()
    const passwords = Array.from({ length: 6 }, (_, n) => `a password of racer ${n}`)
    const set = await Promise.all(passwords.map((password) => setPassword(domain(), token, password)))
    const winners = passwords.filter((_, n) => set[n] !== null)
    expect(winners).toHaveLength(1)
    expect(await checkPassword(domain(), ADA, winners[0] ?? '')).not.toBeNull()
  })

  test('voids the one before it', async () => {
    const first = await invite()
    const second = await invite()
    expect(await readPasswordLink(domain(), first)).toBeNull()
    expect(await setPassword(domain(), first, NEW)).toBeNull()
    expect(await setPassword(domain(), second, NEW)).not.toBeNull()
  })

  test.each([
    ['a first password', 7, false],
    ['another password', 1, true],
  ])('for %s works for %d days and is then swept away', async (_, days, hasPassword) => {
    if (hasPassword) await setPassword(domain(), await invite(), 'the password before it')
    const token = await invite()
    expect(await readPasswordLink(after(days * DAY - 60_000), token)).not.toBeNull()
    expect(await setPassword(after(days * DAY + 1_000), token, NEW)).toBeNull()
    expect(await sweepExpired(domain().database, new Date(Date.now() + days * DAY + 1_000))).toBe(1)
  })

  test('is of one domain', async () => {
    const token = await invite()
    const other = await makeDomain(domain().database, 'other')
    expect(await readPasswordLink(other, token)).toBeNull()
    expect(await setPassword(other, token, NEW)).toBeNull()
  })

  test('does not outlive the status of its person', async () => {
    const token = await invite()
    await applyAll(domain(), users('DEACTIVATED'))
    expect(await readPasswordLink(domain(), token)).toBeNull()
    expect(await setPassword(domain(), token, NEW)).toBeNull()
    await expect(invite()).rejects.toThrow(`the user ${ADA} is DEACTIVATED; only ACTIVATED users can sign in`)
  })

  test('cannot be made for nobody, nor for a machine user', async () => {
    await applyAll(domain(), { machineUsers: [{ username: 'gateway', password: 'Zq7-8Kd02mfPq71L-word' }] })
    for (const login of ['nobody@example.org', 'gateway'])
      await expect(createPasswordLink(domain(), login, 'operator')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test.each([
    ['eleven char', 'has 11 characters and needs at least 12'],
    ['👩‍👩‍👧', 'needs at least 12'],
    ['x'.repeat(1_025), 'longer than 1024 bytes'],
  ])('asks for a password of sensible length, not %j', async (password, message) => {
    const token = await invite()
    await expect(setPassword(domain(), token, password)).rejects.toThrow(message)
    expect(await readPasswordLink(domain(), token)).not.toBeNull()
  })

  test('leaves neither its value nor the password in any table', async () => {
    const token = await invite()
    const dumped = async () => JSON.stringify(await dumpTables(domain().database))
    const before = await dumped()
    await setPassword(domain(), token, NEW)
    const text = before + (await dumped())
    const hex = Buffer.from(token, 'base64url').toString('hex')
    for (const secret of [token, hex, Buffer.from(token).toString('hex'), NEW]) expect(text).not.toContain(secret)
    expect(await findAccountByLogin(domain(), 'person', ADA)).not.toBeNull()
  })
})
