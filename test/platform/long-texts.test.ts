import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { AnswerBudget } from '../../src/platform/answer-budget.ts'
import { listApplies } from '../../src/platform/imports/history/applies.ts'
import { createRecord } from '../../src/platform/records/change-record.ts'
import { findRecord, listRecords } from '../../src/platform/records/read-records.ts'
import { NO_SETTINGS } from '../../src/records/settings.ts'
import { writeDomain } from '../../src/store/domains.ts'
import { applyAll, plan } from '../support/domain.ts'
import { oneDomain } from './one-domain.ts'

const domain = oneDomain()
const ANYWHERE = { systemUuid: null, units: null }
const PAGE = { first: 1_000, after: null, filter: {}, order: { by: 'KEY', direction: 'ASC' } } as const

/** Stores services with long names, as older releases took them. */
async function storeLong(count: number, characters: number): Promise<void> {
  const { database, domain: to } = domain()
  await writeDomain(database, to.id, (sql) =>
    sql.query(
      `insert into records (domain_id, type, key, uuid, body, digest, created_at, updated_at)
       select $1, 'services', 's' || n, gen_random_uuid(),
         jsonb_build_object('code', 's' || n, 'name', repeat('x', $2::integer), 'status', 'ACTIVATED'),
         'sha256:' || repeat('0', 64), now(), now()
       from generate_series(1, $3::integer) n returning 1 as one`,
      [to.id, characters, count],
    ),
  )
}

test('a page of long records is refused before it is read, and a smaller one is read', async () => {
  await storeLong(8, 5_000_000)
  const context = { ...domain(), budget: new AnswerBudget() }
  const list = (first: number) => listRecords(context, ANYWHERE, 'services', { ...PAGE, first })
  await expect(list(1_000)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
  const { items } = await list(2)
  expect(items.map(({ body }) => String(body['name']).length)).toEqual([5_000_000, 5_000_000])
  // Both pages of one request share its budget.
  await expect(list(3)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
})

const options = (label: string) => Array.from({ length: 2_000 }, (_, key) => ({ key: `k${key}`, label }))

const choice = (label: string) => ({
  characteristics: [
    { code: 'c', name: 'C', characteristicType: 'SETTING', dataType: 'SELECT', options: options(label) },
  ],
})

test('a document with a long text or a large record is refused with its place', async () => {
  const context = domain()
  const longName = {
    services: [
      { code: 'a', name: 'A' },
      { code: 'b', name: 'x'.repeat(70_000) },
    ],
  }
  await expect(plan(context, longName, NO_SETTINGS)).rejects.toMatchObject({
    details: [{ code: 'text-too-long', pointer: '/services/1/name' }],
  })
  await expect(plan(context, choice('x'.repeat(600)), NO_SETTINGS)).rejects.toMatchObject({
    details: [{ code: 'record-too-large', pointer: '/characteristics/0' }],
  })
  expect((await plan(context, choice('x'.repeat(200)), NO_SETTINGS)).summary.create).toBe(1)
  await expect(createRecord(context, 'services', { code: 'b', name: 'x'.repeat(70_000) }, [])).rejects.toThrow('70000')
  expect(await findRecord(context, ANYWHERE, 'services', 'b')).toBeNull()
})

test('a node whose whole key is longer than an index holds is refused with its place', async () => {
  const below = (levels: number): object[] =>
    levels === 0 ? [] : [{ name: `${levels}${randomBytes(240).toString('hex')}`, directChildren: below(levels - 1) }]
  const tree = (levels: number) => ({ organizations: [{ name: 'a', organizationUnits: below(levels) }] })
  await expect(applyAll(domain(), tree(6))).rejects.toMatchObject({
    details: [
      { code: 'key-too-long', pointer: `/organizations/0/organizationUnits/0${'/directChildren/0'.repeat(5)}` },
    ],
  })
  expect((await applyAll(domain(), tree(5))).summary).toMatchObject({ create: 6 })
})

test('the migration shortens long origins and keeps the others', async () => {
  const context = domain()
  await applyAll(context, { services: [{ code: 'a', name: 'A' }] })
  const uuid = '6f1c3f0e-4a53-4c8e-9c52-1f6f0d1a2b3c'
  const origin = { pullRequest: 'ä'.repeat(1_000_000), rollbackOf: uuid }
  await writeDomain(context.database, context.domain.id, (sql) =>
    sql.query(
      `insert into applies (domain_id, uuid, applied_at, actor, origin, plan_digest, summary, scope, managed_before, number)
       select domain_id, gen_random_uuid(), applied_at, actor, $2::jsonb, plan_digest, summary, scope, managed_before, number + 1
       from applies where domain_id = $1 returning 1 as one`,
      [context.domain.id, JSON.stringify(origin)],
    ),
  )
  const [kept] = (await listApplies(context, 9, null)).slice(1)
  await context.database.statement(await readFile('src/db/migrations/0029-short-origins.sql', 'utf8'))
  const [long, other] = await listApplies(context, 9, null)
  expect(long?.origin).toEqual({ pullRequest: 'ä'.repeat(500), rollbackOf: uuid })
  expect(other).toEqual(kept)
})
