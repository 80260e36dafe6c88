import { counted } from '../../lib/counted.ts'
import { INT8, nullable, TEXT, TEXT_ARRAY } from '../columns.ts'
import type { Database, Sql } from '../sql.ts'
import { readCatalog } from './catalog.ts'
import { isDistributed, isToDistribute, planLayout, type Catalog } from './layout.ts'
import { listNodes } from './nodes.ts'

/** A condition for distributing a database, or for moving a domain. */
export interface Condition {
  readonly name: string
  readonly ok: boolean
  /** The finding; for a problem, also the remedy. */
  readonly message: string
  /** Whether only moves depend on it. */
  readonly isForMoves?: true
}

const OLDEST_CITUS = 13

/** Checks whether the database can be distributed, and whether its domains can move. It changes nothing. */
export function checkCluster(database: Database, pendingMigrations: number): Promise<readonly Condition[]> {
  return database.read(async (sql) => {
    const catalog = await readCatalog(sql)
    if (catalog === null) return [NO_EXTENSION]
    return [
      await checkVersion(sql),
      await checkWorkers(sql),
      await checkDomainRole(sql, catalog),
      await checkServers(sql, catalog, pendingMigrations),
      checkLayout(catalog, pendingMigrations),
      await checkWal(sql),
      checkKeys(catalog),
    ]
  })
}

const NO_EXTENSION = problem(
  'extension',
  'this database does not have Citus; on every node, add citus to shared_preload_libraries, restart, and run in the database as a superuser: create extension citus',
)

async function checkVersion(sql: Sql): Promise<Condition> {
  const [row] = await sql.rows(
    { version: TEXT },
    `select extversion as version from pg_extension where extname = 'citus'`,
  )
  const version = row?.version ?? 'of an unknown version'
  if (Number.parseInt(version, 10) >= OLDEST_CITUS) return ok('extension', `Citus ${version}`)
  const remedy = `install ${OLDEST_CITUS} or newer on every node, and run: alter extension citus update`
  return problem('extension', `Citus ${version} is too old; ${remedy}`)
}

async function checkWorkers(sql: Sql): Promise<Condition> {
  const nodes = await listNodes(sql)
  if (nodes.length === 0) {
    const statements = `select citus_set_coordinator_host('HOST', 5432); select citus_add_node('WORKER', 5432)`
    return problem('workers', `the cluster has no workers; run on the coordinator as a superuser: ${statements}`)
  }
  const away = nodes.filter(({ isActive, answers }) => !isActive || !answers).map(({ name }) => name)
  if (away.length === 0) return ok('workers', nodes.map(({ name }) => name).join(', '))
  return problem('workers', `the coordinator cannot connect to ${away.join(', ')}; start it, and ${LET_IN}`)
}
const LET_IN = 'let its pg_hba.conf accept the user of DATABASE_URL from the coordinator'

/** Citus connects as the current role, and transactions of a domain run as holdfast_domain. */
async function checkDomainRole(sql: Sql, { mayRoleLogIn, passesSettings }: Catalog): Promise<Condition> {
  const name = 'domain role'
  const [role] = await sql.rows({ name: nullable(TEXT) }, `select to_regrole('holdfast_domain')::text as name`)
  if (role?.name !== 'holdfast_domain') return ok(name, 'the migrations make holdfast_domain')
  if (!mayRoleLogIn) return ok(name, `the distribution lets holdfast_domain log in; ${LET_ROLE_IN}`)
  await sql.setLocal({ role: 'holdfast_domain' })
  const away = (await listNodes(sql)).filter(({ answers }) => !answers).map((node) => node.name)
  await sql.setLocal({ role: 'none' })
  if (away.length > 0) return problem(name, `holdfast_domain cannot connect to ${away.join(', ')}; ${LET_ROLE_IN}`)
  const settings = passesSettings ? 'transactions pass their settings' : 'the distribution passes settings'
  return ok(name, `holdfast_domain connects to the workers; ${settings}`)
}
const LET_ROLE_IN = 'let pg_hba.conf of every node accept holdfast_domain from the other nodes, without a password'

async function checkServers(sql: Sql, catalog: Catalog, pendingMigrations: number): Promise<Condition> {
  const name = 'servers'
  const [row] = await sql.rows(
    { count: INT8 },
    `select count(*) from pg_stat_activity
     where datname = current_database() and application_name = 'holdfast' and pid <> pg_backend_pid()`,
  )
  const count = row?.count ?? 0
  if (count === 0) return ok(name, 'none is connected')
  const connections = counted(count, 'connection')
  if (isDistributed(catalog) && pendingMigrations === 0) return ok(name, `${connections}; servers may continue`)
  return problem(name, `${connections} of running servers; stop all servers, and start this version afterwards`)
}

function checkLayout(catalog: Catalog, pendingMigrations: number): Condition {
  const steps = planLayout(catalog).length
  if (pendingMigrations > 0) return ok('layout', `${counted(pendingMigrations, 'migration')} to apply first`)
  return ok('layout', steps === 0 ? 'everything is distributed' : `${counted(steps, 'step')} to distribute everything`)
}

async function checkWal(sql: Sql): Promise<Condition> {
  const [row] = await sql.rows(
    { nodes: TEXT_ARRAY },
    `select coalesce(array_agg(n.nodename || ':' || n.nodeport), '{}') as nodes
     from run_command_on_all_nodes('show wal_level') r join pg_dist_node n on n.nodeid = r.nodeid
     where r.result is distinct from 'logical'`,
  )
  const nodes = row?.nodes ?? []
  if (nodes.length === 0) return { ...ok('wal_level', 'logical on all nodes'), isForMoves: true }
  const remedy = 'to move domains while they send, set wal_level = logical there, and restart it'
  return { ...problem('wal_level', `not logical on ${nodes.join(', ')}; ${remedy}`), isForMoves: true }
}

function checkKeys({ tables }: Catalog): Condition {
  const without = tables.filter((table) => isToDistribute(table) && !table.hasKey).map(({ name }) => name)
  if (without.length === 0) return { ...ok('primary keys', 'every distributed table has one'), isForMoves: true }
  const remedy = 'a domain cannot move while it sends; please report it'
  return { ...problem('primary keys', `missing on ${without.join(', ')}; ${remedy}`), isForMoves: true }
}

function ok(name: string, message: string): Condition {
  return { name, ok: true, message }
}

function problem(name: string, message: string): Condition {
  return { name, ok: false, message }
}
