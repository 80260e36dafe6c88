import { HoldfastError } from '../../lib/errors.ts'

// Derives where each table and function belongs on a Citus cluster from the catalog (docs/decisions/0082). It is pure.

/** Tables that stay on the coordinator, with the reason. All other tables have a `domain_id`, and are distributed by it. */
export const LOCAL_TABLES: { readonly [table: string]: string } = {
  schema_migrations: 'one list for the whole database; its lock orders the servers that migrate',
  arrival_lanes: 'servers take lanes, not domains',
  writer_slots: 'servers take slots, not domains',
  datapoints_hot: 'each server writes the points of all domains into partitions of its own',
}

/** The table that every node has a copy of. Each node resolves domains by itself. */
const REFERENCE_TABLE = 'domains'

type Placement = 'local' | 'reference' | 'distributed'

export interface CatalogTable {
  readonly name: string
  readonly hasDomain: boolean
  readonly placement: Placement
  /** The other tables that its foreign keys name. */
  readonly references: readonly string[]
  /** The bytes that the coordinator itself stores, also those from before the table was distributed. */
  readonly bytes: number
}

export interface CatalogFunction {
  /** With its types, such as `find_signer(bigint,uuid)`. */
  readonly signature: string
  /** Whether its first argument is `of_domain bigint`. */
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
  readonly tables: readonly CatalogTable[]
  readonly functions: readonly CatalogFunction[]
}

export interface LayoutStep {
  /** Continues a sentence such as "Distributing …". */
  readonly what: string
  readonly table?: CatalogTable
  readonly statement: string
}

/** Tells whether the tables of a database are distributed, or begin to be. */
export function isDistributed({ tables }: Catalog): boolean {
  return tables.some(({ placement }) => placement !== 'local')
}

/** Lists the statements that are missing until a database is distributed. Each may run in a transaction of its own. */
export function planLayout(catalog: Catalog): readonly LayoutStep[] {
  const { tables, functions } = catalog
  const reference = tables.filter(({ name, placement }) => name === REFERENCE_TABLE && placement === 'local')
  const missing = tables.filter((table) => isToDistribute(table) && table.placement === 'local')
  const anchor = anchorOf(catalog)
  return [
    ...rolesAndSettings(catalog),
    ...reference.map((table) => stepOf(table, `select create_reference_table('${table.name}')`)),
    ...referencedFirst(missing).map((table) => {
      const beside = table.name === anchor ? 'none' : anchor
      return stepOf(
        table,
        `select create_distributed_table('${table.name}', 'domain_id', colocate_with => '${beside}')`,
      )
    }),
    ...functions.flatMap((one) => functionStep(one, anchor)),
    ...localCopies(tables),
  ]
}

/** The table that all other distributed tables, and their functions, share their nodes with. */
export function anchorOf({ tables }: Catalog): string {
  const ofDomains = tables.filter(isToDistribute)
  const known = ofDomains.find(({ placement }) => placement === 'distributed') ?? referencedFirst(ofDomains)[0]
  if (known === undefined) throw new HoldfastError('INTERNAL', 'No table has a column domain_id')
  return known.name
}

function isToDistribute({ name, hasDomain }: CatalogTable): boolean {
  return hasDomain && !Object.hasOwn(LOCAL_TABLES, name)
}

function stepOf(table: CatalogTable, statement: string): LayoutStep {
  return { what: `the table ${table.name}`, table, statement }
}

function rolesAndSettings({ database, mayRoleLogIn, passesSettings }: Catalog): readonly LayoutStep[] {
  return [
    ...(mayRoleLogIn
      ? []
      : [
          {
            what: 'the role holdfast_domain, which connects to workers',
            statement: 'alter role holdfast_domain login',
          },
        ]),
    ...(passesSettings
      ? []
      : [
          {
            what: 'the setting that passes the domain of a transaction to workers',
            statement: `alter database ${database} set citus.propagate_set_commands = 'local'`,
          },
        ]),
  ]
}

function functionStep({ signature, ofDomain, placement }: CatalogFunction, anchor: string): readonly LayoutStep[] {
  const what = `the function ${signature.replace(/\(.*/, '')}`
  if (ofDomain && placement !== 'distributed') {
    const options = `'of_domain', colocate_with => '${anchor}'`
    return [{ what, statement: `select create_distributed_function('${signature}', ${options})` }]
  }
  if (placement !== 'local') return []
  return [{ what, statement: `select create_distributed_function('${signature}')` }]
}

/**
 * Frees the rows that the coordinator kept when it copied a table to the workers. Citus hides these rows. It frees the
 * rows of a table together with those of all tables that reference it, so these must be distributed by then.
 */
function localCopies(tables: readonly CatalogTable[]): readonly LayoutStep[] {
  const copied = tables.filter(({ placement, bytes }) => placement === 'distributed' && bytes > 0)
  return copied.map((table) => ({
    what: `the former rows of ${table.name} on the coordinator`,
    statement: `select truncate_local_data_after_distributing_table('${table.name}')`,
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
