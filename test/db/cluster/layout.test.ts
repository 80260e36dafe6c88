import { describe, expect, it } from 'vitest'
import { LOCAL_TABLES, planLayout, type Catalog, type CatalogTable } from '../../../src/db/cluster/layout.ts'
import { BOOL, TEXT } from '../../../src/db/columns.ts'
import { POSTGRES } from '../../support/databases.ts'
import { database, useDatabase } from '../../support/one-database.ts'

// Whole statements are run on a real cluster only (cluster.test.ts).

const table = (name: string, more: Partial<CatalogTable> = {}): CatalogTable => ({
  name,
  hasDomain: true,
  placement: 'local',
  references: [],
  hasKey: true,
  bytes: 0,
  ...more,
})
const catalog = (tables: readonly CatalogTable[], more: Partial<Catalog> = {}): Catalog => ({
  database: 'holdfast',
  mayRoleLogIn: true,
  passesSettings: true,
  rolesWithJit: [],
  tables,
  functions: [],
  ...more,
})
const statements = (given: Catalog): readonly string[] => planLayout(given).map(({ statement }) => statement)

const DOMAINS = table('domains', { hasDomain: false })

describe('the layout of a database', () => {
  it('distributes tables with a domain_id beside each other, behind those that their foreign keys name', () => {
    const tables = [
      table('a_component', { references: ['systems', 'records'] }),
      table('systems', { references: ['records'] }),
      DOMAINS,
      table('records'),
      table('writer_slots', { hasDomain: false }),
    ]
    expect(statements(catalog(tables))).toStrictEqual([
      `select create_reference_table('domains')`,
      `select create_distributed_table('records', 'domain_id', colocate_with => 'none')`,
      `select create_distributed_table('systems', 'domain_id', colocate_with => 'records')`,
      `select create_distributed_table('a_component', 'domain_id', colocate_with => 'records')`,
    ])
  })

  it('adds tables of a later migration to those that are distributed', () => {
    const tables = [
      { ...DOMAINS, placement: 'reference' as const },
      table('a_later_one'),
      table('records', { placement: 'distributed' }),
    ]
    expect(statements(catalog(tables))).toStrictEqual([
      `select create_distributed_table('a_later_one', 'domain_id', colocate_with => 'records')`,
    ])
  })

  it('runs functions of a domain on its node, and gives all others to every node', () => {
    const records = table('records', { placement: 'distributed' })
    const functions = [
      { signature: 'find_token(bigint,bytea)', ofDomain: true, placement: 'everywhere' as const },
      { signature: 'find_signer(bigint,uuid)', ofDomain: true, placement: 'distributed' as const },
      { signature: 'find_by_metadata(text,jsonb,integer)', ofDomain: false, placement: 'local' as const },
      { signature: 'store_flush(integer)', ofDomain: false, placement: 'everywhere' as const },
    ]
    expect(statements(catalog([records], { functions }))).toStrictEqual([
      `select create_distributed_function('find_token(bigint,bytea)', 'of_domain', colocate_with => 'records')`,
      `select create_distributed_function('find_by_metadata(text,jsonb,integer)')`,
    ])
  })

  it('frees what the coordinator kept of a distributed table, and nothing of a local one', () => {
    const tables = [
      table('records', { placement: 'distributed', bytes: 8_192 }),
      table('datapoints_hot', { bytes: 8_192 }),
      table('events', { placement: 'distributed' }),
    ]
    expect(statements(catalog(tables))).toStrictEqual([
      `select truncate_local_data_after_distributing_table('records')`,
    ])
  })

  it('first lets the role of domains log in, and transactions pass their settings; JIT is switched off last', () => {
    const given = catalog([table('records', { placement: 'distributed' }), table('roles')], {
      mayRoleLogIn: false,
      passesSettings: false,
      rolesWithJit: ['holdfast_domain'],
    })
    expect(statements(given)).toStrictEqual([
      'alter role holdfast_domain login',
      `alter database holdfast set citus.propagate_set_commands = 'local'`,
      `select create_distributed_table('roles', 'domain_id', colocate_with => 'records')`,
      'alter role holdfast_domain in database holdfast set jit = off',
    ])
  })

  it('needs no steps before the first migration', () => {
    expect(statements(catalog([], { mayRoleLogIn: false }))).toStrictEqual([])
  })

  it('refuses foreign keys in a circle', () => {
    const tables = [table('a', { references: ['b'] }), table('b', { references: ['a'] })]
    expect(() => planLayout(catalog(tables))).toThrow('Foreign keys form a circle: a, b')
  })
})

describe('the tables of Holdfast', () => {
  useDatabase(POSTGRES)

  it('have a domain_id, or are declared to stay on the coordinator', async () => {
    const shape = { name: TEXT, hasDomain: BOOL }
    const tables = await database.rows(
      shape,
      `select c.relname::text as name, exists (select from pg_attribute a
         where a.attrelid = c.oid and a.attname = 'domain_id' and not a.attisdropped) as "hasDomain"
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
    )
    const undecided = tables.filter(
      ({ name, hasDomain }) => !hasDomain && name !== 'domains' && !(name in LOCAL_TABLES),
    )
    expect(undecided).toStrictEqual([])
    const names = tables.map(({ name }) => name)
    expect(Object.keys(LOCAL_TABLES).filter((name) => !names.includes(name))).toStrictEqual([])
  })

  it('have a primary key if they are distributed, so that domains can move while they send', async () => {
    const keyless = await database.rows(
      { name: TEXT },
      `select c.relname::text as name from pg_class c where c.relnamespace = 'public'::regnamespace
         and c.relkind in ('r', 'p') and not c.relispartition
         and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)`,
    )
    expect(keyless.filter(({ name }) => !(name in LOCAL_TABLES))).toStrictEqual([])
  })
})
