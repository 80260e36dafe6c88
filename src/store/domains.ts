import { INT8, isMapOf, jsonb, TEXT, TEXT_ARRAY, UUID } from '../db/columns.ts'
import type { RowOf } from '../db/row-shape.ts'
import type { Database, LocalSettings, Sql } from '../db/sql.ts'
import { insertDefaultGrants } from './access/grants.ts'
import { isRecordTypeName, type RecordTypeName } from '../records/record-type.ts'
import { unitsSettings, wholeOf } from './model/units.ts'
import { VERSION_TIME } from './sql-times.ts'

const DOMAIN = { id: INT8, uuid: UUID, slug: TEXT, name: TEXT, hostNames: TEXT_ARRAY }

export type Domain = RowOf<typeof DOMAIN>

const COLUMNS = `id, uuid, slug, name, host_names as "hostNames"`

export async function findDomainByHost(sql: Pick<Sql, 'rows'>, host: string): Promise<Domain | null> {
  const [domain] = await sql.rows(DOMAIN, `select ${COLUMNS} from domains where $1 = any (host_names)`, [host])
  return domain ?? null
}

export async function findDomainBySlug(sql: Sql, slug: string): Promise<Domain | null> {
  const [domain] = await sql.rows(DOMAIN, `select ${COLUMNS} from domains where slug = $1`, [slug])
  return domain ?? null
}

export async function listDomainIds(sql: Sql): Promise<number[]> {
  return (await sql.rows({ id: INT8 }, `select id from domains order by id`)).map(({ id }) => id)
}

/**
 * Makes the domain, or gives an existing one the host names that it lacks. Several processes may start at once. In a
 * transaction.
 */
export async function ensureDomain(sql: Sql, domain: Omit<Domain, 'id'>): Promise<Domain> {
  const [made] = await sql.rows(
    DOMAIN,
    `insert into domains (uuid, slug, name, host_names) values ($1, $2, $3, $4)
     on conflict (slug) do nothing returning ${COLUMNS}`,
    [domain.uuid, domain.slug, domain.name, [...domain.hostNames]],
  )
  if (made === undefined) return addHostNames(sql, domain)
  await insertDefaultGrants(sql, made.id)
  return made
}

async function addHostNames(sql: Sql, { slug, hostNames }: Omit<Domain, 'id'>): Promise<Domain> {
  const [known] = await sql.rows(DOMAIN, `select ${COLUMNS} from domains where slug = $1 for update`, [slug])
  if (known === undefined) throw new Error('a domain that is there already was not found')
  const all = [...new Set([...known.hostNames, ...hostNames])].toSorted()
  await sql.query(`update domains set host_names = $2 where id = $1`, [known.id, all])
  return { ...known, hostNames: all }
}

/**
 * Puts up the second wall between domains, after `domain_id` in every statement: from now on the transaction has a role
 * that sees the rows of one domain only, and of what belongs to systems the rows that `database` is bound to. The
 * transaction must be one of that database.
 */
export async function enterDomain(sql: Sql, domainId: number, database: Database): Promise<void> {
  await sql.setLocal({
    'holdfast.domain_id': String(domainId),
    ...unitsSettings(database),
    role: 'holdfast_domain',
  })
}

/** A read-only snapshot of one domain. */
export function readDomain<T>(database: Database, domainId: number, work: (sql: Sql) => Promise<T>): Promise<T> {
  return database.read(async (sql) => {
    await enterDomain(sql, domainId, database)
    return work(sql)
  })
}

/** How a transaction looks at what a lock guards, and goes on without it. */
interface LockedLook {
  /** The statement that takes the lock. */
  readonly lock: string
  /** How long each statement under the lock may take, in milliseconds. */
  readonly longestMs?: number
  /** Settings for what comes after it. */
  readonly afterwards?: LocalSettings
}

/**
 * Reads a domain as of a moment at which a lock was held. The snapshot is made under the lock, `first` looks at the
 * data that the lock guards, and then the lock is given back: `work` sees the same moment and holds up no other
 * transaction. It is given back sooner where `first` says that it has asked for all that is guarded: then that goes to the
 * database along with what was asked for, and waits for no answer.
 */
export function readDomainFrom<First, T>(
  database: Database,
  domainId: number,
  { lock, longestMs, afterwards }: LockedLook,
  first: (sql: Sql, giveBack: () => void) => Promise<First>,
  work: (sql: Sql, found: First) => Promise<T>,
): Promise<T> {
  return database.read(async (sql) => {
    // None of these makes the snapshot of the transaction (PostgreSQL manual, LOCK).
    await enterDomain(sql, domainId, database)
    await sql.lockAfter('locked', lock, longestMs === undefined ? {} : { statement_timeout: String(longestMs) })
    let givenBack: Promise<unknown> | null = null
    const giveBack = (): Promise<unknown> => {
      givenBack ??= Promise.all([sql.query('rollback to savepoint locked'), afterwards && sql.setLocal(afterwards)])
      return givenBack
    }
    const found = await first(sql, () => void giveBack().catch(() => undefined))
    await giveBack()
    return work(sql, found)
  })
}

/**
 * Runs a transaction on one domain that holds the domain's lock. Everything that writes the model, or systems,
 * components and credentials, goes through here, so what one such transaction reads stays true until it commits.
 */
export function writeDomain<T>(database: Database, domainId: number, work: (sql: Sql) => Promise<T>): Promise<T> {
  return inTurn(database, 'model', domainId, async (sql) => {
    await enterDomain(sql, domainId, database)
    await sql.query(lockOfDomain('pg_advisory_xact_lock', 'update'), [domainId])
    return work(sql)
  })
}

/**
 * Writes the statement for the lock of the domain `$1`. PostgreSQL gives a shared lock of a row also while somebody waits to
 * lock the row alone, so many events would keep an apply waiting for ever. Advisory locks are given in order. The statement
 * takes one before it locks the row.
 */
function lockOfDomain(lock: 'pg_advisory_xact_lock' | 'pg_advisory_xact_lock_shared', row: 'update' | 'share'): string {
  return `select id, ${lock}(hashtextextended('domain', $1))::text as line from domains where id = $1 for ${row}`
}

/** Writers that wait for a lock of a domain leave most connections to all others (docs/decisions/0065). */
function inTurn<T>(
  database: Database,
  line: 'model' | 'access',
  domainId: number,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const turns = wholeOf(database).turns?.[line]
  const run = (): Promise<T> => database.transaction(work)
  return turns === undefined ? run() : turns.run(domainId, run)
}

/**
 * Raises the version of access, with everything that can take a right away: the status of users, consumers and methods,
 * grants. It comes last in its transaction, since every other one that raises it waits until that ends.
 */
export async function raiseAccessVersion(sql: Sql, domainId: number): Promise<void> {
  await sql.query(
    `insert into access_versions as v (domain_id, version) values ($1, ${VERSION_TIME})
     on conflict (domain_id) do update set version = greatest(v.version + 1, v.token_ends + excluded.version)`,
    [domainId],
  )
}

/**
 * Writes the last part of a statement that ends tokens and changes nothing else. `when` is a `select … where …` that
 * has a row if it is to be raised; `$1` is the domain. The version of the rights stays as it is.
 */
export function raisesForTokens(when: string): string {
  return `insert into access_versions as v (domain_id, version, token_ends)
    ${when.replace(/^select/, `select $1::bigint, ${VERSION_TIME}, ${VERSION_TIME}`)}
    on conflict (domain_id) do update set
      version = v.version + greatest(1, excluded.version - v.token_ends),
      token_ends = greatest(v.token_ends + 1, excluded.version)`
}

/**
 * Gives the version of the rights: that of access without its rises for tokens alone. What is kept in memory of accounts,
 * consumers, authentication methods, grants and organizations holds as long as it stays (docs/decisions/0027).
 */
export async function fetchRightsVersion(sql: Sql, domainId: number): Promise<number> {
  const [row] = await sql.rows(
    { version: INT8 },
    `select version - token_ends as version from access_versions where domain_id = $1`,
    [domainId],
  )
  return row?.version ?? 0
}

/**
 * Runs a transaction that holds the domain's lock and leaves the model alone. It is for data that stands on the model,
 * such as events, and must not be made while the model under it is being deleted. What `work` asks for first goes along
 * with the lock, so it has the lock with its first answer and not before.
 */
export function writeData<T>(database: Database, domainId: number, work: (sql: Sql) => Promise<T>): Promise<T> {
  return inTurn(database, 'model', domainId, async (sql) => {
    await enterDomain(sql, domainId, database)
    const [, result] = await Promise.all([
      sql.query(lockOfDomain('pg_advisory_xact_lock_shared', 'share'), [domainId]),
      work(sql),
    ])
    return result
  })
}

/**
 * Runs a transaction on what is not the model: tokens, keys, ways to sign in. It does not take the domain's lock, so
 * that no sign-in waits for an apply.
 */
export function writeAccess<T>(database: Database, domainId: number, work: (sql: Sql) => Promise<T>): Promise<T> {
  return database.transaction(async (sql) => {
    await enterDomain(sql, domainId, database)
    return work(sql)
  })
}

/**
 * The same for changes of ways to sign in, keys and sessions, which come one after the other. They have a line of their own,
 * so that they do not wait for an apply either.
 */
export function writeAccessAlone<T>(database: Database, domainId: number, work: (sql: Sql) => Promise<T>): Promise<T> {
  return inTurn(database, 'access', domainId, async (sql) => {
    await enterDomain(sql, domainId, database)
    await sql.query(`select pg_advisory_xact_lock(hashtextextended('access', $1))::text`, [domainId])
    return work(sql)
  })
}

type Managed = 'managed' | 'partial'
export type ManagedTypes = ReadonlyMap<RecordTypeName, Managed>

/** Tells whether a value is what is remembered of a managed type. */
export const isManaged = (value: unknown): value is Managed => value === 'managed' || value === 'partial'

function isOfRecordType(entry: [string, Managed]): entry is [RecordTypeName, Managed] {
  return isRecordTypeName(entry[0])
}

export async function fetchManagedTypes(sql: Sql, domainId: number): Promise<ManagedTypes> {
  const [row] = await sql.rows(
    { managed: jsonb(isMapOf(isManaged)) },
    `select managed_types as managed from domains where id = $1`,
    [domainId],
  )
  return new Map(Object.entries(row?.managed ?? {}).filter(isOfRecordType))
}
