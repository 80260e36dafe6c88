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

export function listDomains(sql: Sql): Promise<Domain[]> {
  return sql.rows(DOMAIN, `select ${COLUMNS} from domains order by id`)
}

export async function listDomainIds(sql: Sql): Promise<number[]> {
  return (await sql.rows({ id: INT8 }, `select id from domains order by id`)).map(({ id }) => id)
}

/**
 * Creates the domain, or adds missing host names to an existing one. Needs a transaction, because several processes may
 * start at once.
 */
export async function ensureDomain(sql: Sql, domain: Omit<Domain, 'id'>): Promise<Domain> {
  const [made] = await sql.rows(
    DOMAIN,
    `insert into domains (uuid, slug, name, host_names) values ($1, $2, $3, $4)
     on conflict (slug) do nothing returning ${COLUMNS}`,
    [domain.uuid, domain.slug, domain.name, [...domain.hostNames]],
  )
  if (made === undefined) return addHostNames(sql, domain)
  await sql.query(`insert into domain_state (domain_id) values ($1)`, [made.id])
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
 * Adds a second barrier between domains, besides `domain_id` in every statement: the transaction gets a role that sees
 * only the rows of one domain. If `database` is bound to units, the role sees rows of systems only in these units. The
 * transaction must belong to that database.
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

/** The way in which a transaction reads data under a lock, and then continues without the lock. */
interface LockedLook {
  /** The statement that takes the lock. */
  readonly lock: string
  /** The longest time of each statement under the lock, in milliseconds. */
  readonly longestMs?: number
  /** Settings for the statements after the lock. */
  readonly afterwards?: LocalSettings
}

/**
 * Reads a domain in its state under a lock. The snapshot is created under the lock, and `first` reads the data that the
 * lock guards. Then the lock is released, so that `work` sees the same snapshot without blocking other transactions.
 * `first` can release the lock earlier, when it has sent its last query. The release is then sent along with that
 * query.
 */
export function readDomainFrom<First, T>(
  database: Database,
  domainId: number,
  { lock, longestMs, afterwards }: LockedLook,
  first: (sql: Sql, giveBack: () => void) => Promise<First>,
  work: (sql: Sql, found: First) => Promise<T>,
): Promise<T> {
  return database.read(async (sql) => {
    // None of these statements creates the snapshot of the transaction (PostgreSQL manual, LOCK).
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
 * Runs a transaction that holds the lock of the domain. All changes of the model, systems, components and credentials
 * use it, so the data that such a transaction reads stays valid until it commits.
 */
export function writeDomain<T>(database: Database, domainId: number, work: (sql: Sql) => Promise<T>): Promise<T> {
  return inTurn(database, 'model', domainId, async (sql) => {
    await enterDomain(sql, domainId, database)
    await sql.query(`${lockOfDomain("'domain'")} for update`, [domainId])
    return work(sql)
  })
}

/**
 * SQL that takes advisory locks of the domain `$1`: one, or one for each row of `each`. `name` is SQL for a text. It
 * reads the row of the domain, so that Citus takes the lock on the node with the rows that the lock guards. There, a transaction that was prepared for its commit keeps the
 * lock, even if the node stops (docs/decisions/0083).
 *
 * The lock of a domain ends with `for update` or `for share`. PostgreSQL grants shared row locks even while another
 * transaction waits for the exclusive one, so frequent events could block an apply for ever. Advisory locks are granted
 * in order.
 */
export function lockOfDomain(name: string, mode: 'alone' | 'shared' = 'alone', each?: string): string {
  const lock = mode === 'alone' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared'
  const from = each === undefined ? 'domain_state' : `domain_state, ${each}`
  return `select ${lock}(hashtextextended(${name}, $1))::text as line from ${from} where domain_id = $1`
}

/**
 * Runs the transaction in a queue per domain, so that writers that wait for the lock leave most connections to others
 * (docs/decisions/0065).
 */
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
 * Raises the version of access, after any change that can revoke a right: status of users, consumers and methods, and
 * grants. It must come last in its transaction, because all other transactions that raise it wait.
 */
export async function raiseAccessVersion(sql: Sql, domainId: number): Promise<void> {
  await sql.query(
    `insert into access_versions as v (domain_id, version) values ($1, ${VERSION_TIME})
     on conflict (domain_id) do update set version = greatest(v.version + 1, v.token_ends + excluded.version)`,
    [domainId],
  )
}

/**
 * SQL for the end of a statement that ends tokens and changes nothing else. `when` is a `select … where …` that returns
 * a row if the version must be raised; `$1` is the domain. The version of the rights does not change.
 */
export function raisesForTokens(when: string): string {
  return `insert into access_versions as v (domain_id, version, token_ends)
    ${when.replace(/^select/, `select $1::bigint, ${VERSION_TIME}, ${VERSION_TIME}`)}
    on conflict (domain_id) do update set
      version = v.version + greatest(1, excluded.version - v.token_ends),
      token_ends = greatest(v.token_ends + 1, excluded.version)`
}

/**
 * The version of the rights: the version of access, without changes that only ended tokens. Cached accounts, consumers,
 * authentication methods, grants and organizations are valid while it stays the same (docs/decisions/0027).
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
 * Runs a transaction that holds the lock of the domain in shared mode and does not change the model. It is for data
 * that depends on the model, such as events, which must not be created while the model is being deleted. The lock is
 * sent along with the first query of `work`, so `work` holds it only after its first answer.
 */
export function writeData<T>(database: Database, domainId: number, work: (sql: Sql) => Promise<T>): Promise<T> {
  return inTurn(database, 'model', domainId, async (sql) => {
    await enterDomain(sql, domainId, database)
    const [, result] = await Promise.all([
      sql.query(`${lockOfDomain("'domain'", 'shared')} for share`, [domainId]),
      work(sql),
    ])
    return result
  })
}

/**
 * Runs a transaction on tokens, keys and ways to sign in. It does not take the lock of the domain, so that sign-ins do
 * not wait for an apply.
 */
export function writeAccess<T>(database: Database, domainId: number, work: (sql: Sql) => Promise<T>): Promise<T> {
  return database.transaction(async (sql) => {
    await enterDomain(sql, domainId, database)
    return work(sql)
  })
}

/**
 * Runs transactions on ways to sign in, keys and sessions one after the other. They have their own lock, so that they
 * do not wait for an apply.
 */
export function writeAccessAlone<T>(database: Database, domainId: number, work: (sql: Sql) => Promise<T>): Promise<T> {
  return inTurn(database, 'access', domainId, async (sql) => {
    await enterDomain(sql, domainId, database)
    await sql.query(lockOfDomain("'access'"), [domainId])
    return work(sql)
  })
}

type Managed = 'managed' | 'partial'
export type ManagedTypes = ReadonlyMap<RecordTypeName, Managed>

/** Tells whether a stored value describes a managed type. */
export const isManaged = (value: unknown): value is Managed => value === 'managed' || value === 'partial'

function isOfRecordType(entry: [string, Managed]): entry is [RecordTypeName, Managed] {
  return isRecordTypeName(entry[0])
}

export async function fetchManagedTypes(sql: Sql, domainId: number): Promise<ManagedTypes> {
  const [row] = await sql.rows(
    { managed: jsonb(isMapOf(isManaged)) },
    `select managed_types as managed from domain_state where domain_id = $1`,
    [domainId],
  )
  return new Map(Object.entries(row?.managed ?? {}).filter(isOfRecordType))
}
