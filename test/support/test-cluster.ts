import { distributeDatabase } from '../../src/db/cluster/distribute.ts'
import { INT4, TEXT } from '../../src/db/columns.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import type { Migration } from '../../src/db/read-migrations.ts'

// `HOLDFAST_TEST_DATABASE_URL` names a database of another server, in which the tests make their databases. If that
// database has the extension Citus, it also names the workers, and each database of the tests is distributed over them.

export const GIVEN_URL = process.env['HOLDFAST_TEST_DATABASE_URL']

/** The server of the tests' databases: one PostgreSQL, or all nodes of a Citus cluster. */
export interface TestCluster {
  /** An address for the administrator of each node, without a database name. The coordinator is the first one. */
  readonly nodes: readonly [string, ...string[]]
  readonly isCitus: boolean
  /** The names of the templates begin with it, because other runs may use the same server. */
  readonly prefix: string
}

export const TEMPLATES = ['template1', 'migrated'] as const

/** Makes both templates on each node. A server that was started for this run has an empty one already. */
export async function prepareTemplates(cluster: TestCluster, migrations: readonly Migration[]): Promise<void> {
  if (cluster.prefix !== '') await makeEmptyTemplate(cluster)
  await copyOnNodes(cluster, 'template1', `${cluster.prefix}migrated`)
  const database = await openPostgres(`${cluster.nodes[0]}/${cluster.prefix}migrated`, { maxConnections: 2 })
  await migrate(database, migrations)
  if (cluster.isCitus) await distributeDatabase(database)
  await database.close()
  if (cluster.isCitus) await onEachNode(cluster, close(`${cluster.prefix}migrated`))
}

async function makeEmptyTemplate(cluster: TestCluster): Promise<void> {
  const name = `${cluster.prefix}template1`
  await onEachNode(cluster, `create database ${name} template template1`)
  if (!cluster.isCitus) return
  await onEachNode(cluster, 'create extension citus', name)
  await onDatabase(`${cluster.nodes[0]}/${name}`, joinNodes(cluster))
  await onEachNode(cluster, close(name))
}

/** Removes what this run made on a given server. */
export async function removeDatabases(cluster: TestCluster): Promise<void> {
  const admin = await openPostgres(`${cluster.nodes[0]}/postgres`, { maxConnections: 1 })
  const left = await admin.rows({ name: TEXT }, `select datname::text as name from pg_database where datname ^@ $1`, [
    cluster.prefix,
  ])
  await admin.close()
  await Promise.all(left.map(({ name }) => dropInTurn(cluster, name)))
}

/**
 * Copies a database on each node. A copy stays distributed: the nodes keep their addresses, and each connects to the
 * database of its own name on the others.
 */
export async function copyOnNodes(cluster: TestCluster, template: string, name: string): Promise<void> {
  await ending.get(name)
  const isPrepared = TEMPLATES.some((one) => one === template)
  const source = isPrepared ? cluster.prefix + template : template
  if (!isPrepared && cluster.isCitus) await onEachNode(cluster, disconnect(source))
  await onEachNode(cluster, `create database ${name} template ${source} strategy file_copy`)
  // The copy has no settings of its own.
  if (!cluster.isCitus) return
  const settings = [`alter database ${name} set citus.propagate_set_commands = 'local'`]
  if (template !== 'template1')
    for (const role of ['holdfast_domain', 'current_user'])
      settings.push(`alter role ${role} in database ${name} set jit = off`)
  await onEachNode(cluster, settings.join(';'))
}

const ending = new Map<string, Promise<void>>()

/** Citus needs seconds until its processes have left a database, so the tests do not wait for that. */
export async function dropOnNodes(cluster: TestCluster, name: string): Promise<void> {
  const dropped = dropInTurn(cluster, name)
  ending.set(
    name,
    dropped.catch(() => undefined),
  )
  if (!cluster.isCitus) await dropped
}

async function dropInTurn({ nodes }: TestCluster, name: string): Promise<void> {
  for (const node of nodes.toReversed())
    await onDatabase(`${node}/postgres`, `drop database if exists ${name} with (force)`)
  ending.delete(name)
}

/** Finds the nodes behind an address. */
export async function findCluster(url: string): Promise<TestCluster> {
  const given = await openPostgres(url, { maxConnections: 1 })
  try {
    const [citus] = await given.rows(
      { name: TEXT },
      `select extname::text as name from pg_extension where extname = 'citus'`,
    )
    const found = citus === undefined ? [] : await given.rows({ name: TEXT, port: INT4 }, NODES)
    const [first = addressOf(url), ...others] = found.map(({ name, port }) => addressOf(url, name, port))
    const prefix = `test_${crypto.randomUUID().slice(0, 8)}_`
    return { nodes: [first, ...others], isCitus: citus !== undefined, prefix }
  } finally {
    await given.close()
  }
}

const NODES = `select nodename as name, nodeport as port from pg_dist_node where noderole = 'primary' order by groupid`

function addressOf(url: string, host?: string, port?: number): string {
  const address = new URL(url)
  if (host !== undefined) address.host = `${host}:${port}`
  address.pathname = ''
  return address.href.replace(/\/$/, '')
}

const place = (node: string): string => `'${new URL(node).hostname}', ${new URL(node).port}`

function joinNodes({ nodes: [coordinator, ...workers] }: TestCluster): string {
  const added = workers.map((node) => `select citus_add_node(${place(node)})`)
  return [`select citus_set_coordinator_host(${place(coordinator)})`, ...added].join(';')
}

/** The processes of Citus stay connected to a database, and PostgreSQL copies none that somebody is connected to. */
function disconnect(name: string): string {
  return `select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = '${name}'`
}

/** Nobody may connect to a template while it is copied. */
const close = (name: string): string => `alter database ${name} with allow_connections false; ${disconnect(name)}`

async function onEachNode({ nodes }: TestCluster, script: string, database = 'postgres'): Promise<void> {
  await Promise.all(nodes.map((node) => onDatabase(`${node}/${database}`, script)))
}

async function onDatabase(url: string, script: string): Promise<void> {
  const database = await openPostgres(url, { maxConnections: 1 })
  try {
    for (const statement of script.split(';')) await database.script(statement)
  } finally {
    await database.close()
  }
}
