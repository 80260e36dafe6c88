import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { INT8 } from '../../src/db/columns.ts'
import type { Database } from '../../src/db/sql.ts'
import {
  createDelegatedMethod,
  deleteMethod,
  listMethods,
  updateMethod,
} from '../../src/platform/access/methods/methods.ts'
import { createPasswordLink, setPassword } from '../../src/platform/access/accounts/password-links.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { AUDIENCE } from '../support/company.ts'
import {
  createUser,
  listIdentities,
  startWorld,
  updateUser,
  type ListedIdentity,
  type World,
} from './identities-world.ts'
import { post } from './oidc/application.ts'

// Who comes in from another provider, as whom, and until when: over HTTP, with two servers on one database.

const REFUSED = {
  status: 401,
  detail: 'the token of the other provider is not accepted: its subject may not sign in here',
}
const EXCHANGE = {
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  client_id: AUDIENCE,
  subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
}

describe.each(SAMPLED_DATABASES)('an identity of another provider, on $name', ({ openMigrated }) => {
  let database: Database
  let world: World
  let company: World['company']
  let clock = 0

  beforeAll(async () => {
    database = await openMigrated()
    world = await startWorld(database, () => new Date(Date.now() + clock))
    company = world.company
  })
  beforeEach(async () => {
    clock = 0
    const { access } = world.servers[0]
    for (const { kind, uuid } of await listMethods(access)) if (kind !== 'internal') await deleteMethod(access, uuid)
    await database.script(`delete from external_identities; delete from records where type = 'users';
      delete from platform_records where type = 'users'`)
  })
  afterAll(async () => {
    await world.close()
    await database.close()
  })

  const token = (sub: string, email?: string, more: object = {}) =>
    company.sign({ sub, ...(email !== undefined && { email, email_verified: true }), ...more })

  async function exchange(subjectToken: string): Promise<string> {
    const { body } = await post(world.servers[0].url, '/authenticate/token', {
      ...EXCHANGE,
      subject_token: subjectToken,
    })
    return String(body['access_token'])
  }

  async function find(subject: string): Promise<ListedIdentity | undefined> {
    return (await listIdentities(world)).find((identity) => identity.subject === subject)
  }

  const unbind = async (subject: string) =>
    world.administer<{ unbindIdentity: ListedIdentity }>(
      `mutation ($uuid: ID!) { unbindIdentity(uuid: $uuid) { uuid account { login } } }`,
      { uuid: (await find(subject))?.uuid },
    )

  it('of a squatter never becomes the director who comes into the model with that address', async () => {
    await world.trust({ emailDomains: ['other.example'] })
    const early = await token('squatter', 'ceo@corp.example')
    expect(await world.me(early)).toStrictEqual(['ceo@corp.example', 'ceo@corp.example'])
    const ours = await exchange(early)
    expect(await world.me(ours)).toStrictEqual(['ceo@corp.example', 'ceo@corp.example'])
    const before = await find('squatter')
    // A password that somebody set under this address is not the director's either.
    const { access } = world.servers[0]
    await setPassword(
      access,
      (await createPasswordLink(access, 'ceo@corp.example', 'test')).token,
      'squatters-own-words',
    )
    const again = await exchange(await token('squatter', 'ceo@corp.example'))

    const { createUser: director } = await createUser(world, 'CEO@corp.example')
    expect(director.uuid).not.toBe(before?.account?.uuid)
    for (const gone of [ours, again]) expect(await world.me(gone)).toMatchObject([{ status: 401 }, { status: 401 }])
    expect(await world.me(early)).toStrictEqual([REFUSED, REFUSED])
    expect(await world.meHere(await token('squatter', 'ceo@corp.example'))).toStrictEqual(REFUSED)
    expect(await find('squatter')).toMatchObject({
      email: 'ceo@corp.example',
      account: null,
      refusal: 'ADDRESS_NOT_TRUSTED',
      refusalDetail: expect.stringContaining('emailDomains of The company does not have corp.example'),
    })
    const [leftovers] = await database.read((sql) =>
      sql.query(
        `select (select count(*) from record_secrets where record_uuid = $1::uuid) as passwords,
                (select count(*) from platform_records where type = 'users') as shadows`,
        [director.uuid],
      ),
    )
    expect(leftovers).toStrictEqual({ passwords: 0, shadows: 0 })
  })

  it('is the user of the model where its provider is trusted for the address, while that user is ACTIVATED', async () => {
    await world.trust({ emailDomains: ['corp.example'] })
    await createUser(world, 'ada@corp.example')
    await createUser(world, 'bob@corp.example')
    await createUser(world, 'eve@sub.corp.example')
    await updateUser(world, 'bob@corp.example', 'ARCHIVED')
    const ada = await token('ada', 'Ada@CORP.example')
    expect(await world.me(ada)).toStrictEqual(['ada@corp.example', 'ada@corp.example'])
    expect(await world.meHere(await token('bob', 'bob@corp.example'))).toStrictEqual(REFUSED)
    expect(await world.meHere(await token('eve', 'eve@sub.corp.example'))).toStrictEqual(REFUSED)
    expect(await find('ada')).toMatchObject({ account: { login: 'ada@corp.example', isOfModel: true }, refusal: null })
    expect(await find('bob')).toMatchObject({ account: null, refusal: 'NOT_ACTIVATED' })

    await updateUser(world, 'ada@corp.example', 'DEACTIVATED')
    expect(await world.me(ada)).toMatchObject([{ status: 401 }, { status: 401 }])
    // By its subject it is still her, whatever address it tells now.
    for (const email of [undefined, 'ada@elsewhere.example'])
      expect(await world.meHere(await token('ada', email))).toStrictEqual(REFUSED)
    await updateUser(world, 'ada@corp.example', 'ACTIVATED')
    // Only what the provider issues after that is a new sign-in.
    expect(await world.me(ada)).toMatchObject([{ status: 401 }, { status: 401 }])
    expect(await find('ada')).toMatchObject({ account: { login: 'ada@corp.example' } })
  })

  it('is not let in as that user any more once the provider is not trusted, and again once it is', async () => {
    const { uuid } = await world.trust({ emailDomains: ['corp.example'] })
    await createUser(world, 'ada@corp.example')
    const ada = await token('ada', 'ada@corp.example')
    expect(await world.meHere(ada)).toBe('ada@corp.example')
    const change = (emailDomains: readonly string[]) =>
      updateMethod(world.servers[0].access, uuid, { configuration: { emailDomains } })
    await change(['other.example'])
    expect(await world.me(ada)).toStrictEqual([REFUSED, REFUSED])
    await change(['corp.example'])
    expect(await world.meHere(ada)).toBe('ada@corp.example')
  })

  it('with an address that nobody has verified is nobody of the model, nor carries that address', async () => {
    await world.trust({ emailDomains: ['corp.example'] })
    await createUser(world, 'ada@corp.example')
    for (const email_verified of [false, undefined, 'true', 1]) {
      const me = await world.meHere(await token(`unsure-${email_verified}`, 'ada@corp.example', { email_verified }))
      expect(me).toMatch(/^[0-9a-f]{24}@127\.0\.0\.1\.invalid$/)
    }
    expect(await world.meHere(await token('wide', 'ａｄａ@corp.example'))).toMatch(/\.invalid$/)
  })

  it('becomes the user whose address is verified later, and leaves nothing behind', async () => {
    await world.trust({ emailDomains: ['corp.example'] })
    await createUser(world, 'ada@corp.example')
    const unsure = await token('ada', 'ada@corp.example', { email_verified: false })
    expect(await world.meHere(unsure)).toMatch(/\.invalid$/)
    const ours = await exchange(unsure)
    expect(await world.meHere(await token('ada', 'ada@corp.example'))).toBe('ada@corp.example')
    expect(await world.me(ours)).toMatchObject([{ status: 401 }, { status: 401 }])
    const [{ shadows } = { shadows: -1 }] = await database.read((sql) =>
      sql.rows({ shadows: INT8 }, `select count(*) as shadows from platform_records where type = 'users'`),
    )
    expect(shadows).toBe(0)
  })

  it('of somebody who comes into the model stays theirs where the provider is trusted, tokens and all', async () => {
    await world.trust({ emailDomains: ['corp.example'] })
    const carol = await token('carol', 'carol@corp.example')
    const ours = await exchange(carol)
    const before = await find('carol')
    const { createUser: user } = await createUser(world, 'carol@corp.example')
    expect(user.uuid).toBe(before?.account?.uuid)
    for (const held of [carol, ours])
      expect(await world.me(held)).toStrictEqual(['carol@corp.example', 'carol@corp.example'])
    expect(await find('carol')).toMatchObject({ account: { isOfModel: true } })
  })

  it.each<[string, readonly string[]]>([
    ['of somebody who comes into the model', []],
    ['of somebody who comes into the model by another provider', ['corp.example']],
  ])('%s inherits nothing, and begins anew as that user where the domain is free', async (_, elsewhere) => {
    await world.trust()
    await createDelegatedMethod(world.servers[0].access, {
      status: 'ACTIVATED',
      configuration: { clientId: 'us', issuer: 'https://elsewhere.example', emailDomains: elsewhere },
    })
    const dan = await token('dan', 'dan@corp.example')
    const ours = await exchange(dan)
    const before = await find('dan')
    const { createUser: user } = await createUser(world, 'dan@corp.example')
    expect(user.uuid).not.toBe(before?.account?.uuid)
    expect(await world.me(ours)).toMatchObject([{ status: 401 }, { status: 401 }])
    const isFree = elsewhere.length === 0
    expect(await world.me(dan)).toStrictEqual(Array(2).fill(isFree ? 'dan@corp.example' : REFUSED))
    expect((await find('dan'))?.account?.uuid).toBe(isFree ? user.uuid : undefined)
  })

  it('that has told the address of a user under another name is ended as well', async () => {
    await world.trust({ emailDomains: ['other.example'] })
    // Two people of one address: the second gets another login.
    await world.meHere(await token('first', 'dora@corp.example'))
    const second = await token('second', 'dora@corp.example')
    expect(await world.meHere(second)).toMatch(/\.invalid$/)
    await createUser(world, 'dora@corp.example')
    expect(await world.me(second)).toStrictEqual([REFUSED, REFUSED])
    expect(await find('second')).toMatchObject({ account: null })
  })

  it('is unbound: every token that came in by it is over on every server, also one nobody has seen yet', async () => {
    await world.trust({ emailDomains: ['corp.example'] })
    await createUser(world, 'ada@corp.example')
    const [seen, unseen] = [
      await token('ada', 'ada@corp.example'),
      await token('ada', 'ada@corp.example', { jti: '2' }),
    ]
    const ours = await exchange(seen)
    expect(await world.me(ours)).toStrictEqual(['ada@corp.example', 'ada@corp.example'])
    expect((await unbind('ada')).unbindIdentity.account).toStrictEqual({ login: 'ada@corp.example' })
    for (const over of [ours, seen, unseen])
      expect(await world.me(over)).toMatchObject([{ status: 401 }, { status: 401 }])
    expect(await exchange(seen)).toBe('undefined')
    expect(await find('ada')).toMatchObject({ account: null, refusal: 'UNBOUND' })
    // That it was unbound cannot be forgotten by unbinding it again.
    await unbind('ada')
    expect(await world.meHere(seen)).toMatchObject({ status: 401 })
    clock = 120_000
    expect(await world.meHere(await token('ada', 'ada@corp.example'))).toBe('ada@corp.example')
    expect(await world.meHere(seen)).toMatchObject({ status: 401 })
  })

  it('of a person whom only the provider knows is another person after that, unless they are shut out', async () => {
    await world.trust()
    await world.meHere(await token('zoe', 'zoe@corp.example'))
    const before = (await find('zoe'))?.account?.uuid
    const set = (status: string, uuid = before) =>
      world.administer(
        `mutation ($uuid: ID!, $status: Status!) { updateDelegatedUser(uuid: $uuid, status: $status) { uuid } }`,
        { uuid, status },
      )
    await set('ARCHIVED')
    await expect(unbind('zoe')).rejects.toThrow(/zoe@corp\.example is ARCHIVED/)
    await set('ACTIVATED')
    await unbind('zoe')
    clock = 120_000
    expect(await world.meHere(await token('zoe', 'zoe@corp.example'))).toBe('zoe@corp.example')
    expect((await find('zoe'))?.account?.uuid).not.toBe(before)
  })

  it('is listed of a user, of a method, and of who was refused, page by page', async () => {
    const { uuid: method } = await world.trust({ emailDomains: ['corp.example'] })
    const { createUser: user } = await createUser(world, 'ada@corp.example')
    await createUser(world, 'out@elsewhere.example')
    for (const [sub, email] of [
      ['ada', 'ada@corp.example'],
      ['ada-too', 'ada@corp.example'],
      ['out', 'out@elsewhere.example'],
    ] as const)
      await world.meHere(await token(sub, email))
    const subjects = async (filter: string) => (await listIdentities(world, filter)).map(({ subject }) => subject)
    expect(await subjects('')).toStrictEqual(['out', 'ada-too', 'ada'])
    expect(await subjects(`(account: "${user.uuid}")`)).toStrictEqual(['ada-too', 'ada'])
    expect(await subjects(`(method: "${method}")`)).toHaveLength(3)
    expect(await subjects(`(method: "${crypto.randomUUID()}")`)).toStrictEqual([])
    expect(await subjects('(refused: true)')).toStrictEqual(['out'])
    const [newest] = await listIdentities(world, '(first: 1)')
    expect(await subjects(`(first: 5, after: "${newest?.uuid}")`)).toStrictEqual(['ada-too', 'ada'])
    const { externalIdentities } = await world.administer<{ externalIdentities: { pageInfo: { endCursor: string } } }>(
      '{ externalIdentities(first: 1) { pageInfo { endCursor } } }',
    )
    await unbind('out')
    expect(await subjects('')).toStrictEqual(['ada-too', 'ada'])
    const rest = await subjects(`(after: "${externalIdentities.pageInfo.endCursor}")`)
    expect(rest).toStrictEqual(['ada-too', 'ada'])
  })
})
