import type { Database, Sql } from '../db/sql.ts'
import { entriesOf } from '../lib/entries.ts'
import { insertDefaultGrants } from './access/grants.ts'
import type { RecordTypeName } from '../records/record-type.ts'
import { unitsSetting } from './model/units.ts'

export interface Domain {
  readonly id: number
  readonly uuid: string
  readonly slug: string
  readonly name: string
  readonly hostNames: readonly string[]
}

const COLUMNS = `id, uuid, slug, name, host_names as "hostNames"`

export async function findDomainByHost(sql: Sql, host: string): Promise<Domain | null> {
  const [domain] = await sql.query<Domain>(`select ${COLUMNS} from domains where $1 = any (host_names)`, [host])
  return domain ?? null
}

export async function findDomainBySlug(sql: Sql, slug: string): Promise<Domain | null> {
  const [domain] = await sql.query<Domain>(`select ${COLUMNS} from domains where slug = $1`, [slug])
  return domain ?? null
}

export async function listDomainIds(sql: Sql): Promise<number[]> {
  return (await sql.query<{ id: number }>(`select id from domains order by id`)).map(({ id }) => id)
}

/** Makes the domain, or gives an existing one the host names that it lacks. Safe when several processes start at once. */
export async function ensureDomain(sql: Sql, domain: Omit<Domain, 'id'>): Promise<Domain> {
  const [ensured] = await sql.query<Domain & { readonly isNew: boolean }>(
    `insert into domains (uuid, slug, name, host_names) values ($1, $2, $3, $4)
     on conflict (slug) do update
       set host_names = (select array_agg(distinct host order by host) from unnest(domains.host_names || excluded.host_names) host)
     returning ${COLUMNS}, xmax = 0 as "isNew"`,
    [domain.uuid, domain.slug, domain.name, [...domain.hostNames]],
  )
  if (ensured === undefined) throw new Error('an upsert returned no row')
  const { isNew, ...made } = ensured
  if (isNew) await insertDefaultGrants(sql, made.id)
  return made
}

/**
 * The first wall is `domain_id` in every statement; this is the second: the role sees the rows of one domain only, and of
 * those of systems the ones that `database` is bound to. To be called in a transaction of that database.
 */
export async function enterDomain(sql: Sql, domainId: number, database: Database): Promise<void> {
  await sql.query(
    `select set_config('holdfast.domain_id', $1, true), set_config('holdfast.units', $2, true),
       set_config('role', 'holdfast_domain', true)`,
    [String(domainId), unitsSetting(database)],
  )
}

/** A read-only snapshot of one domain. */
export function readDomain<T>(database: Database, domainId: number, work: (sql: Sql) => Promise<T>): Promise<T> {
  return database.read(async (sql) => {
    await enterDomain(sql, domainId, database)
    return work(sql)
  })
}

/**
 * The same for what begins with a lock. The snapshot is made when the lock is held, `first` looks at what it guards, and
 * then it is given back: `work` sees the same moment, and holds up nobody.
 */
export function readDomainFrom<First, T>(
  database: Database,
  domainId: number,
  lock: (sql: Sql) => Promise<void>,
  first: (sql: Sql) => Promise<First>,
  work: (sql: Sql, found: First) => Promise<T>,
): Promise<T> {
  return database.read(async (sql) => {
    // None of these two makes the snapshot of the transaction (PostgreSQL manual, LOCK).
    await sql.query('savepoint locked')
    await lock(sql)
    await enterDomain(sql, domainId, database)
    const found = await first(sql)
    await sql.query('rollback to savepoint locked')
    // It went with the lock.
    await enterDomain(sql, domainId, database)
    return work(sql, found)
  })
}

/**
 * A transaction on one domain that holds the domain's lock: everything that writes the model, or systems, components and
 * credentials, goes through here, so what one of them reads stays true until it commits.
 */
export function writeDomain<T>(database: Database, domainId: number, work: (sql: Sql) => Promise<T>): Promise<T> {
  return database.transaction(async (sql) => {
    await enterDomain(sql, domainId, database)
    await sql.query(`select id from domains where id = $1 for update`, [domainId])
    return work(sql)
  })
}

/** The same for work on systems, components and credentials, which always changes something. */
export function writeSystems<T>(database: Database, domainId: number, work: (sql: Sql) => Promise<T>): Promise<T> {
  return writeDomain(database, domainId, async (sql) => {
    await raiseModelVersion(sql, domainId)
    return work(sql)
  })
}

/**
 * With every change of the model, of systems, components and credentials: whoever keeps something of all this in memory
 * keeps it as long as `fetchModelVersion` gives the same.
 */
export async function raiseModelVersion(sql: Sql, domainId: number): Promise<void> {
  await sql.query(`update domains set model_version = model_version + 1 where id = $1`, [domainId])
}

export async function fetchModelVersion(sql: Sql, domainId: number): Promise<number> {
  const [row] = await sql.query<{ version: number }>(`select model_version as version from domains where id = $1`, [
    domainId,
  ])
  return row?.version ?? 0
}

/**
 * With everything that can take a right away from somebody: the status of users, consumers and methods, grants, tokens
 * that are revoked. To be called last in its transaction: whoever else does it waits until that ends.
 */
export async function raiseAccessVersion(sql: Sql, domainId: number): Promise<void> {
  await sql.query(raisesAccessVersion('select'), [domainId])
}

/** The same as the end of a statement that says when, `select … where …`; `$1` is the domain. */
export function raisesAccessVersion(when: string): string {
  return `insert into access_versions as v (domain_id, version) ${when.replace(/^select/, 'select $1::bigint, 1')}
    on conflict (domain_id) do update set version = v.version + 1`
}

/**
 * A transaction that holds the domain's lock and leaves the model alone: for what stands on the model, such as events,
 * and must not be made while that is being deleted.
 */
export function writeData<T>(database: Database, domainId: number, work: (sql: Sql) => Promise<T>): Promise<T> {
  return database.transaction(async (sql) => {
    await enterDomain(sql, domainId, database)
    await sql.query(`select id from domains where id = $1 for share`, [domainId])
    return work(sql)
  })
}

/**
 * A transaction on what is not the model: tokens, keys, ways to sign in. It does not take the domain's lock, so nobody's
 * sign-in waits for an apply.
 */
export function writeAccess<T>(database: Database, domainId: number, work: (sql: Sql) => Promise<T>): Promise<T> {
  return database.transaction(async (sql) => {
    await enterDomain(sql, domainId, database)
    return work(sql)
  })
}

export type ManagedTypes = ReadonlyMap<RecordTypeName, 'managed' | 'partial'>

export async function fetchManagedTypes(sql: Sql, domainId: number): Promise<ManagedTypes> {
  const [row] = await sql.query<{ managed: { [type in RecordTypeName]?: 'managed' | 'partial' } }>(
    `select managed_types as managed from domains where id = $1`,
    [domainId],
  )
  return new Map(entriesOf(row?.managed ?? {}))
}

export async function saveManagedTypes(sql: Sql, domainId: number, managed: ManagedTypes): Promise<void> {
  await sql.query(`update domains set managed_types = $2::jsonb where id = $1`, [
    domainId,
    JSON.stringify(Object.fromEntries(managed)),
  ])
}
