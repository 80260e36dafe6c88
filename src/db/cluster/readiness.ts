import { counted } from '../../lib/counted.ts'
import { BOOL, INT8, TEXT, TEXT_ARRAY } from '../columns.ts'
import type { Database, Sql } from '../sql.ts'
import { IS_SERVER } from '../postgres/connection-budget.ts'
import { readCatalog } from './catalog.ts'
import { isDistributed, isToDistribute, planLayout } from './layout.ts'
import { listNodes } from './status.ts'

/** A condition for distributing a database, or for moving a domain. */
export interface Condition {
  readonly name: string
  readonly ok: boolean
  /** The finding; for a problem, also the remedy. */
  readonly message: string
  readonly isForMoves: boolean
}

const OLDEST_CITUS = 13
const NO_EXTENSION =
  'this database does not have Citus; on every node, add citus to shared_preload_libraries, restart, and run in the database as a superuser: create extension citus'
const NO_WORKERS = `there are none; run on the coordinator as a superuser: select citus_set_coordinator_host('HOST', 5432); select citus_add_node('WORKER', 5432)`
const LET_IN = 'let pg_hba.conf on these nodes accept this role from the other nodes'

const FACTS = { version: TEXT, servers: INT8, withoutWal: TEXT_ARRAY, withoutPlugin: TEXT_ARRAY, hasRole: BOOL }
const SELECT_FACTS = `select (select extversion from pg_extension where extname = 'citus') as version,
  (select count(*) from pg_stat_activity where datname = current_database() and ${IS_SERVER}) as servers,
  array(select n.nodename || ':' || n.nodeport from run_command_on_all_nodes('show wal_level') r
    join pg_dist_node n using (nodeid) where r.result is distinct from 'logical') as "withoutWal",
  array(select n.nodename || ':' || n.nodeport
    from run_command_on_all_nodes($$select current_setting('output_plugin_libraries', true)$$) r
    join pg_dist_node n using (nodeid) where r.success and r.result <> ''
      and not 'citus' = any (string_to_array(replace(r.result, ' ', ''), ','))) as "withoutPlugin",
  to_regrole('holdfast_domain') is not null as "hasRole"`

/** Checks whether the database can be distributed, and whether its domains can move. It changes nothing. */
export function checkCluster(database: Database, pendingMigrations: number): Promise<readonly Condition[]> {
  return database.read(async (sql) => {
    const catalog = await readCatalog(sql)
    if (catalog === null) return [condition('extension', NO_EXTENSION, '')]
    const [facts] = await sql.rows(FACTS, SELECT_FACTS)
    const { version = '', servers = 0, withoutWal = [], withoutPlugin = [], hasRole = false } = facts ?? {}
    const nodes = await listNodes(sql)
    const away = nodes.filter(({ state }) => state !== 'answers').map(({ node }) => node)
    const awayFromRole = hasRole && catalog.mayRoleLogIn ? await findAwayFromRole(sql) : []
    const keyless = catalog.tables.filter((table) => isToDistribute(table) && !table.hasKey).map(({ name }) => name)
    const isOld = Number.parseInt(version, 10) < OLDEST_CITUS
    const mayServe = servers === 0 || (isDistributed(catalog) && pendingMigrations === 0)
    const steps = planLayout(catalog).length
    return [
      condition(
        'extension',
        isOld &&
          `Citus ${version} is too old; install ${OLDEST_CITUS} on every node, and run: alter extension citus update`,
        `Citus ${version}`,
      ),
      condition(
        'workers',
        nodes.length === 0
          ? NO_WORKERS
          : away.length > 0 && `the user of DATABASE_URL cannot connect to ${away.join(', ')}; start it, and ${LET_IN}`,
        nodes.map(({ node }) => node).join(', '),
      ),
      // Citus connects as the current role, and transactions of a domain run as holdfast_domain.
      condition(
        'domain role',
        awayFromRole.length > 0 && `holdfast_domain cannot connect to ${awayFromRole.join(', ')}; ${LET_IN}`,
        catalog.mayRoleLogIn ? 'holdfast_domain connects to the workers' : `holdfast_domain gets LOGIN; ${LET_IN}`,
      ),
      condition(
        'servers',
        !mayServe && `${counted(servers, 'connection')} of servers; stop all, and start this version afterwards`,
        servers === 0 ? 'none is connected' : `${counted(servers, 'connection')}; they may continue`,
      ),
      condition(
        'layout',
        false,
        pendingMigrations > 0
          ? `${counted(pendingMigrations, 'migration')} to apply first`
          : steps === 0
            ? 'everything is distributed'
            : `${counted(steps, 'step')} to distribute everything`,
      ),
      condition(
        'wal_level',
        withoutWal.length > 0 && `to move domains, set it to logical on ${withoutWal.join(', ')}, and restart`,
        'logical on all nodes',
        true,
      ),
      // The newest releases of PostgreSQL have a list of the plugins that may decode its log.
      condition(
        'decoding',
        withoutPlugin.length > 0 &&
          `to move domains, add citus to output_plugin_libraries on ${withoutPlugin.join(', ')}, and reload`,
        'Citus may decode the log of all nodes',
        true,
      ),
      condition(
        'primary keys',
        keyless.length > 0 && `missing on ${keyless.join(', ')}; domains cannot move while they send; please report it`,
        'every distributed table has a primary key',
        true,
      ),
    ]
  })
}

/** Finds the workers that the role of domains cannot connect to. */
async function findAwayFromRole(sql: Sql): Promise<readonly string[]> {
  await sql.setLocal({ role: 'holdfast_domain' })
  const away = (await listNodes(sql)).filter(({ state }) => state === 'does not answer')
  await sql.setLocal({ role: 'none' })
  return away.map(({ node }) => node)
}

function condition(name: string, problem: string | false, finding: string, isForMoves = false): Condition {
  return { name, ok: problem === false, message: problem === false ? finding : problem, isForMoves }
}
