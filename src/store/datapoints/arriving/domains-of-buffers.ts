import { INT4, INT8 } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Database, Sql, Transaction } from '../../../db/sql.ts'

// A reader takes only the buffers that may have points of its domain, because planning and locking cost more with each
// partition (docs/decisions/0084).

/** The buffer of rows whose node was away (rows-aside.ts). Slots begin with 1, so no process writes to it. */
export const ASIDE = 0

/** The buffer of rows that cannot be read. Readers of its domains take it, so that they fail and miss no point silently. */
export const DAMAGED = -1

/** Notes domains of a buffer. Call it before the buffer gets their first points, because readers rely on it. */
export async function noteDomains(database: Database, buffer: number, domainIds: readonly number[]): Promise<void> {
  await database.rowsApart(
    { one: INT4 },
    `insert into domains_of_buffers (domain_id, buffer) select id, $1 from unnest($2::bigint[]) id
     on conflict do nothing returning 1 as one`,
    [buffer, domainIds.map(String)],
  )
}

/** Removes the notes of a buffer, except for some domains. The buffer must be locked and folded. */
export async function forgetDomains(sql: Transaction, buffer: number, except: Iterable<number>): Promise<void> {
  // Comparing each row with the whole list would take minutes for 60,000 domains.
  await sql.query(
    `delete from domains_of_buffers d
     where d.buffer = $1 and not exists (select from unnest($2::bigint[]) kept where kept = d.domain_id)`,
    [buffer, Array.from(except, String)],
  )
}

/**
 * Removes the notes that a process made after its slot was taken over, and those of domains whose damaged rows were
 * deleted. Numbers of slots are never used again.
 */
export async function forgetEndedBuffers(database: Database): Promise<void> {
  await database.statement(
    `delete from domains_of_buffers d
     where d.buffer > ${ASIDE} and not exists (select from writer_slots s where s.slot = d.buffer / 2)
       or d.buffer = ${DAMAGED} and not exists (select from datapoints_hot_damaged h where h.domain_id = d.domain_id)`,
  )
}

const HOT_BUFFER = { buffer: INT4, table: INT8, file: INT8 }

/** A buffer, and the file of its table in the snapshot of the reader. */
export type HotBuffer = RowOf<typeof HOT_BUFFER>

/** Reads the buffers that may have points of a domain in this snapshot. */
export function fetchBuffersOf(sql: Sql, domainId: number): Promise<HotBuffer[]> {
  return sql.rows(
    HOT_BUFFER,
    `select d.buffer, c.oid::int8 as table, c.relfilenode::int8 as file
     from (
       select buffer from domains_of_buffers where domain_id = $1
       union select slot * 2 + half from writer_slots cross join generate_series(0, 1) half where not notes_domains) d
     join pg_class c on c.relname = ('datapoints_hot_' || case d.buffer when ${DAMAGED} then 'damaged' else d.buffer::text end)::name
       and c.relnamespace = (select relnamespace from pg_class where oid = 'datapoints_hot'::regclass)`,
    [domainId],
  )
}

/** A buffer was folded after the snapshot of its reader, so the reader may have missed points. */
export class FoldedMeanwhile extends Error {
  constructor() {
    super('a buffer of datapoints was folded while it was read')
  }
}

/**
 * Throws if a buffer was folded after the snapshot. Call it after the buffers were read, while the transaction still
 * holds their locks. TRUNCATE gives a table another file. `pg_relation_filenode` returns the present file in every
 * snapshot.
 */
export async function refuseFolded(sql: Sql, buffers: readonly HotBuffer[]): Promise<void> {
  if (buffers.length === 0) return
  const folded = await sql.query(
    `select from unnest($1::bigint[], $2::bigint[]) read (id, file)
     where pg_relation_filenode(read.id::oid) is distinct from read.file::oid limit 1`,
    [buffers.map(({ table }) => String(table)), buffers.map(({ file }) => String(file))],
  )
  if (folded.length > 0) throw new FoldedMeanwhile()
}
