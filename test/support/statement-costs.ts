import { json } from '../../src/db/columns.ts'
import type { Database, Sql, SqlValue } from '../../src/db/sql.ts'

/**
 * The cost of a statement: the blocks of 8 kB that it reads, from memory or disk, including those of functions that
 * it calls.
 */
export interface StatementCost {
  readonly text: string
  readonly blocks: number
}

export interface CostingDatabase extends Database {
  /** The costs of the statements of `work`. Each is explained, which runs it, and then run again. */
  costsOf(work: () => Promise<unknown>): Promise<readonly StatementCost[]>
}

const EXPLAINED = { 'QUERY PLAN': json((plan): plan is readonly { readonly Plan: Buffers }[] => Array.isArray(plan)) }

interface Buffers {
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
}

type Explain = (text: string, values?: readonly SqlValue[]) => Promise<void>

/** For PostgreSQL. It does not measure locks, settings and cursors. */
export function costingDatabase(database: Database): CostingDatabase {
  let costs: StatementCost[] | null = null
  const explainBy =
    (rows: Sql['rows']): Explain =>
    async (text, values) => {
      if (costs === null || !/^\s*(?:select|with|insert|update|delete)\b/i.test(text)) return
      const [row] = await rows(EXPLAINED, `explain (analyze, buffers, timing off, format json) ${text}`, values)
      const plan = row?.['QUERY PLAN'][0]?.Plan
      costs.push({
        text,
        blocks: plan === undefined ? Number.NaN : plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
      })
    }
  const apart =
    (rows: Sql['rows']): Sql['rows'] =>
    async (shape, text, values) => {
      await explainBy(rows)(text, values)
      return rows(shape, text, values)
    }
  return {
    ...database,
    read: (work) => database.read((sql) => work(explained(sql, explainBy(sql.rows)))),
    transaction: (work) =>
      database.transaction((sql) => work({ ...sql, ...explained(sql, leavingNothing(sql, explainBy(sql.rows))) })),
    rows: apart(database.rows),
    rowsApart: apart(database.rowsApart),
    async costsOf(work) {
      costs = []
      try {
        await work()
        return costs
      } finally {
        costs = null
      }
    },
  }
}

/** Statements that are sent at once are explained and run in their order. */
function explained(sql: Sql, explain: Explain): Sql {
  let last: Promise<unknown> = Promise.resolve()
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const own = last.then(work)
    last = own.catch(() => undefined)
    return own
  }
  return {
    rows: (shape, text, values) => inOrder(() => explain(text, values).then(() => sql.rows(shape, text, values))),
    query: (text, values) => inOrder(() => explain(text, values).then(() => sql.query(text, values))),
    limit: (ms) => inOrder(() => sql.limit(ms)),
    setLocal: (settings) => inOrder(() => sql.setLocal(settings)),
    lockAfter: (savepoint, lock, settings) => inOrder(() => sql.lockAfter(savepoint, lock, settings)),
  }
}

/** Undoes the effects of explaining a statement, because explaining runs it. */
function leavingNothing(sql: Sql, explain: Explain): Explain {
  return async (text, values) => {
    await sql.query('savepoint before_explain')
    await explain(text, values)
    await sql.query('rollback to savepoint before_explain')
  }
}
