import { HoldfastError } from '../../lib/errors.ts'

// Derives where each table and function belongs on a Citus cluster from the catalog (docs/decisions/0082). It is pure.

/**
 * Tables that stay on the coordinator, with the reason. All other tables have a `domain_id`, and are distributed by it.
 */
export const LOCAL_TABLES: { readonly [table: string]: string } = {
  schema_migrations: 'one list for the whole database; its lock orders the servers that migrate',
  arrival_lanes: 'servers take lanes, not domains',
  writer_slots: 'servers take slots, not domains',
  domains_of_buffers: 'names the hot tables of a domain, and is read together with them',
  datapoints_hot: 'each server writes the points of all domains into partitions of its own',
}

/** The table that every node has a copy of. Each node resolves domains by itself. */
const REFERENCE_TABLE = 'domains'

type Placement = 'local' | 'reference' | 'distributed'

export interface CatalogTable {
  readonly name: string
  readonly hasDomain: boolean
  readonly placement: Placement
  /** The other tables that the foreign keys of the table name. */
  readonly references: readonly string[]
  /** Whether the table has a primary key. Citus needs it to move rows while others write. */
  readonly hasKey: boolean
  /** The bytes that the coordinator itself stores, also those from before the table was distributed. */
  readonly bytes: number
}

export interface CatalogFunction {
  /** The name and the types of the arguments, such as `find_signer(bigint,uuid)`. */
  readonly signature: string
  /** Whether the first argument of the function is `of_domain bigint`. */
  readonly ofDomain: boolean
  /** `everywhere` if all nodes have it, `distributed` if a call also runs on the node of the domain. */
  readonly placement: 'local' | 'everywhere' | 'distributed'
}

export interface Catalog {
  /** Quoted for SQL. */
  readonly database: string
  /** Whether the role of a domain may connect to nodes. Citus connects as the role that runs a statement. */
  readonly mayRoleLogIn: boolean
  /** Whether Citus passes `SET LOCAL` on to the workers, for row level security. */
  readonly passesSettings: boolean
  /**
   * The roles whose sessions on the workers may use JIT. The sessions of a server switch it off on the coordinator
   * only.
   */
  readonly rolesWithJit: readonly string[]
  readonly tables: readonly CatalogTable[]
  readonly functions: readonly CatalogFunction[]
}

export interface LayoutStep {
  /** Such as `Distributing the table systems`. */
  readonly what: string
  /** The number of bytes that the step copies. */
  readonly bytes: number
  readonly statement: string
}

/** Tells whether the tables of a database are distributed, or begin to be. */
export function isDistributed({ tables }: Catalog): boolean {
  return tables.some(({ placement }) => placement !== 'local')
}

/**
 * Lists the statements that must still run before the database is distributed. Each may run in a transaction of its
 * own.
 */
export function planLayout(catalog: Catalog): readonly LayoutStep[] {
  const { tables, functions } = catalog
  // Before the first migration there is nothing yet.
  if (!tables.some(isToDistribute)) return []
  const reference = tables.filter(({ name, placement }) => name === REFERENCE_TABLE && placement === 'local')
  const missing = tables.filter((table) => isToDistribute(table) && table.placement === 'local')
  const anchor = anchorOf(catalog)
  return [
    ...(catalog.mayRoleLogIn ? [] : [LOG_IN]),
    ...(catalog.passesSettings ? [] : [passSettings(catalog.database)]),
    ...reference.map((table) => tableStep(table, `create_reference_table('${table.name}')`)),
    ...referencedFirst(missing).map((table) => {
      const beside = table.name === anchor ? 'none' : anchor
      return tableStep(table, `create_distributed_table('${table.name}', 'domain_id', colocate_with => '${beside}')`)
    }),
    ...functions.flatMap((one) => functionStep(one, anchor)),
    ...localCopies(tables),
    ...catalog.rolesWithJit.map((role) => switchOffJit(role, catalog.database)),
  ]
}

const LOG_IN: LayoutStep = {
  what: 'Letting the role holdfast_domain connect to workers',
  bytes: 0,
  statement: 'alter role holdfast_domain login',
}

function passSettings(database: string): LayoutStep {
  const statement = `alter database ${database} set citus.propagate_set_commands = 'local'`
  return { what: 'Letting transactions pass their settings to workers', bytes: 0, statement }
}

/**
 * Citus passes it on to the workers if they know the role. They know the role of domains after the tables of domains
 * are distributed.
 */
function switchOffJit(role: string, database: string): LayoutStep {
  const statement = `alter role ${role} in database ${database} set jit = off`
  return { what: `Switching JIT off for the role ${role}`, bytes: 0, statement }
}

/** The table that all other distributed tables, and their functions, share their nodes with. */
export function anchorOf({ tables }: Catalog): string {
  const ofDomains = tables.filter(isToDistribute)
  const known = ofDomains.find(({ placement }) => placement === 'distributed') ?? referencedFirst(ofDomains)[0]
  if (known === undefined) throw new HoldfastError('INTERNAL', 'No table has a column domain_id')
  return known.name
}

/** Tells whether a table is distributed by its domain, or is to be. */
export function isToDistribute({ name, hasDomain }: CatalogTable): boolean {
  return hasDomain && !Object.hasOwn(LOCAL_TABLES, name)
}

function tableStep({ name, bytes }: CatalogTable, call: string): LayoutStep {
  return { what: `Distributing the table ${name}`, bytes, statement: `select ${call}` }
}

function functionStep({ signature, ofDomain, placement }: CatalogFunction, anchor: string): readonly LayoutStep[] {
  if (placement === (ofDomain ? 'distributed' : 'everywhere')) return []
  const options = ofDomain ? `, 'of_domain', colocate_with => '${anchor}'` : ''
  const statement = `select create_distributed_function('${signature}'${options})`
  return [{ what: `Distributing the function ${signature.split('(', 1).join('')}`, bytes: 0, statement }]
}

/**
 * Frees the rows that the coordinator kept when it copied a table to the workers. Citus hides these rows. It also frees
 * the rows of all tables that reference this table, so these tables must already be distributed.
 */
function localCopies(tables: readonly CatalogTable[]): readonly LayoutStep[] {
  const copied = tables.filter(({ placement, bytes }) => placement !== 'local' && bytes > 0)
  return copied.map(({ name }) => ({
    what: `Freeing the former rows of ${name} on the coordinator`,
    bytes: 0,
    statement: `select truncate_local_data_after_distributing_table('${name}')`,
  }))
}

/** Sorts tables so that each one stands behind those that its foreign keys name. */
function referencedFirst(tables: readonly CatalogTable[]): readonly CatalogTable[] {
  const sorted: CatalogTable[] = []
  let rest = tables.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  while (rest.length > 0) {
    const waiting = new Set(rest.map(({ name }) => name))
    const free = rest.filter(({ references }) => !references.some((name) => waiting.has(name)))
    if (free.length === 0) throw new HoldfastError('INTERNAL', `Foreign keys form a circle: ${[...waiting].join(', ')}`)
    sorted.push(...free)
    rest = rest.filter((table) => !free.includes(table))
  }
  return sorted
}
