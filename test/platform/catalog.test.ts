import { describe, expect, it } from 'vitest'
import { TEXT } from '../../src/db/columns.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { database, useDatabase } from '../support/one-database.ts'

// The schema is ready to be distributed by its leading key when one database is not enough (docs: growing beyond one
// machine). Each test lists the breaches.

/** Not of any one domain; what arrives is written without a key (0010-arrivals.sql). */
const SHARED = [
  'domains',
  'schema_migrations',
  'writer_slots',
  'arrival_lanes',
  'datapoints_hot',
  'datapoints_hot_damaged',
  'domains_of_buffers',
]
const OF_DOMAINS = `c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and c.relname <> all ('{${SHARED.join(',')}}')`

const list = async (statement: string): Promise<string[]> => {
  const rows = await database.read((sql) => sql.rows({ breach: TEXT }, statement))
  return rows.map(({ breach }) => breach)
}

describe.each(SAMPLED_DATABASES)('the catalog on $name', ({ openMigrated }) => {
  useDatabase({ openMigrated })

  it('holds the tables that the tests below speak of', async () => {
    expect(await list(`select c.relname::text as breach from pg_class c where ${OF_DOMAINS}`)).toContain('records')
  })

  it('has no table without a primary key', async () => {
    const without = `select c.relname::text as breach from pg_class c where ${OF_DOMAINS}
      and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)`
    expect(await list(without)).toStrictEqual([])
  })

  // An index for metadata holds hashes that begin with the domain (0025-metadata-by-value.sql).
  it('begins every key and index with domain_id', async () => {
    const others = `select i.indexrelid::regclass::text as breach from pg_index i join pg_class c on c.oid = i.indrelid
      left join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
      join pg_class index on index.oid = i.indexrelid join pg_am method on method.oid = index.relam
      where ${OF_DOMAINS} and a.attname is distinct from 'domain_id' and method.amname <> 'gin'`
    expect(await list(others)).toStrictEqual([])
  })

  it('has no foreign key that does not lead from domain_id to domain_id', async () => {
    const others = `select k.conname::text as breach from pg_constraint k join pg_class c on c.oid = k.conrelid
      where k.contype = 'f' and ${OF_DOMAINS} and not exists (
        select from unnest(k.conkey, k.confkey) pair (own, foreign_column)
        join pg_attribute o on o.attrelid = k.conrelid and o.attnum = pair.own and o.attname = 'domain_id'
        join pg_attribute f on f.attrelid = k.confrelid and f.attnum = pair.foreign_column and f.attname = 'domain_id')`
    expect(await list(others)).toStrictEqual([])
  })

  const COLUMNS = `from pg_attribute a join pg_class c on c.oid = a.attrelid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`
  const NAME = `c.relname || '.' || a.attname as breach`

  it('knows instants only, no times without a zone', async () => {
    const types = `'{timestamp,date,time,timetz}'::regtype[]`
    expect(await list(`select ${NAME} ${COLUMNS} and a.atttypid = any (${types})`)).toStrictEqual([])
  })

  it('numbers nothing but domains, and notes of the outbox', async () => {
    const numbered = `select ${NAME} ${COLUMNS} and (a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like '%nextval%')`
    expect(await list(numbered)).toStrictEqual(['domains.id', 'outbox.id'])
  })

  it('is told the time and takes it from no clock, but for the note of when a migration was made', async () => {
    const clocks = `pg_get_expr(d.adbin, d.adrelid) ~* '(now|_timestamp|timeofday|current_(date|time)|localtime)'`
    expect(await list(`select ${NAME} ${COLUMNS} and ${clocks}`)).toStrictEqual(['schema_migrations.applied_at'])
  })

  /** The plain setting, as the database shows it: Citus takes no subquery in a policy. */
  const OF_DOMAIN = `(domain_id = (current_setting('holdfast.domain_id'::text))::bigint)`
  const OF_UNIT = `(${OF_DOMAIN} AND ((current_setting('holdfast.units'::text) = '*'::text) OR (strpos(current_setting('holdfast.units'::text), (unit_uuid)::text) > 0) OR (strpos(current_setting(('holdfast.units_'::text || "left"((unit_uuid)::text, 2)), true), (unit_uuid)::text) > 0)))`

  it('puts the second wall around every table: the role of a domain sees its own rows only', async () => {
    const open = `select c.relname::text as breach from pg_class c where ${OF_DOMAINS} and not (c.relrowsecurity and exists (
      select from pg_policy p where p.polrelid = c.oid and p.polcmd = '*' and p.polroles = array['holdfast_domain'::regrole::oid]
        and pg_get_expr(p.polqual, c.oid) = any (array[$text$${OF_DOMAIN}$text$, $text$${OF_UNIT}$text$])))`
    expect(await list(open)).toStrictEqual([])
    const loose = `select p.polname || ' of ' || p.polrelid::regclass as breach from pg_policy p
      where not p.polpermissive or p.polname <> 'own_domain'`
    expect(await list(loose)).toStrictEqual([])
    const ofUnits = `select c.relname::text as breach from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'unit_uuid'
      where ${OF_DOMAINS} and not exists (
        select from pg_policy p where p.polrelid = c.oid and pg_get_expr(p.polqual, c.oid) = $text$${OF_UNIT}$text$)`
    expect(await list(ofUnits)).toStrictEqual([])
    const hot = `select pg_get_expr(p.polqual, p.polrelid) as breach from pg_policy p join pg_class c on c.oid = p.polrelid
      where c.relname in ('datapoints_hot', 'domains_of_buffers') and c.relrowsecurity and p.polcmd = 'r'`
    expect(await list(hot)).toStrictEqual([OF_DOMAIN, OF_DOMAIN])
    expect(
      await list(
        `select rolname::text as breach from pg_roles where rolname = 'holdfast_domain' and (rolbypassrls or rolsuper)`,
      ),
    ).toStrictEqual([])
  })
})
