import { expect, it } from 'vitest'
import { INT8 } from '../../src/db/columns.ts'
import { deleteMethod, type DelegatedMethod } from '../../src/platform/access/methods/methods.ts'
import { AUDIENCE } from '../support/company.ts'
import { POSTGRES } from '../support/databases.ts'
import { createUser, listIdentities } from './identities-world.ts'
import { post } from './oidc/application.ts'
import { runsOf } from '../support/runs.ts'
import { database, useWorld, world } from './one-world.ts'

// Two servers, and everything at once. RACE_RUNS=200 looks harder.

const ROUNDS = runsOf('RACE_RUNS', { sample: 2, long: 4 })

let method: DelegatedMethod | undefined

useWorld(POSTGRES)

async function trust(emailDomains: readonly string[]): Promise<void> {
  if (method !== undefined) await deleteMethod(world.servers[0].access, method.uuid)
  method = await world.trust({ emailDomains })
}

function tokens(sub: string, count: number): Promise<readonly string[]> {
  const claims = { sub, email: `${sub}@corp.example`, email_verified: true }
  return Promise.all(Array.from({ length: count }, (_, jti) => world.company.sign({ ...claims, jti: String(jti) })))
}

/** The token that a server gives for this one; null if it gives none. */
async function exchange(subjectToken: string, server: 0 | 1): Promise<string | null> {
  const { status, body } = await post(world.servers[server].url, '/authenticate/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    client_id: AUDIENCE,
    subject_token: subjectToken,
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
  })
  expect(status).toBeLessThan(500)
  return typeof body['access_token'] === 'string' ? body['access_token'] : null
}

async function statusesOf(held: readonly (string | null)[]): Promise<readonly (string | number)[]> {
  const answers = await Promise.all(held.flatMap((token) => (token === null ? [] : [world.me(token)])))
  return [...new Set(answers.flat().map((me) => (typeof me === 'string' ? me : me.status)))]
}

it('first sign-ins at once are of one person', async () => {
  await trust([])
  for (let round = 0; round < ROUNDS; round += 1) {
    const held = await tokens(`new-${round}`, 6)
    expect(await statusesOf(held)).toStrictEqual([`new-${round}@corp.example`])
  }
  const [{ people } = { people: -1 }] = await database.read((sql) =>
    sql.rows({ people: INT8 }, `select count(*) as people from platform_records where type = 'users'`),
  )
  expect(people).toBe(ROUNDS)
})

it('a user who comes into the model meanwhile inherits nothing', async () => {
  await trust(['other.example'])
  for (let round = 0; round < ROUNDS; round += 1) {
    const sub = `squatter-${round}`
    const held = await tokens(sub, 5)
    const [one = '', two = '', ...others] = held
    if (round % 2 === 0) await exchange(one, 0)
    const [ours, theirs, { createUser: user }] = await Promise.all([
      exchange(one, 0),
      exchange(two, 1),
      createUser(world, `${sub}@corp.example`),
      ...others.map((token) => world.me(token)),
    ])
    expect(await statusesOf([...held, ours, theirs])).toStrictEqual([401])
    expect(await listIdentities(world, `(account: "${user.uuid}")`)).toStrictEqual([])
  }
})

it.each([
  ['trusted for the domain', ['corp.example']],
  ['trusted by clientId and issuer alone', []],
])('a user who comes into the model meanwhile is the one who signs in by a provider that is %s', async (_, domains) => {
  await trust(domains)
  for (let round = 0; round < ROUNDS; round += 1) {
    const sub = `employee-${domains.length}-${round}`
    const held = await tokens(sub, 4)
    const [{ createUser: user }] = await Promise.all([
      createUser(world, `${sub}@corp.example`),
      ...held.map((token) => world.me(token)),
    ])
    expect(await statusesOf(held)).toStrictEqual([`${sub}@corp.example`])
    const [identity] = await listIdentities(world, '(first: 1)')
    expect(identity).toMatchObject({ subject: sub, account: { uuid: user.uuid, isOfModel: true } })
  }
})

it('nothing that is under way outlives an identity that is unbound', async () => {
  await trust([])
  for (let round = 0; round < ROUNDS; round += 1) {
    const sub = `leaver-${round}`
    const held = await tokens(sub, 6)
    const [first = '', ...others] = held
    await world.meHere(first)
    const [identity] = await listIdentities(world, '(first: 1)')
    const [exchanged] = await Promise.all([
      Promise.all(others.slice(0, 3).map((token, index) => exchange(token, index % 2 === 0 ? 0 : 1))),
      world.administer(`mutation ($uuid: ID!) { unbindIdentity(uuid: $uuid) { uuid } }`, { uuid: identity?.uuid }),
      ...others.slice(3).map((token) => world.me(token)),
    ])
    expect(await statusesOf([...held, ...exchanged])).toStrictEqual([401])
  }
})
