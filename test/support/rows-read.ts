import { json } from '../../src/db/columns.ts'
import type { Sql, SqlValue } from '../../src/db/sql.ts'

/**
 * Counts the rows that the statements of `ask` read, even if they are filtered out, in tables whose names begin with
 * `table`. While `ask` runs, each statement returns no rows. Afterwards each is explained and run.
 */
export async function rowsRead(sql: Sql, table: string, ask: (sql: Sql) => Promise<unknown>): Promise<number> {
  const asked: [string, readonly SqlValue[] | undefined][] = []
  const note = async (text: string, values: readonly SqlValue[] | undefined): Promise<never[]> => {
    asked.push([text, values])
    return []
  }
  await ask({ ...sql, rows: (_, text, values) => note(text, values), query: note })
  let rows = 0
  for (const [text, values] of asked) {
    const [row] = await sql.rows(EXPLAINED, `explain (analyze, timing off, format json) ${text}`, values)
    const plan = row?.['QUERY PLAN'][0]?.Plan
    rows += plan === undefined ? Number.NaN : rowsOfScans(plan, table)
  }
  return rows
}

/** The tests trust PostgreSQL for the content of a plan. */
const EXPLAINED = { 'QUERY PLAN': json((plan): plan is readonly { readonly Plan: PlanNode }[] => Array.isArray(plan)) }

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

function rowsOfScans(node: PlanNode, table: string): number {
  const { 'Relation Name': relation, 'Node Type': type, Plans: below = [] } = node
  const ofOthers = below.reduce((sum, child) => sum + rowsOfScans(child, table), 0)
  if (type === 'ModifyTable' || relation?.startsWith(table) !== true) return ofOthers
  const own = rowsOf(node)
  // A bitmap may have kept few of the entries of an index.
  return type === 'Bitmap Heap Scan' ? Math.max(own, entriesOf(node)) : own + ofOthers
}

const rowsOf = (node: PlanNode): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']

function entriesOf(node: PlanNode): number {
  const own = node['Node Type'] === 'Bitmap Index Scan' ? rowsOf(node) : 0
  return (node.Plans ?? []).reduce((sum, child) => sum + entriesOf(child), own)
}
