import { beforeEach, describe, expect, it } from 'vitest'
import { findAccountByLogin } from '../../../../src/platform/access/accounts/accounts.ts'
import { createPasswordLink, readPasswordLink } from '../../../../src/platform/access/accounts/password-links.ts'
import { changeDelegatedUser } from '../../../../src/platform/access/delegated/delegated-users.ts'
import { sweepExpired } from '../../../../src/platform/access/sessions/sweep.ts'
import { unbindIdentity } from '../../../../src/platform/access/delegated/identity/identities.ts'
import { meetPerson } from '../../../../src/platform/access/delegated/identity/external-identity.ts'
import { createDelegatedMethod, type DelegatedMethod } from '../../../../src/platform/access/methods/methods.ts'
import { identifyBearer } from '../../../../src/platform/access/sessions/identify-bearer.ts'
import { NO_SETTINGS } from '../../../../src/records/settings.ts'
import { createSystemCredential } from '../../../../src/platform/systems/credentials.ts'
import { EVERYWHERE } from '../../../../src/platform/systems/reach.ts'
import { createSystem } from '../../../../src/platform/systems/systems.ts'
import { createRecord, updateRecord } from '../../../../src/platform/records/change-record.ts'
import { giveToken, makeMachine } from '../../../support/access.ts'
import { strongSecret } from '../../../support/example-records.ts'
import { acknowledging, applyAll, plan } from '../../../support/domain.ts'
import { oneDomain } from '../../one-domain.ts'

// Whoever was shut out and is let in again signs in again: nothing of before works any more.

const domain = oneDomain()
const ADA = 'ada@example.com'

/** Whether a token is good before, while and after an account is not ACTIVATED. */
async function goodWhile(uuid: string, change: (status: string) => Promise<unknown>, status: string) {
  const token = await giveToken(domain(), { uuid })
  const isGood = async () => (await identifyBearer(domain(), token)) !== null
  const good = [await isGood()]
  await change(status)
  good.push(await isGood())
  await change('ACTIVATED')
  return [...good, await isGood()]
}

describe.each(['DEACTIVATED', 'ARCHIVED'])('what was given before the account was %s', (status) => {
  it('to a user, who is changed one by one or by an import', async () => {
    await createRecord(domain(), 'users', { email: ADA }, [])
    const { uuid = '' } = (await findAccountByLogin(domain(), 'person', ADA)) ?? {}
    const one = (to: string) => updateRecord(domain(), 'users', ADA, { status: to }, [])
    const byImport = (to: string) => applyAll(domain(), { users: [{ email: ADA, status: to }] })
    expect(await goodWhile(uuid, one, status)).toStrictEqual([true, false, false])
    expect(await goodWhile(uuid, byImport, status)).toStrictEqual([true, false, false])
    expect(await identifyBearer(domain(), await giveToken(domain(), { uuid }))).not.toBeNull()
  })

  it('to a machine user', async () => {
    const { uuid } = await makeMachine(domain(), 'robot')
    const change = (to: string) => updateRecord(domain(), 'machineUsers', 'robot', { status: to }, [])
    expect(await goodWhile(uuid, change, status)).toStrictEqual([true, false, false])
  })

  it('to a machine user of the platform, whose place a record takes', async () => {
    const { uuid: system } = await createSystem(domain(), EVERYWHERE, { name: 'Boiler house' })
    const { uuid, username } = await createSystemCredential(domain(), system)
    const change = async (to: string) => {
      const document = { machineUsers: [{ username, password: strongSecret('robot'), status: to }] }
      await applyAll(domain(), document, acknowledging(await plan(domain(), document), NO_SETTINGS))
    }
    expect(await goodWhile(uuid, change, status)).toStrictEqual([true, false, false])
  })

  it('a link for a password', async () => {
    await createRecord(domain(), 'users', { email: ADA }, [])
    const { token } = await createPasswordLink(domain(), ADA, 'tester')
    for (const to of [status, 'ACTIVATED']) await updateRecord(domain(), 'users', ADA, { status: to }, [])
    expect(await readPasswordLink(domain(), token)).toBeNull()
  })
})

describe('a person whom another provider told about', () => {
  let method: DelegatedMethod
  beforeEach(async () => {
    const configuration = { clientId: 'us', issuer: 'https://login.example.com' }
    method = await createDelegatedMethod(domain(), { status: 'ACTIVATED', configuration })
  })

  it('signs in again by a token of theirs that is newer', async () => {
    const claims = { sub: 'ada', email: ADA, email_verified: true }
    const minute = 60_000
    const meetAt = (at: number) => meetPerson(domain(), method, claims, new Date(Date.now() + at))
    const { account } = await meetAt(0)
    const change = (to: string) => changeDelegatedUser(domain(), account.uuid, to as 'ACTIVATED')
    expect(await goodWhile(account.uuid, change, 'DEACTIVATED')).toStrictEqual([true, false, false])
    await expect(meetAt(-minute)).rejects.toMatchObject({ reason: 'unbound' })
    expect((await meetAt(2 * minute)).account).toStrictEqual(account)
  })

  it('is no new person by an older token because the last sign-in was long ago', async () => {
    const claims = { sub: 'bob', email: 'bob@example.com', email_verified: true }
    const DAY = 86_400_000
    const { identity } = await meetPerson(domain(), method, claims, new Date())
    await domain().database.script("update external_identities set last_seen_at = now() - interval '40 days'")
    await unbindIdentity(domain(), identity)
    await sweepExpired(domain().database, new Date())
    await expect(meetPerson(domain(), method, claims, new Date(Date.now() - 60_000))).rejects.toMatchObject({
      reason: 'unbound',
    })
    await domain().database.script("update external_identities set last_seen_at = now() - interval '40 days'")
    await sweepExpired(domain().database, new Date(Date.now() + 31 * DAY))
    expect((await meetPerson(domain(), method, claims, new Date())).identity).not.toBe(identity)
  })
})
