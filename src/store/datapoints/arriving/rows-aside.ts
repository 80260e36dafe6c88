import { BOOL, INT8 } from '../../../db/columns.ts'
import type { Database, Sql, Transaction } from '../../../db/sql.ts'
import { bufferTable, createBuffer } from '../packed/partitions.ts'

// If a node of Citus is away, the hot rows of its domains cannot be folded. They move to a buffer of their own, so that the
// buffers of processes can be folded and emptied. Slots begin with 1, so no process writes to this buffer.

/** The buffer of rows whose node was away. It exists from the first such row on. */
export const ASIDE = 0

async function isThere(sql: Pick<Sql, 'rows'>): Promise<boolean> {
  const [row] = await sql.rows({ found: BOOL }, `select to_regclass('${bufferTable(ASIDE)}') is not null as found`)
  return row?.found === true
}

/** Lists the domains with rows in a buffer. */
export async function listDomainsOfBuffer(database: Database, buffer: number): Promise<number[]> {
  const rows = await database.rows(
    { id: INT8 },
    `select distinct domain_id as id from ${bufferTable(buffer)} order by 1`,
  )
  return rows.map(({ id }) => id)
}

/** Lists the domains with rows that were set aside. */
export async function listDomainsAside(database: Database): Promise<number[]> {
  return (await isThere(database)) ? listDomainsOfBuffer(database, ASIDE) : []
}

/** Moves the rows of some domains from a buffer, which nobody may write to meanwhile. */
export async function setRowsAside(sql: Transaction, buffer: number, domainIds: readonly number[]): Promise<void> {
  if (!(await isThere(sql))) await createBuffer(sql, ASIDE)
  const columns = 'domain_id, generation, series_lo, series_hi, t0, t1, count, series, points'
  await sql.query(
    `with gone as (delete from ${bufferTable(buffer)} where domain_id = any ($1::bigint[]) returning ${columns})
     insert into ${bufferTable(ASIDE)} (${columns}) select ${columns} from gone`,
    [domainIds.map(String)],
  )
}

/** Lets only one process fold the rows aside. Others can still add rows. */
export async function lockRowsAside(sql: Transaction): Promise<void> {
  await sql.query(`lock table ${bufferTable(ASIDE)} in share update exclusive mode`)
}
