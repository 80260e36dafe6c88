import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMigrations, splitStatements } from '../../src/db/read-migrations.ts'
import type { Database } from '../../src/db/sql.ts'
import { SYSTEM } from '../../src/records/entities.ts'
import { selectEntities } from '../../src/store/entities.ts'
import { ANY_DATABASE } from '../support/databases.ts'
import { brokenRules } from '../support/citus-rules.ts'

// The databases of all tests hold the statements of the product to these rules (test/support/held-rules.ts).

it('all migrations keep to the rules for Citus', async () => {
  const migrations = await readMigrations(new URL('../../src/db/migrations/', import.meta.url))
  const found = migrations.flatMap(({ name, text }) =>
    splitStatements(text).flatMap((one) => brokenRules(one).map((rule) => `${name}: ${rule}: ${one.slice(0, 80)}`)),
  )
  expect(found).toStrictEqual([])
})

const PLANTED: readonly (readonly [rule: string, text: string])[] = [
  ['no set_config', `select set_config('holdfast.domain_id', $1, true)`],
  ['no trigger', 'create trigger t before update on events for each row execute function f()'],
  ['no number of a transaction', 'alter table events add column changed_by xid8'],
  ['no number of a transaction', 'select pg_current_snapshot()'],
  ['no subquery in a policy', `create policy p on events using (domain_id = (select current_setting('x')::bigint))`],
  ['one definition in a call', 'create table a (b int); create index on a (b)'],
  ['no volatile function in an update', `update setpoints e set change = nextval('numbers') where e.domain_id = $1`],
  [
    'no volatile function in an update',
    'with a as (select 1) update events set ends_at = clock_timestamp() from a where domain_id = $1 returning 1',
  ],
  [
    'no time in a conflict',
    'insert into access_versions as v (domain_id) values ($1) on conflict (domain_id) do update set version = extract(epoch from now())',
  ],
  ['no subquery in values', 'insert into applies (domain_id, number) values ($1, (select max(number) from applies))'],
  ['what is selected and inserted is returned', 'insert into records (domain_id) select $1 from unnest($2::text[])'],
  [
    'what is selected and inserted is returned',
    'with gone as (delete from series where domain_id = $1 returning id), kept as (insert into lost_series (domain_id, series_id) select $1, id from gone) select id from gone',
  ],
  ['rows are locked within a domain', `select uuid from setpoints where state = 'PENDING' limit 5 for update`],
  ['no join of what is local with what is not', 'select 1 from writer_slots w join series s on s.id = w.slot'],
]

it.each(PLANTED)('%s: %s', (rule, text) => {
  expect(brokenRules(text)).toStrictEqual([rule])
})

it.each([
  `insert into writer_slots (slot) values (nextval('writer_slot_ids')::integer, (select 1)) returning slot`,
  `update writer_slots set heartbeat_at = clock_timestamp() where slot = $1`,
  `insert into records (domain_id) select $1 from unnest($2::text[]) returning 1 as one`,
  `select uuid from setpoints where domain_id = $1 and uuid = any ($2::uuid[]) order by uuid for update`,
  `select 'set_config(' as text -- create trigger`,
])('is fine: %s', (text) => {
  expect(brokenRules(text)).toStrictEqual([])
})

describe('the databases of the tests', () => {
  let database: Database
  beforeAll(async () => {
    database = await ANY_DATABASE.openMigrated()
  })
  afterAll(() => database.close())

  it('fail a statement of the product that breaks a rule, and name both', async () => {
    const rest = 'where e.domain_id = $1 and pg_current_snapshot() is not null'
    const broken = database.read((sql) => selectEntities(sql, SYSTEM, { rest, values: [1] }))
    await expect(broken).rejects.toThrow(
      /would not run on Citus \(no number of a transaction\): select .* from systems e/,
    )
  })

  it('let tests ask what they like', async () => {
    await expect(database.statement('select pg_current_snapshot()::text as at')).resolves.toHaveLength(1)
  })
})
