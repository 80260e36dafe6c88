import { beforeEach, describe, expect, it } from 'vitest'
import type { Claims } from '../../../../../src/auth/token-rules.ts'
import { createRecord } from '../../../../../src/platform/records/change-record.ts'
import {
  changeDelegatedUser,
  listDelegatedUsers,
} from '../../../../../src/platform/access/delegated/delegated-users.ts'
import { personOfIdentity } from '../../../../../src/platform/access/delegated/identity/external-identity.ts'
import { listIdentities, unbindIdentity } from '../../../../../src/platform/access/delegated/identity/identities.ts'
import {
  createDelegatedMethod,
  deleteMethod,
  type DelegatedMethod,
} from '../../../../../src/platform/access/methods/methods.ts'
import type { Status } from '../../../../../src/platform/access/accounts/status.ts'
import { itemsOf } from '../../../../../src/platform/paging.ts'
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

  const makeAda = () => createRecord(domain(), 'users', { email: 'ada@example.com', name: 'Ada of the model' }, [])

  it('is the user of the model with their verified address, as the specification has it', async () => {
    const user = await makeAda()
    expect(await meet(ada)).toMatchObject({ uuid: user.uuid, name: 'Ada of the model' })
    expect(await meet({ sub: 'ada-1' })).toMatchObject({ uuid: user.uuid })
    expect((await meet({ ...ada, sub: 'unsure', email_verified: false })).uuid).not.toBe(user.uuid)
  })

  const trustCompany = (status: Status) =>
    createDelegatedMethod(domain(), {
      status,
      name: 'Company',
      configuration: { clientId: 'us', issuer: 'https://company.example.com', emailDomains: ['example.com'] },
    })

  it.each<[string, () => Promise<DelegatedMethod>, RegExp]>([
    ...(['ACTIVATED', 'DEACTIVATED', 'ARCHIVED'] as const).map(
      (status): [string, () => Promise<DelegatedMethod>, RegExp] => [
        `another method that is ${status} has their domain in emailDomains`,
        () => trustCompany(status).then(() => method),
        /, and emailDomains of Company has it$/,
      ],
    ),
    [
      'they are bound to another provider',
      async () => {
        await meet({ ...ada, sub: 'elsewhere' }, await trust(domain(), 'https://other.example.com'))
        return method
      },
      /, and the user is bound to https:\/\/other\.example\.com \(unbindIdentity\)$/,
    ],
    ['the method has emailDomains without theirs', () => trustOther(['other.example']), /does not have example\.com$/],
    ['the method is of an earlier release', () => trustOther([], { matchesUsers: false }), /matchesUsers is false$/],
    [
      'the issuer signs for strangers, and no rule limits it',
      () => trust(domain(), 'https://accounts.google.com'),
      /signs tokens for everybody with a Google account, so rules must say who is let in$/,
    ],
  ])('is neither the user of the model nor another one beside where %s', async (_, prepare, detail) => {
    await makeAda()
    await expect(meet(ada, await prepare())).rejects.toThrow(/its subject may not sign in here$/)
    expect(await listDelegatedUsers(domain(), { first: 10, after: null })).toStrictEqual([])
    const [refused] = await identities()
    expect(refused).toMatchObject({
      subject: 'ada-1',
      email: 'ada@example.com',
      emailVerified: true,
      account: null,
      refusal: 'address-not-trusted',
      refusalDetail: expect.stringMatching(detail),
    })
    expect(refused?.refusalDetail).toMatch(
      /^it is for ada@example\.com, .* emailDomains of .* does not have example\.com/,
    )
  })

  const trustOther = (emailDomains: readonly string[], more: object = {}) =>
    trust(domain(), 'https://third.example.com', { emailDomains, ...more })

  it('is the user of the model by an issuer for strangers whose rules pin the tenant', async () => {
    const user = await makeAda()
    const rules = [{ name: 'staff', claims: { hd: 'example.com' }, scopes: ['service'] }]
    const google = await trust(domain(), 'https://accounts.google.com', { rules })
    expect(await meet({ ...ada, hd: 'example.com' }, google)).toMatchObject({ uuid: user.uuid })
  })

  it('is bound to one provider, however many claim the address of a user at once', async () => {
    const user = await makeAda()
    const methods = await Promise.all(
      Array.from({ length: 6 }, (_one, index) => trust(domain(), `https://claims-${index}.example.com`)),
    )
    const met = await Promise.allSettled(methods.flatMap((one) => [meet(ada, one), meet(ada, one)]))
    const won = met.filter((one) => one.status === 'fulfilled')
    expect(won.map(({ value }) => value.uuid)).toStrictEqual([user.uuid, user.uuid])
    expect((await identities()).filter(({ account }) => account !== null)).toHaveLength(1)
  })

  it('is looked at again on each sign-in, when another method names the domain or no longer does', async () => {
    const user = await makeAda()
    expect((await meet(ada)).uuid).toBe(user.uuid)
    const company = await trustCompany('ACTIVATED')
    for (const claims of [{ sub: 'ada-1' }, ada]) await expect(meet(claims)).rejects.toThrow(/may not sign in here/)
    expect(await meet({ ...ada, sub: 'employee' }, company)).toMatchObject({ uuid: user.uuid })
    await deleteMethod(domain(), company.uuid)
    // Who is bound to the company stays so, until an administrator unbinds them.
    await expect(meet(ada)).rejects.toThrow(/may not sign in here/)
    const bound = (await identities()).find(({ subject }) => subject === 'employee')
    await unbindIdentity(domain(), bound?.uuid ?? '')
    expect(await meet(ada)).toMatchObject({ uuid: user.uuid })
  })

  it('stays bound by the method that is trusted when they come by another one of the same provider', async () => {
    const user = await makeAda()
    const trusting = await createDelegatedMethod(domain(), {
      status: 'ACTIVATED',
      configuration: { clientId: 'trusted', issuer: ISSUER, emailDomains: ['example.com'] },
    })
    expect(await meet(ada, trusting)).toMatchObject({ uuid: user.uuid })
    await expect(meet(ada)).rejects.toThrow(/may not sign in here/)
    expect((await identities())[0]).toMatchObject({ account: { uuid: user.uuid } })
  })

  it.each<[string, object, object]>([
    ['is trusted with other domains', { emailDomains: ['example.com'] }, { emailDomains: ['other.example'] }],
    ['matches no users', { emailDomains: ['example.com'] }, { matchesUsers: false }],
    ['is trusted with other domains, beside one for all', {}, { emailDomains: ['other.example'] }],
  ])('stays bound, too, when the other method %s', async (_, trusted, other) => {
    const user = await makeAda()
    const trusting = await trust(domain(), 'https://company.example.com', { clientId: 'trusted', ...trusted })
    const refusing = await trust(domain(), 'https://company.example.com', { clientId: 'other', ...other })
    expect(await meet(ada, trusting)).toMatchObject({ uuid: user.uuid })
    await expect(meet(ada, refusing)).rejects.toThrow(/may not sign in here/)
    await expect(meet(ada, refusing)).rejects.toThrow(/may not sign in here/)
    expect((await identities())[0]).toMatchObject({ account: { uuid: user.uuid } })
  })

  it('is refused without their address, too, once it was that of a user who is not ACTIVATED', async () => {
    await createRecord(domain(), 'users', { email: 'ada@example.com', status: 'DEACTIVATED' }, [])
    await meet({ ...ada, email: 'ada@private.example' })
    for (const claims of [ada, { sub: 'ada-1' }, { ...ada, email_verified: false }])
      await expect(meet(claims)).rejects.toThrow(/may not sign in here/)
    expect(await listDelegatedUsers(domain(), { first: 10, after: null })).toStrictEqual([])
  })

  it.each<[string, object, boolean]>([
    ['owns its domain', { xms_edov: true }, true],
    ['owns its domain, in the other spelling', { xms_edov: '1' }, true],
    ['does not own its domain', { xms_edov: false }, false],
    ['says nothing of its domain', {}, false],
    ['denies that it is verified', { xms_edov: true, email_verified: false }, false],
  ])('has a verified address of Microsoft Entra where the tenant %s', async (_, claims, isVerified) => {
    const tenant = 'https://login.microsoftonline.com/0f8fad5b-d9cb-469f-a165-70867728950e/v2.0'
    const { email_verified: _verified, ...told } = ada
    const met = await meet({ ...told, ...claims }, await trust(domain(), tenant))
    expect(met.login === 'ada@example.com').toBe(isVerified)
    const elsewhere = await meet({ ...told, sub: 'other', xms_edov: true })
    expect(elsewhere.login).toMatch(/\.invalid$/)
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
    await expect(meet({ ...ada, hd: 'robots.example' }, ruled)).rejects.toThrow(/may not sign in here/)
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
    await expect(meet(ada)).rejects.toThrow(/may not sign in here/)
  })

  it('that is of the model is not changed here', async () => {
    const user = await createRecord(domain(), 'users', { email: 'model@example.com' }, [])
    await expect(changeDelegatedUser(domain(), user.uuid, 'ARCHIVED')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
