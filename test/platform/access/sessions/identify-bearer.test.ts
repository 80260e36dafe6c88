import { beforeEach, describe, expect, test } from 'vitest'
import type { AccessContext } from '../../../../src/platform/access/access-context.ts'
import { findAccountByLogin } from '../../../../src/platform/access/accounts/accounts.ts'
import type { Actor } from '../../../../src/platform/access/grants/actor.ts'
import { identifyBearer } from '../../../../src/platform/access/sessions/identify-bearer.ts'
import { createDelegatedMethod, deleteMethod, updateMethod } from '../../../../src/platform/access/methods/methods.ts'
import { createPasswordLink, setPassword } from '../../../../src/platform/access/accounts/password-links.ts'
import { tokenHash } from '../../../../src/platform/access/sessions/token-hash.ts'
import type { JsonObject } from '../../../../src/lib/json.ts'
import { deleteRecord, updateRecord } from '../../../../src/platform/records/change-record.ts'
import { consumeArtifact, deleteArtifact, revokeAccount, revokeGrant } from '../../../../src/store/access/artifacts.ts'
import { writeAccess } from '../../../../src/store/domains.ts'
import { giveToken, makeMachine, type TokenOptions } from '../../../support/access.ts'
import { countingDatabase } from '../../../support/counting-database.ts'
import { applyAll, makeDomain } from '../../../support/domain.ts'
import { storedRecords } from '../../../support/plan-parts.ts'
import { dumpTables } from '../../../support/table-dump.ts'
import { DEFAULT_GRANTS } from '../../../../src/records/types/grant.ts'
import { setGrants } from '../../../support/grants.ts'
import { oneDomain } from '../../one-domain.ts'
import { SAMPLED_DATABASES } from '../../../support/databases.ts'

const ADA = 'ada@example.org'
const MODEL = {
  applicationConsumers: [
    {
      name: 'Portal',
      slug: 'portal',
      secret: 'Zq7-secret-8Kd02mfPq71L',
      grantTypes: ['PASSWORD'],
      scopes: ['openid', 'model:plan'],
    },
  ],
  machineUsers: [{ username: 'gateway', password: 'Zq7-8Kd02mfPq71L-word' }],
  users: [{ email: ADA, name: 'Ada' }],
}

describe.each(SAMPLED_DATABASES)('a bearer token on $name', (kind) => {
  const domain = oneDomain(kind)
  beforeEach(async () => {
    await setGrants(domain(), DEFAULT_GRANTS)
    await applyAll(domain(), MODEL)
  })

  const give = async (login: string, options: TokenOptions = {}) => {
    const account = await findAccountByLogin(domain(), login.includes('@') ? 'person' : 'machine', login)
    if (account === null) throw new Error(`there is no ${login}`)
    return giveToken(domain(), account, options)
  }
  const identify = (token: string): Promise<Actor | null> => identifyBearer(domain(), token)
  const portalId = async () => {
    const [record] = await storedRecords(domain(), ['applicationConsumers'])
    return `portal.${record?.uuid.slice(0, 8)}`
  }
  const changeGateway = (input: JsonObject) => updateRecord(domain(), 'machineUsers', 'gateway', input, [])
  const ofPortal = async () => give('gateway', { clientId: await portalId(), scope: 'openid model:plan' })
  const delegated = () =>
    createDelegatedMethod(domain(), {
      status: 'ACTIVATED',
      configuration: { clientId: 'us-at-them', issuer: 'https://login.example.com' },
    })

  const at = (time: number): AccessContext => ({ ...domain(), now: () => new Date(time) })
  const inDomain = (work: Parameters<typeof writeAccess<void>>[2]) =>
    writeAccess(domain().database, domain().domain.id, work)
  const id = () => domain().domain.id

  /** Whether a token is good before a change, and after it. */
  const goodAround = async (token: string, change: () => Promise<unknown>) => {
    const before = await identify(token)
    await change()
    return [before !== null, (await identify(token)) !== null]
  }

  test('stands for its account, with the rights that its scopes and its roles both give', async () => {
    const actor = await identify(await give(ADA, { scope: 'openid model:plan data:read' }))
    expect(actor).toMatchObject({
      name: ADA,
      scopes: ['openid', 'model:plan', 'data:read'],
      clientId: null,
      account: { kind: 'person' },
    })
    expect(actor?.roles).toStrictEqual([{ role: 'operator', within: null }])
    expect([...(actor?.rights ?? [])].sort()).toStrictEqual(['data:read', 'domain:read', 'self:read'])
    expect((await identify(await give('gateway')))?.account?.login).toBe('gateway')
    expect((await identify(await give(ADA, { scope: null })))?.rights.size).toBe(0)
  })

  test('is looked up by one statement, and by a second one where its rights are not remembered', async () => {
    const [token, another, narrower] = [await ofPortal(), await ofPortal(), await give('gateway')]
    const database = countingDatabase(domain().database)
    const statementsFor = async (one: string) => {
      const before = database.statements.length
      expect(await identifyBearer({ ...domain(), database }, one)).not.toBeNull()
      return database.statements.length - before
    }
    expect([await statementsFor(token), await statementsFor(token), await statementsFor(another)]).toStrictEqual([
      2, 1, 1,
    ])
    expect(await statementsFor(narrower)).toBe(2)
    await inDomain((sql) => deleteArtifact(sql, id(), 'AccessToken', tokenHash(another)))
    expect(await statementsFor(token)).toBe(1)
    // Another right of the domain was changed.
    await updateRecord(domain(), 'users', ADA, { status: 'DEACTIVATED' }, [])
    expect(await statementsFor(token)).toBe(2)
  })

  test.each(['', 'made up', 'x'.repeat(20_000), '\0', 'ünicode', 'undefined'])(
    'that is %j stands for nobody',
    async (token) => {
      expect(await identify(token)).toBeNull()
    },
  )

  test('is no token of another kind, of another domain, or of nobody', async () => {
    for (const kindOfOther of ['RefreshToken', 'AuthorizationCode', 'Session'])
      expect(await identify(await give(ADA, { kind: kindOfOther }))).toBeNull()
    const other = await makeDomain(domain().database, 'other')
    expect(await identify(await giveToken(other, await makeMachine(other, 'operator')))).toBeNull()
    expect(await identifyBearer(other, await give(ADA))).toBeNull()
    expect(await identify(await give(ADA, { accountUuid: null }))).toBeNull()
    expect(await identify(await give(ADA, { accountUuid: crypto.randomUUID() }))).toBeNull()
    const [consumer] = await storedRecords(domain(), ['applicationConsumers'])
    expect(await identify(await give(ADA, { accountUuid: consumer?.uuid ?? null }))).toBeNull()
  })

  test('expires to the moment', async () => {
    const expiresAt = new Date('2030-01-01T00:00:00Z')
    const token = await give(ADA, { expiresAt })
    expect(await identifyBearer(at(expiresAt.getTime() - 1), token)).not.toBeNull()
    expect(await identifyBearer(at(expiresAt.getTime()), token)).toBeNull()
  })

  test('has at most the scopes that its consumer has now', async () => {
    const token = await give('gateway', { clientId: await portalId(), scope: 'openid model:plan model:apply' })
    expect((await identify(token))?.scopes).toStrictEqual(['openid', 'model:plan'])
    await updateRecord(domain(), 'applicationConsumers', 'portal', { scopes: ['openid'] }, [])
    expect((await identify(token))?.scopes).toStrictEqual(['openid'])
  })

  test('leaves nothing in the database that could be used as one', async () => {
    const token = await ofPortal()
    const dump = JSON.stringify(await dumpTables(domain().database))
    for (const spelling of [token, Buffer.from(token).toString('hex'), btoa(token)])
      expect(dump).not.toContain(spelling)
  })

  describe('is refused on the very next request after', () => {
    describe.each(['DEACTIVATED', 'ARCHIVED'] as const)('somebody is %s:', (status) => {
      test.each([
        ['a person, for good', 'users', ADA, () => give(ADA), false],
        ['a machine user, for good', 'machineUsers', 'gateway', () => give('gateway'), false],
        ['the consumer, until it is ACTIVATED', 'applicationConsumers', 'portal', ofPortal, true],
      ] as const)('%s', async (_, type, key, make, isGoodAgain) => {
        const token = await make()
        expect(await goodAround(token, () => updateRecord(domain(), type, key, { status }, []))).toStrictEqual([
          true,
          false,
        ])
        await updateRecord(domain(), type, key, { status: 'ACTIVATED' }, [])
        expect((await identify(token)) !== null).toBe(isGoodAgain)
      })

      test('the authentication method, until it is ACTIVATED', async () => {
        const { uuid } = await delegated()
        const token = await give(ADA, { methodUuid: uuid })
        expect(await goodAround(token, () => updateMethod(domain(), uuid, { status }))).toStrictEqual([true, false])
        await updateMethod(domain(), uuid, { status: 'ACTIVATED' })
        expect(await identify(token)).not.toBeNull()
      })
    })

    test.each([
      ['a person', 'users', ADA, () => give(ADA)],
      ['a machine user', 'machineUsers', 'gateway', () => give('gateway')],
      ['the consumer', 'applicationConsumers', 'portal', ofPortal],
    ] as const)('%s is deleted, and not good for one made anew', async (_, type, key, make) => {
      const token = await make()
      expect(await goodAround(token, () => deleteRecord(domain(), type, key, []))).toStrictEqual([true, false])
      await applyAll(domain(), { [type]: MODEL[type] })
      expect(await identify(token)).toBeNull()
    })

    test('the authentication method is deleted', async () => {
      const { uuid } = await delegated()
      expect(await goodAround(await give(ADA, { methodUuid: uuid }), () => deleteMethod(domain(), uuid))).toStrictEqual(
        [true, false],
      )
    })

    test('another password for its machine user, and only then', async () => {
      const [token, ofAda] = [await give('gateway'), await give(ADA)]
      expect(await goodAround(token, () => changeGateway({ status: 'ACTIVATED' }))).toStrictEqual([true, true])
      expect(await goodAround(token, () => changeGateway({ password: 'Zq7-8Kd02mfPq71L-next' }))).toStrictEqual([
        true,
        false,
      ])
      expect(await identify(ofAda)).not.toBeNull()
    })

    test('a password reset', async () => {
      const { token: link } = await createPasswordLink(domain(), ADA, 'operator')
      expect(
        await goodAround(await give(ADA), () => setPassword(domain(), link, 'correct horse battery')),
      ).toStrictEqual([true, false])
    })

    test('it, its grant or all of its account is revoked, or it is consumed', async () => {
      const [one, ofGrant, ofAccount, used] = [
        await give(ADA),
        await give(ADA, { grantId: 'g' }),
        await give('gateway'),
        await give(ADA),
      ]
      const hash = tokenHash(one)
      expect(
        await goodAround(one, () => inDomain((sql) => deleteArtifact(sql, id(), 'AccessToken', hash))),
      ).toStrictEqual([true, false])
      expect(await goodAround(ofGrant, () => inDomain((sql) => revokeGrant(sql, id(), 'g')))).toStrictEqual([
        true,
        false,
      ])
      expect(
        await goodAround(used, () =>
          inDomain(async (sql) => void (await consumeArtifact(sql, id(), 'AccessToken', tokenHash(used), new Date()))),
        ),
      ).toStrictEqual([true, false])
      const { account } = (await identify(ofAccount)) ?? {}
      expect(
        await goodAround(ofAccount, () => inDomain((sql) => revokeAccount(sql, id(), account?.uuid ?? ''))),
      ).toStrictEqual([true, false])
    })
  })

  test('of a token exchange has the method for its client', async () => {
    const { uuid } = await delegated()
    expect(await identify(await give(ADA, { clientId: 'us-at-them', methodUuid: uuid }))).toMatchObject({
      clientId: 'us-at-them',
    })
    expect(await identify(await give(ADA, { clientId: 'us-at-them' }))).toBeNull()
    expect(await identify(await give(ADA, { clientId: 'somebody-else', methodUuid: uuid }))).toBeNull()
  })

  test('of another provider tells what is wrong with it', async () => {
    const jwt = ['{"alg":"RS256"}', '{"iss":"https://login.example.com"}', 'signature']
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.')
    await expect(identify(jwt)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  })
})
