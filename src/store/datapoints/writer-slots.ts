import type { Database, Sql, Transaction } from '../../db/sql.ts'
import { buffersOf, bufferTable, createBuffer, emptyBuffer, retireBuffer } from './partitions.ts'

// The clock of the database is used: those of two servers may differ by more than the time after which one counts as dead.

/** The last number that any process has drawn. */
export const DRAWN = `select case when is_called then last_value else last_value - 1 end from datapoint_generations`

/** A new slot with its two buffers. Nothing drawn before may be written to it. */
export function claimSlot(database: Database, owner: string): Promise<number> {
  return database.transaction(async (sql) => {
    const [row] = await sql.query<{ slot: number }>(
      `insert into writer_slots (slot, owner, heartbeat_at, settled)
       values (nextval('writer_slot_ids')::integer, $1::uuid, clock_timestamp(), (${DRAWN})) returning slot`,
      [owner],
    )
    if (row === undefined) throw new Error('an insert returned no row')
    for (const buffer of buffersOf(row.slot)) await createBuffer(sql, buffer)
    return row.slot
  })
}

/**
 * False where the slot is somebody else's by now. Until the end of the transaction it stays as it is. `settledUpTo` says
 * up to which of the numbers drawn so far its owner has no flush on its way any more.
 */
export async function holdSlot(sql: Sql, slot: number, settledUpTo: (drawn: number) => number): Promise<boolean> {
  const [row] = await sql.query<{ drawn: number }>(`select (${DRAWN}) as drawn`)
  const rows = await sql.query(
    `update writer_slots set heartbeat_at = clock_timestamp(), settled = greatest(settled, $2)
     where slot = $1 returning 1 as one`,
    [slot, settledUpTo(row?.drawn ?? 0)],
  )
  return rows.length === 1
}

export async function findDeadSlots(database: Database, afterSeconds: number, self: string): Promise<number[]> {
  const rows = await database.statement<{ slot: number }>(
    `select slot from writer_slots
     where heartbeat_at <= clock_timestamp() - make_interval(secs => $1) and owner <> $2::uuid order by slot`,
    [afterSeconds, self],
  )
  return rows.map(({ slot }) => slot)
}

/**
 * Takes a slot that is dead, unless somebody else is doing so. Then nobody can write to its buffers: who still tries
 * waits for the end of the transaction, and finds them gone.
 */
export async function takeSlot(sql: Sql, slot: number, afterSeconds: number): Promise<boolean> {
  const [found] = await sql.query(
    `select slot from writer_slots
     where slot = $1 and heartbeat_at <= clock_timestamp() - make_interval(secs => $2) for update skip locked`,
    [slot, afterSeconds],
  )
  if (found === undefined) return false
  for (const buffer of buffersOf(slot)) await sql.query(`lock table ${bufferTable(buffer)} in access exclusive mode`)
  return true
}

/** What is in its buffers must be in chunks: they are emptied. */
export async function endSlot(sql: Transaction, slot: number): Promise<void> {
  for (const buffer of buffersOf(slot)) {
    await emptyBuffer(sql, buffer)
    await retireBuffer(sql, buffer)
  }
  await sql.query(`delete from writer_slots where slot = $1`, [slot])
}
