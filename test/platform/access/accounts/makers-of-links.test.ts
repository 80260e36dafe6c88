import { beforeEach, describe, expect, it } from 'vitest'
import { ruleDigest } from '../../../../src/auth/token-rules.ts'
import {
  createPasswordLink,
  listPasswordLinks,
  readPasswordLink,
  revokePasswordLink,
  setPassword,
} from '../../../../src/platform/access/accounts/password-links.ts'
import { authorityOf } from '../../../../src/platform/access/grants/authority.ts'
import { createDelegatedMethod, updateMethod } from '../../../../src/platform/access/methods/methods.ts'
import type { Actor } from '../../../../src/platform/access/grants/actor.ts'
import { identifyBearer } from '../../../../src/platform/access/sessions/identify-bearer.ts'
import { signOutByToken } from '../../../../src/platform/access/sessions/sessions.ts'
import { createRecord, deleteRecord, updateRecord } from '../../../../src/platform/records/change-record.ts'
import { giveToken, makeMachine, type TokenOptions } from '../../../support/access.ts'
import { countingDatabase } from '../../../support/counting-database.ts'
import { setGrants } from '../../../support/grants.ts'
import { oneDomain } from '../../one-domain.ts'

// A link for a password is a right that its maker has lent, so it ends with the right.

const domain = oneDomain()
const BOSS = 'boss@example.com'
const PASSWORD = 'correct horse battery'

beforeEach(() => createRecord(domain(), 'users', { email: BOSS }, []))

/** A link of an administrator who came in with such a token. */
async function linkBy(uuid: string, options: TokenOptions = {}) {
  const token = await giveToken(domain(), { uuid }, options)
  const actor = await identifyBearer(domain(), token)
  if (actor === null) throw new Error('the token is not good')
  const link = await createPasswordLink(domain(), BOSS, actor.name, authorityOf(actor))
  return { token, link: link.token }
}

const counts = async (link: string) => (await readPasswordLink(domain(), link))?.login === BOSS

describe('a link for a password counts as long as its maker may make one', () => {
  let maker: string
  beforeEach(async () => {
    maker = (await makeMachine(domain(), 'adm')).uuid
    await makeMachine(domain(), 'other')
    await setGrants(
      domain(),
      ['adm', 'other'].map((machineUser) => ({ role: 'administrator', machineUser })),
    )
  })

  it.each([
    ['loses the grant', () => setGrants(domain(), [])],
    ['is DEACTIVATED', () => updateRecord(domain(), 'machineUsers', 'adm', { status: 'DEACTIVATED' }, [])],
    [
      'is deleted',
      async () => {
        await setGrants(domain(), [])
        await deleteRecord(domain(), 'machineUsers', 'adm', [])
      },
    ],
  ])('who %s', async (_, end) => {
    const { link } = await linkBy(maker)
    expect(await counts(link)).toBe(true)
    await end()
    expect(await counts(link)).toBe(false)
    expect(await setPassword(domain(), link, PASSWORD)).toBeNull()
    expect(await listPasswordLinks(domain())).toStrictEqual([])
  })

  it('and has come in by a method whose rule still gives it', async () => {
    const rule = { name: 'job', claims: { sub: 'job' }, machineUser: 'adm', scopes: ['access:admin'] }
    const { uuid } = await createDelegatedMethod(domain(), {
      status: 'ACTIVATED',
      configuration: { clientId: 'us', issuer: 'https://login.example.com', rules: [rule] },
    })
    const payload = { rule: ruleDigest(rule) }
    const { link } = await linkBy(maker, { methodUuid: uuid, payload, scope: 'access:admin' })
    expect(await counts(link)).toBe(true)
    await updateMethod(domain(), uuid, { status: 'DEACTIVATED' })
    expect(await counts(link)).toBe(false)
  })

  it('also after they have signed out', async () => {
    const { token, link } = await linkBy(maker)
    await signOutByToken(domain(), token)
    expect(await counts(link)).toBe(true)
  })
})

it('a link that is listed can be revoked, once', async () => {
  const { token } = await createPasswordLink(domain(), BOSS, 'tester')
  const [open, ...others] = await listPasswordLinks(domain())
  expect([open?.account.login, open?.createdBy, others]).toStrictEqual([BOSS, 'tester', []])
  const uuid = open?.account.uuid ?? ''
  await revokePasswordLink(domain(), uuid)
  expect(await counts(token)).toBe(false)
  expect(await listPasswordLinks(domain(), uuid)).toStrictEqual([])
  await expect(revokePasswordLink(domain(), uuid)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('the list of links asks for the rights of each maker once', async () => {
  await setGrants(
    domain(),
    ['adm', 'other'].map((machineUser) => ({ role: 'administrator', machineUser })),
  )
  const makers: (Actor | null)[] = []
  for (const name of ['adm', 'other']) {
    const token = await giveToken(domain(), await makeMachine(domain(), name))
    makers.push(await identifyBearer(domain(), token))
  }
  const list = async (people: number) => {
    for (let person = 0; person < people; person += 1) {
      const email = `${people}-${person}@example.com`
      await createRecord(domain(), 'users', { email }, [])
      const actor = makers[person % 2]
      await createPasswordLink(domain(), email, 'maker', actor ? authorityOf(actor) : null)
    }
    const database = countingDatabase(domain().database)
    const links = await listPasswordLinks({ ...domain(), database })
    return { links: links.length, statements: database.statements.length }
  }
  const few = await list(2)
  expect(await list(20)).toEqual({ links: 22, statements: few.statements })
})
