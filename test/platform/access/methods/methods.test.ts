import { describe, expect, it } from 'vitest'
import {
  createDelegatedMethod,
  deleteMethod,
  findMethod,
  listLoginMethods,
  listMethods,
  methodClientSecret,
  updateMethod,
  type NewDelegatedMethod,
} from '../../../../src/platform/access/methods/methods.ts'
import { SAMPLED_DATABASES } from '../../../support/databases.ts'
import { dumpTables } from '../../../support/table-dump.ts'
import { makeDomain } from '../../../support/domain.ts'
import { oneDomain } from '../../one-domain.ts'

const SECRET = 'client-secret-1TzXq9'

function example(more: Partial<NewDelegatedMethod['configuration']> = {}): NewDelegatedMethod {
  const configuration = { clientId: 'holdfast', issuer: 'https://login.example.com', ...more }
  return { status: 'ACTIVATED', configuration }
}

const google = {
  clientId: 'holdfast',
  issuer: 'https://accounts.google.com',
  rules: [{ name: 'staff', claims: { hd: 'example.com' }, scopes: ['service'] }],
}

describe.each(SAMPLED_DATABASES)('authentication methods on $name', (kind) => {
  const domain = oneDomain(kind)

  it('are the internal one, which every domain has, and it is made once', async () => {
    const lists = await Promise.all(Array.from({ length: 10 }, () => listMethods(domain())))
    const [first] = lists
    expect(first).toMatchObject([{ kind: 'internal', status: 'ACTIVATED' }])
    for (const list of lists) expect(list).toStrictEqual(first)
  })

  it('of OpenID need a clientId and an issuer, and get the rest', async () => {
    const made = await createDelegatedMethod(domain(), example())
    expect(made).toMatchObject({ kind: 'openid-delegated', name: 'login.example.com', hasClientSecret: false })
    expect(await findMethod(domain(), made.uuid)).toStrictEqual(made)
    expect((await listMethods(domain())).map((method) => method.kind)).toStrictEqual(['internal', 'openid-delegated'])
  })

  it('keep their client secret where nobody can read it but the platform', async () => {
    const { uuid } = await createDelegatedMethod(domain(), example({ clientSecret: SECRET }))
    expect(await methodClientSecret(domain(), uuid)).toBe(SECRET)
    const dump = JSON.stringify(await dumpTables(domain().database))
    expect(dump).not.toContain(SECRET)
    expect(dump).not.toContain(Buffer.from(SECRET).toString('hex'))
    expect(JSON.stringify(await listMethods(domain()))).not.toContain(SECRET)
    const other = await makeDomain(domain().database, 'other')
    expect(await methodClientSecret(other, uuid)).toBeNull()
  })

  it('are one for an issuer and an audience', async () => {
    await createDelegatedMethod(domain(), example())
    await expect(createDelegatedMethod(domain(), example())).rejects.toMatchObject({ code: 'CONFLICT' })
    const { uuid } = await createDelegatedMethod(domain(), example({ clientId: 'second' }))
    await expect(updateMethod(domain(), uuid, { configuration: { clientId: 'holdfast' } })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  it('are one, too, where several are made at once', async () => {
    for (const clientId of ['a', 'b', 'c']) {
      const made = Array.from({ length: 4 }, () => createDelegatedMethod(domain(), example({ clientId })))
      const outcomes = (await Promise.allSettled(made)).map(({ status }) => status)
      expect(outcomes.filter((status) => status === 'fulfilled')).toHaveLength(1)
    }
  })

  it('change in what is given, and in nothing else', async () => {
    const made = await createDelegatedMethod(domain(), example({ clientSecret: SECRET, scopes: ['data:read'] }))
    await updateMethod(domain(), made.uuid, { status: 'ARCHIVED' })
    await updateMethod(domain(), made.uuid, { name: 'Company' })
    const changed = await updateMethod(domain(), made.uuid, { configuration: { emailDomains: ['Example.com'] } })
    expect(changed).toStrictEqual({
      ...made,
      status: 'ARCHIVED',
      name: 'Company',
      configuration: { ...made.configuration, emailDomains: ['example.com'] },
    })
    expect(await methodClientSecret(domain(), made.uuid)).toBe(SECRET)
  })

  it('keep by null what has a default that allows more, and forget the domains that they trust', async () => {
    const terms = { scopes: ['openid'], matchesUsers: false, emailDomains: ['example.com'] }
    const made = await createDelegatedMethod(domain(), example(terms))
    const nothing = { scopes: null, matchesUsers: null, emailDomains: null }
    const changed = await updateMethod(domain(), made.uuid, { configuration: nothing })
    expect(changed).toStrictEqual({ ...made, configuration: { ...made.configuration, emailDomains: [] } })
  })

  it('forget a client secret by null, and with another issuer: it is nothing to that one', async () => {
    const { uuid } = await createDelegatedMethod(domain(), example({ clientSecret: SECRET }))
    const moved = await updateMethod(domain(), uuid, { configuration: { issuer: 'https://evil.example' } })
    expect(moved).toMatchObject({ hasClientSecret: false })
    expect(await methodClientSecret(domain(), uuid)).toBeNull()
    await updateMethod(domain(), uuid, { configuration: { clientSecret: SECRET } })
    expect(await methodClientSecret(domain(), uuid)).toBe(SECRET)
    await updateMethod(domain(), uuid, { configuration: { clientSecret: null } })
    expect(await methodClientSecret(domain(), uuid)).toBeNull()
  })

  it('whose rules would let in strangers with rights are not activated: not at first, and not later', async () => {
    const rules = [{ name: 'all', claims: { email_verified: 'true' }, scopes: ['service'] }]
    const open = example({ issuer: google.issuer, rules })
    const refusal = { code: 'BAD_USER_INPUT', message: expect.stringMatching(/"all" would let in strangers/) }
    await expect(createDelegatedMethod(domain(), open)).rejects.toMatchObject(refusal)
    const { uuid } = await createDelegatedMethod(domain(), { ...open, status: 'DEACTIVATED' })
    await expect(updateMethod(domain(), uuid, { status: 'ACTIVATED' })).rejects.toMatchObject(refusal)
    await updateMethod(domain(), uuid, { status: 'ACTIVATED', configuration: { rules: google.rules } })
    await expect(updateMethod(domain(), uuid, { configuration: { rules } })).rejects.toMatchObject(refusal)
  })

  it('of any issuer are activated without rules, as the specification has it', async () => {
    for (const issuer of ['https://accounts.google.com', 'https://gitlab.com', 'https://api.login.yahoo.com'])
      expect((await createDelegatedMethod(domain(), example({ issuer }))).status).toBe('ACTIVATED')
  })

  it('trust one provider: another issuer begins without domains', async () => {
    const { uuid } = await createDelegatedMethod(domain(), example({ emailDomains: ['example.com'] }))
    const moved = await updateMethod(domain(), uuid, { configuration: { issuer: 'https://elsewhere.example' } })
    expect(moved).toMatchObject({ configuration: { emailDomains: [] } })
    const again = { issuer: 'https://login.example.com', emailDomains: ['example.com'] }
    expect(await updateMethod(domain(), uuid, { configuration: again })).toMatchObject({ configuration: again })
    expect(await updateMethod(domain(), uuid, { configuration: { emailDomains: null } })).toMatchObject({
      configuration: { emailDomains: [] },
    })
  })

  it('are shown to people who sign in only where they are ACTIVATED and for people', async () => {
    await createDelegatedMethod(domain(), { ...example(), status: 'DEACTIVATED' })
    await createDelegatedMethod(domain(), { status: 'ACTIVATED', configuration: google })
    await createDelegatedMethod(domain(), {
      status: 'ACTIVATED',
      configuration: {
        clientId: 'https://holdfast.example.com',
        issuer: 'https://token.actions.githubusercontent.com',
        githubActions: {
          repositoryId: '1',
          repositoryOwnerId: '2',
          environment: 'production',
          planMachineUser: 'planner',
          applyMachineUser: 'applier',
        },
      },
    })
    const shown = await listLoginMethods(domain())
    expect(shown.map(({ name }) => name)).toStrictEqual(['User name and password', 'accounts.google.com'])
  })

  it('can be deleted, except the internal one, which can be switched off', async () => {
    const [internal] = await listMethods(domain())
    const { uuid } = await createDelegatedMethod(domain(), example())
    expect(await deleteMethod(domain(), uuid)).toMatchObject({ uuid })
    expect(await findMethod(domain(), uuid)).toBeNull()
    await expect(deleteMethod(domain(), uuid)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(deleteMethod(domain(), internal?.uuid ?? '')).rejects.toThrow(/cannot be deleted; to close it/)
    const off = await updateMethod(domain(), internal?.uuid ?? '', { status: 'DEACTIVATED' })
    expect(off.status).toBe('DEACTIVATED')
    expect(await listLoginMethods(domain())).toStrictEqual([])
    await expect(updateMethod(domain(), off.uuid, { configuration: { clientId: 'x' } })).rejects.toThrow(
      /the internal method has no configuration/,
    )
  })

  it('are refused with everything that is wrong with them', async () => {
    const wrong = {
      status: 'ACTIVATED',
      name: ' ',
      configuration: { clientId: '', issuer: 'nowhere', scopes: ['x'] },
    } as const
    await expect(createDelegatedMethod(domain(), wrong)).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      details: [
        expect.stringMatching(/^name/),
        expect.stringMatching(/^clientId/),
        expect.stringMatching(/^issuer/),
        expect.stringMatching(/^scopes/),
      ],
    })
  })
})
