import { beforeEach, expect, it } from 'vitest'
import { INT8 } from '../../src/db/columns.ts'
import { deleteMethod, type DelegatedMethod } from '../../src/platform/access/methods/methods.ts'
import { sweepExpired } from '../../src/platform/access/sessions/sweep.ts'
import { AUDIENCE } from '../support/company.ts'
import { ask, listIdentities } from './identities-world.ts'
import { database, useWorld, world } from './one-world.ts'

// A token of another provider that is refused: with 401, and with what its holder may know. The rest is for administrators.

const SECONDS = Math.floor(Date.now() / 1_000)
const DAY = 86_400_000
const RULE = { name: 'the board of directors', claims: { group: 'board' }, scopes: ['data:read'] }

let method: DelegatedMethod

useWorld()
beforeEach(async () => {
  method = await world.trust({ rules: [RULE] })
  return async () => {
    await deleteMethod(world.servers[0].access, method.uuid)
    await database.script('delete from external_identities')
  }
})

it.each<[string, () => Promise<string> | string, RegExp]>([
  ['of another client', () => world.company.sign({ azp: 'another' }), /given to another client \(azp\)$/],
  ['from the future', () => world.company.sign({ iat: SECONDS + 120 }), /in the future \(iat\)/],
  [
    'from before all time',
    () => world.company.sign({ iat: -1e300, group: 'board' }),
    /its iat is not within the years/,
  ],
  [
    'without end',
    () => world.company.sign({ exp: 9e15, group: 'board' }),
    /its exp is not within the years 1970 to 9999/,
  ],
  ['for after all time', () => world.company.sign({ nbf: 9e15 }), /it is valid only in .* \(nbf\)/],
  [
    'signed in for before all time',
    () => world.company.sign({ auth_time: -1e18, group: 'board' }),
    /its auth_time is not/,
  ],
  ['for somebody else', () => world.company.sign({ aud: 'another' }), /for another audience \(aud\)$/],
  ['signed with a key that can be broken', () => world.company.signWeakly(), /is too weak: 1024 bits$/],
  ['that fits no rule', () => world.company.sign(), /it fits no rule of its authentication method$/],
])('one %s', async (_, make, reason) => {
  const { status, json } = await ask(world.servers[0], await make(), '{ me { login } }')
  expect(status).toBe(401)
  expect(json['detail']).toMatch(reason)
  expect(JSON.stringify(json)).not.toMatch(/board|directors|holdfast-at-the-company/)
})

it('one of this client, and a minute ahead, is taken', async () => {
  const token = await world.company.sign({ group: 'board', azp: AUDIENCE, iat: Math.floor(Date.now() / 1_000) + 50 })
  expect(await world.meHere(token)).toMatch(/\.invalid$/)
})

it('administrators are told which rule it does not fit, and the log has what nobody is told', async () => {
  await world.meHere(await world.company.sign({ email: 'someone@corp.example' }))
  expect(await listIdentities(world, '(refused: true)')).toMatchObject([
    {
      subject: 'employee-7',
      email: 'someone@corp.example',
      account: null,
      refusal: 'NO_RULE_FITS',
      refusalDetail: '"the board of directors" wants another group than none',
    },
  ])
  await world.meHere(await world.company.sign({ aud: 'another' }))
  expect(world.servers[0].log.join('\n')).toContain('holdfast-at-the-company is needed')
})

it('of those who were refused the newest thousand are kept, for thirty days', async () => {
  const { domain } = world.servers[0].access
  await database.script(`insert into external_identities
      (domain_id, issuer, subject, method_uuid, created_at, last_seen_at, refusal)
    select ${domain.id}, 'https://old.example', 'stranger-' || n, '${method.uuid}', now(), now() - n * interval '1 hour',
      'no-rule-fits' from generate_series(1, 1100) n`)
  await world.meHere(await world.company.sign())
  expect(await count()).toBe(1_000)
  expect((await listIdentities(world, '(first: 1)'))[0]).toMatchObject({ subject: 'employee-7' })
  await sweepExpired(database, new Date())
  expect(await count()).toBe(720)
  await sweepExpired(database, new Date(Date.now() + 31 * DAY))
  expect(await count()).toBe(0)
})

async function count(): Promise<number> {
  const [row] = await database.read((sql) =>
    sql.rows({ count: INT8 }, 'select count(*) as count from external_identities'),
  )
  return row?.count ?? -1
}
