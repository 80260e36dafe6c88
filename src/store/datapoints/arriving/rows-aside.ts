import { BOOL, INT8 } from '../../../db/columns.ts'
import type { Database, Transaction } from '../../../db/sql.ts'
import { bufferTable, createBuffer, emptyBuffers, lockBuffer } from '../packed/partitions.ts'
import { ASIDE } from './domains-of-buffers.ts'

// If a node of Citus is away, the hot rows of its domains cannot be folded. They move to a buffer of their own, so that
// the
// buffers of processes can be folded and emptied. A transaction that changes this buffer has locked it (`lockBuffer`).

/** Lists the domains that may have rows in a buffer. */
export async function listDomainsOfBuffer(database: Database, buffer: number): Promise<number[]> {
  const noted = 'select domain_id as id from domains_of_buffers where buffer = $1 order by 1'
  return (await database.rows({ id: INT8 }, noted, [buffer])).map(({ id }) => id)
}

/** Makes the buffer when it is first needed. It may have rows of thousands of domains, which are folded one by one. */
async function ensureAside(sql: Transaction): Promise<void> {
  await sql.query('lock table only datapoints_hot in share update exclusive mode')
  const [row] = await sql.rows({ found: BOOL }, `select to_regclass('${bufferTable(ASIDE)}') is not null as found`)
  if (row?.found === true) return
  await createBuffer(sql, ASIDE)
  await sql.query(`create index on ${bufferTable(ASIDE)} (domain_id)`)
}

/** Moves the rows of some domains from a buffer, which nobody may write to meanwhile, and notes it for readers. */
export async function setRowsAside(sql: Transaction, buffer: number, domainIds: readonly number[]): Promise<void> {
  await ensureAside(sql)
  await lockBuffer(sql, ASIDE)
  const columns = 'domain_id, generation, series_lo, series_hi, t0, t1, count, series, points'
  await sql.query(
    `with gone as (delete from ${bufferTable(buffer)} where domain_id = any ($1::bigint[]) returning ${columns})
     insert into ${bufferTable(ASIDE)} (${columns}) select ${columns} from gone`,
    [domainIds.map(String)],
  )
  await sql.query(
    `insert into domains_of_buffers (domain_id, buffer) select id, ${ASIDE} from unnest($1::bigint[]) id
     on conflict do nothing`,
    [domainIds.map(String)],
  )
}

/**
 * Notes that a domain has no rows aside. With the last domain, it also empties the buffer, because readers would read
 * its deleted rows.
 */
export async function endRowsAside(sql: Transaction, domainId: number): Promise<void> {
  await sql.query(`delete from domains_of_buffers where buffer = ${ASIDE} and domain_id = $1`, [domainId])
  const left = await sql.query(
    `select 1 as one where exists (select from domains_of_buffers where buffer = ${ASIDE})
       or exists (select from ${bufferTable(ASIDE)})`,
  )
  if (left.length === 0) await emptyBuffers(sql, [ASIDE])
}
