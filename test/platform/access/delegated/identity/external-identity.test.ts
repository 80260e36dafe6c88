import { beforeEach, describe, expect, it } from 'vitest'
import type { Claims } from '../../../../../src/auth/federation-rules.ts'
import { createRecord } from '../../../../../src/platform/records/change-record.ts'
import {
  changeDelegatedUser,
  listDelegatedUsers,
} from '../../../../../src/platform/access/delegated/delegated-users.ts'
import { personOfIdentity } from '../../../../../src/platform/access/delegated/identity/external-identity.ts'
import { listIdentities } from '../../../../../src/platform/access/delegated/identity/identities.ts'
import { createDelegatedMethod, type DelegatedMethod } from '../../../../../src/platform/access/methods/methods.ts'
import { itemsOf } from '../../../../../src/platform/page.ts'
import type { DomainContext } from '../../../../../src/platform/domain-context.ts'
import { oneDomain } from '../../../one-domain.ts'
import { SAMPLED_DATABASES } from '../../../../support/databases.ts'

const ISSUER = 'https://login.example.com'

function trust(context: DomainContext, issuer: string, more: object = {}): Promise<DelegatedMethod> {
  return createDelegatedMethod(context, {
    status: 'ACTIVATED',
    configuration: { clientId: 'holdfast', issuer, ...more },
  })
}

const ada = { sub: 'ada-1', email: 'ada@example.com', email_verified: true, name: 'Ada' }

describe.each(SAMPLED_DATABASES)('who somebody of another provider is here, on $name', (kind) => {
  const domain = oneDomain(kind)
  let method: DelegatedMethod

  beforeEach(async () => {
    method = await trust(domain(), ISSUER)
  })

  const meet = async (claims: object, by: DelegatedMethod = method) =>
    (await personOfIdentity(domain(), by, claims as Claims)).account

  const identities = async () =>
    itemsOf(
      await listIdentities(domain(), { account: null, method: null, isRefused: null }, { first: 10, after: null }),
    )

  it('stays the same whatever becomes of their e-mail address', async () => {
    const first = await meet(ada)
    const again = await meet({ ...ada, email: 'lovelace@example.com', name: 'Countess of Lovelace' })
    expect(again).toStrictEqual(first)
    expect(first).toMatchObject({ login: 'ada@example.com', name: 'Ada', status: 'ACTIVATED' })
  })

  it('is one account for all who come at once', async () => {
    const accounts = await Promise.all(Array.from({ length: 20 }, () => meet(ada)))
    expect(new Set(accounts.map(({ uuid }) => uuid)).size).toBe(1)
  })

  it('is not somebody else who has the same address there later', async () => {
    const first = await meet(ada)
    const second = await meet({ ...ada, sub: 'another-ada' })
    expect(second.uuid).not.toBe(first.uuid)
    expect(second.login).toMatch(/^[0-9a-f]{24}@login\.example\.com\.invalid$/)
    expect(second.email).toBeNull()
  })

  it('is not who has the same subject at another provider', async () => {
    const first = await meet(ada)
    const second = await meet({ ...ada, email_verified: false }, await trust(domain(), 'https://other.example.com'))
    expect(second.uuid).not.toBe(first.uuid)
  })

  it('is refused with the address of a user of the model: neither that user, nor another one beside', async () => {
    await createRecord(domain(), 'users', { email: 'ada@example.com' }, [])
    await expect(meet(ada)).rejects.toThrow(/who it is for is not let in here$/)
    expect(await listDelegatedUsers(domain(), { first: 10, after: null })).toStrictEqual([])
    const [refused] = await identities()
    expect(refused).toMatchObject({
      subject: 'ada-1',
      email: 'ada@example.com',
      emailVerified: true,
      account: null,
      refusal: 'address-not-trusted',
      refusalDetail: expect.stringMatching(/^it is for ada@example\.com, .* emailDomains of login\.example\.com /),
    })
  })

  it('is that user where the method trusts the provider with addresses, and only a verified one', async () => {
    const trusting = await trust(domain(), 'https://company.example.com', { emailDomains: ['example.com'] })
    const user = await createRecord(domain(), 'users', { email: 'ada@example.com', name: 'Ada of the model' }, [])
    expect((await meet({ ...ada, sub: 'x', email_verified: false }, trusting)).uuid).not.toBe(user.uuid)
    expect((await meet({ ...ada, sub: 'y', email_verified: undefined }, trusting)).uuid).not.toBe(user.uuid)
    expect(await meet(ada, trusting)).toMatchObject({ uuid: user.uuid, name: 'Ada of the model' })
  })

  it('is not who came first under that address from another provider, even for a method that trusts addresses', async () => {
    const trusting = await trust(domain(), 'https://company.example.com', { emailDomains: ['example.com'] })
    const squatter = await meet(ada)
    const theirs = await meet({ ...ada, sub: 'employee-1' }, trusting)
    expect(theirs.uuid).not.toBe(squatter.uuid)
    expect(theirs.login).toMatch(/\.invalid$/)
    const grace = await meet({ ...ada, email: 'grace@example.com', sub: 'employee-2' }, trusting)
    expect((await meet({ ...ada, email: 'grace@example.com', sub: 'employee-3' }, trusting)).uuid).toBe(grace.uuid)
  })

  it.each([
    ['unverified', { ...ada, email_verified: false }],
    ['verified by hearsay', { ...ada, email_verified: 'true' }],
    ['none', { sub: 'ada-1' }],
    ['no text', { ...ada, email: ['ada@example.com'] }],
    ['no address', { ...ada, email: 'Ada <ada@example.com>' }],
    ['with a character that cannot be stored', { ...ada, email: 'ada\0@example.com' }],
    ['in full-width letters', { ...ada, email: 'ａｄａ@example.com' }],
    ['with an invisible character', { ...ada, email: 'ada\u200b@example.com' }],
    ['in letters of another alphabet that look like these', { ...ada, email: '\u0430da@example.com' }],
    ['one that was invented', { ...ada, email: 'ada@somewhere.invalid' }],
  ])('has an invented address where theirs is %s', async (_, claims) => {
    expect(await meet(claims)).toMatchObject({ login: expect.stringMatching(/\.invalid$/), email: null })
  })

  it('has a name that can be shown', async () => {
    expect((await meet({ ...ada, name: 'Ada\u0000\u001b[31m Lovelace' })).name).toBe('Ada [31m Lovelace')
    expect((await meet({ sub: 'b', name: ' ', preferred_username: 'bob' })).name).toBe('bob')
    expect((await meet({ sub: 'c', name: 17 })).name).toBeNull()
  })

  it('is nobody where the rules of the method do not let them in, nor where they stand for a machine user', async () => {
    const rules = [
      { name: 'robots', claims: { hd: 'robots.example' }, machineUser: 'robot', scopes: ['model:plan'] },
      { name: 'staff', claims: { hd: 'example.com' }, scopes: ['service'] },
    ]
    const ruled = await trust(domain(), 'https://accounts.google.com', { rules })
    expect((await meet({ ...ada, hd: 'example.com' }, ruled)).kind).toBe('person')
    await expect(meet({ ...ada, hd: 'evil.test' }, ruled)).rejects.toThrow(/it fits no rule/)
    await expect(meet({ ...ada, hd: 'robots.example' }, ruled)).rejects.toThrow(/is not let in here/)
    expect((await identities())[0]).toMatchObject({ refusal: 'not-for-people', account: { login: 'ada@example.com' } })
  })

  it('is listed with where they come from, and can be stopped', async () => {
    const account = await meet(ada)
    await meet({ sub: 'zoe', email: 'zoe@example.com', email_verified: true })
    const [first, second, ...more] = await listDelegatedUsers(domain(), { first: 10, after: null })
    expect(first).toMatchObject({ ...account, identities: [{ issuer: ISSUER, subject: 'ada-1', emailVerified: true }] })
    expect(second?.login).toBe('zoe@example.com')
    expect(more).toStrictEqual([])
    expect(await listDelegatedUsers(domain(), { first: 10, after: 'ada@example.com' })).toHaveLength(1)
    const changed = await changeDelegatedUser(domain(), account.uuid, 'ARCHIVED')
    expect(changed).toMatchObject({ uuid: account.uuid, status: 'ARCHIVED', name: 'Ada' })
    await expect(meet(ada)).rejects.toThrow(/is not let in here/)
  })

  it('that is of the model is not changed here', async () => {
    const user = await createRecord(domain(), 'users', { email: 'model@example.com' }, [])
    await expect(changeDelegatedUser(domain(), user.uuid, 'ARCHIVED')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
