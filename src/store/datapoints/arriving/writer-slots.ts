import { INT4, INT8, nullable } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Database, Sql, Transaction } from '../../../db/sql.ts'
import { buffersOf, createBuffer, emptyBuffers, lockBuffer, retireBuffer } from '../packed/partitions.ts'
import { wholeOf } from '../../model/units.ts'

// All times are by the clock of the database. The clocks of two servers may differ by more than the time after which
// one of them counts as dead.

/** SQL for the last number that any process has drawn for a flush. */
export const DRAWN = `select case when is_called then last_value else last_value - 1 end from datapoint_generations`

const SLOT = { slot: INT4, settled: INT8 }

/** Makes a slot with its two buffers. No flush whose number was drawn by then, up to `settled`, may be written to it. */
export function claimSlot(database: Database, owner: string): Promise<RowOf<typeof SLOT>> {
  return database.transaction(async (sql) => {
    const [row] = await sql.rows(
      SLOT,
      `insert into writer_slots (slot, owner, heartbeat_at, settled)
       values (nextval('writer_slot_ids')::integer, $1::uuid, clock_timestamp(), (${DRAWN})) returning slot, settled`,
      [owner],
    )
    if (row === undefined) throw new Error('an insert returned no row')
    for (const buffer of buffersOf(row.slot)) await createBuffer(sql, buffer)
    return row
  })
}

/**
 * Keeps a slot as it is until the end of the transaction, if there is one, and notes that its owner is alive; false where the slot is gone or
 * has another owner by now. `settledUpTo` says up to which of the numbers drawn so far the owner has no flush on its way.
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
 * Finds the slots of processes that gave no sign of life. A sign that lies ahead is from before the clock of the database went
 * back: it counts as one of now, so that the slot is dead as soon as any other, or its owner gives the next one.
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
 * Takes a slot that is dead, unless another process is doing so. From then on no process can write to its buffers: one
 * that still tries waits for the end of the transaction, and finds them gone.
 */
export async function takeSlot(sql: Transaction, slot: number, afterSeconds: number): Promise<boolean> {
  const [found] = await sql.query(
    `select slot from writer_slots
     where slot = $1 and heartbeat_at <= clock_timestamp() - make_interval(secs => $2) for update skip locked`,
    [slot, afterSeconds],
  )
  if (found === undefined) return false
  // Readers go on: a session that still writes may take long to end, and so may folding.
  for (const buffer of buffersOf(slot)) await lockBuffer(sql, buffer)
  return true
}

/** Empties and retires the buffers of a slot, whose points must be in blocks and chunks by now. */
export async function endSlot(sql: Transaction, slot: number): Promise<void> {
  const buffers = buffersOf(slot)
  await emptyBuffers(sql, buffers)
  for (const buffer of buffers) await retireBuffer(sql, buffer)
  await sql.query(`delete from writer_slots where slot = $1`, [slot])
}

/** The highest number that was drawn for a flush. */
export async function lastGeneration(database: Database): Promise<number> {
  const [row] = await wholeOf(database).rows(
    { last: INT8 },
    `select case when is_called then last_value else 0 end as last from datapoint_generations`,
  )
  return row?.last ?? 0
}

/**
 * A number up to which each flush is stored or never will be: the least that the processes say of their slots, or the last
 * number that was drawn, where no process writes. In a transaction of which each statement sees what is committed by then.
 */
export async function settledGeneration(sql: Sql): Promise<number> {
  const [[drawn], [slots]] = await Promise.all([
    sql.rows({ last: INT8 }, `select (${DRAWN}) as last`),
    sql.rows({ settled: nullable(INT8) }, `select min(settled) as settled from writer_slots`),
  ])
  return slots?.settled ?? drawn?.last ?? 0
}
