import { json } from '../../src/db/columns.ts'
import type { Sql, SqlValue } from '../../src/db/sql.ts'

/** How many rows of tables whose names begin so the only statement of a work looks at, whether or not it keeps them. */
export async function rowsRead(sql: Sql, table: string, ask: (sql: Sql) => Promise<unknown>): Promise<number> {
  const asked: [string, readonly SqlValue[] | undefined][] = []
  const rows: Sql['rows'] = async (_, text, values) => {
    asked.push([text, values])
    return []
  }
  await ask({ ...sql, rows })
  const [text, values] = asked[0] ?? ['', []]
  const [row] = await sql.rows(EXPLAINED, `explain (analyze, timing off, format json) ${text}`, values)
  const plan = row?.['QUERY PLAN'][0]?.Plan
  return plan === undefined ? Number.NaN : rowsOfScans(plan, table)
}

/** The tests rely on PostgreSQL for what is in a plan. */
const EXPLAINED = { 'QUERY PLAN': json((plan): plan is readonly { readonly Plan: PlanNode }[] => Array.isArray(plan)) }

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

function rowsOfScans(node: PlanNode, table: string): number {
  const own =
    node['Relation Name']?.startsWith(table) === true
      ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
      : 0
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsOfScans(child, table), own)
}
