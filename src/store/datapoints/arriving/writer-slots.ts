import { INT4, INT8, nullable } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Database, Sql, Transaction } from '../../../db/sql.ts'
import { buffersOf, createBuffer, emptyBuffers, lockBuffer, retireBuffer } from '../packed/partitions.ts'
import { raiseModelVersion } from '../../model/model-versions.ts'
import { forgetDomains } from './domains-of-buffers.ts'
import { wholeOf } from '../../model/units.ts'

// All times are by the clock of the database, because the clocks of two servers may differ by more than the time after
// which a server counts as dead.

/** SQL for the last number that was drawn for a flush by any process. */
export const DRAWN = `select case when is_called then last_value else last_value - 1 end from datapoint_generations`

const SLOT = { slot: INT4, settled: INT8 }

/** Makes a slot with its two buffers. No flush with a number up to `settled` may be written to it. */
export function claimSlot(database: Database, owner: string): Promise<RowOf<typeof SLOT>> {
  return database.transaction(async (sql) => {
    const [row] = await sql.rows(
      SLOT,
      `insert into writer_slots (slot, owner, heartbeat_at, settled, notes_domains)
       values (nextval('writer_slot_ids')::integer, $1::uuid, clock_timestamp(), (${DRAWN}), true)
       returning slot, settled`,
      [owner],
    )
    if (row === undefined) throw new Error('an insert returned no row')
    for (const buffer of buffersOf(row.slot)) await createBuffer(sql, buffer)
    return row
  })
}

/**
 * Notes that the owner of a slot is alive, and locks the slot until the end of the transaction, if there is one. False
 * if the slot does not exist any more or has another owner. `settledUpTo` gets the last drawn number, and returns the
 * number up to which the owner has no unfinished flush.
 */
export async function holdSlot(
  sql: Pick<Sql, 'rows'>,
  { slot, owner }: { readonly slot: number; readonly owner: string },
  settledUpTo: (drawn: number) => number,
): Promise<boolean> {
  const [row] = await sql.rows({ drawn: INT8 }, `select (${DRAWN}) as drawn`)
  const rows = await sql.rows(
    { one: INT4 },
    `update writer_slots set heartbeat_at = clock_timestamp(), settled = greatest(settled, $2)
     where slot = $1 and owner = $3::uuid returning 1 as one`,
    [slot, settledUpTo(row?.drawn ?? 0), owner],
  )
  return rows.length === 1
}

/**
 * Finds the slots of processes without a recent sign of life. If a sign is in the future, the clock of the database was
 * set back. Such a sign counts as one of now, so that a dead slot is still found after the usual time.
 */
export async function findDeadSlots(database: Database, afterSeconds: number, self: string): Promise<number[]> {
  const rows = await database.rows(
    { slot: INT4 },
    `with ahead as (
       select slot from writer_slots where heartbeat_at > clock_timestamp() for update skip locked
     ), corrected as (
       update writer_slots s set heartbeat_at = clock_timestamp() from ahead where s.slot = ahead.slot
     )
     select slot from writer_slots
     where heartbeat_at <= clock_timestamp() - make_interval(secs => $1) and owner <> $2::uuid order by slot`,
    [afterSeconds, self],
  )
  return rows.map(({ slot }) => slot)
}

/**
 * Takes a dead slot, unless another process is doing so. From then on no process can write to its buffers. A process
 * that still tries waits for the end of the transaction, and then finds no buffer.
 */
export async function takeSlot(sql: Transaction, slot: number, afterSeconds: number): Promise<boolean> {
  const [found] = await sql.query(
    `select slot from writer_slots
     where slot = $1 and heartbeat_at <= clock_timestamp() - make_interval(secs => $2) for update skip locked`,
    [slot, afterSeconds],
  )
  if (found === undefined) return false
  // This lock does not block readers. A session that still writes may take long to end, and folding may take long, too.
  for (const buffer of buffersOf(slot)) await lockBuffer(sql, buffer)
  return true
}

/** Empties and retires the buffers of a slot. Their points must already be in blocks and chunks. */
export async function endSlot(sql: Transaction, slot: number): Promise<void> {
  const buffers = buffersOf(slot)
  for (const buffer of buffers) await forgetDomains(sql, buffer, [])
  await emptyBuffers(sql, buffers)
  for (const buffer of buffers) await retireBuffer(sql, buffer)
  await sql.query(`delete from writer_slots where slot = $1`, [slot])
}

/**
 * Separates the stored flushes of a domain from all later ones, and returns the highest number of the stored ones. A
 * flush that was on its way has an older version of the model. So it is refused and checked again, and gets a higher
 * number. The transaction must hold the lock of the domain. Call this last in the transaction.
 */
export async function fenceFlushes(sql: Sql, domainId: number): Promise<number> {
  await raiseModelVersion(sql, domainId, 'systems')
  const [row] = await sql.rows({ drawn: INT8 }, `select (${DRAWN}) as drawn`)
  return row?.drawn ?? 0
}

/** Returns the highest number that was drawn for a flush. */
export async function lastGeneration(database: Database): Promise<number> {
  const [row] = await wholeOf(database).rows(
    { last: INT8 },
    `select case when is_called then last_value else 0 end as last from datapoint_generations`,
  )
  return row?.last ?? 0
}

/**
 * Returns a number. No flush up to this number is still unfinished: it is stored, or it will never be stored. It is the
 * lowest number of all slots, or the last drawn number if there are no slots. It needs a transaction in which each
 * statement sees all earlier commits.
 */
export async function settledGeneration(sql: Sql): Promise<number> {
  const [[drawn], [slots]] = await Promise.all([
    sql.rows({ last: INT8 }, `select (${DRAWN}) as last`),
    sql.rows({ settled: nullable(INT8) }, `select min(settled) as settled from writer_slots`),
  ])
  return slots?.settled ?? drawn?.last ?? 0
}
