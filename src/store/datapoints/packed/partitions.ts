import { setTimeout } from 'node:timers/promises'
import {
  partitionName,
  partitionNamed,
  partitionOf,
  type ChunkPartition,
  beginOfMonth,
} from '../../../datapoints/chunks/chunk-partition.ts'
import { TEXT } from '../../../db/columns.ts'
import { LOCK_NOT_AVAILABLE, sqlState } from '../../../db/sql-error.ts'
import type { Database, Sql, Transaction } from '../../../db/sql.ts'

const NAME = { name: TEXT }

/** Returns the two buffers of a slot: processes write to one while the other is folded. */
export function buffersOf(slot: number): readonly [number, number] {
  return [slot * 2, slot * 2 + 1]
}

export function bufferTable(buffer: number): string {
  return `datapoints_hot_${buffer}`
}

/** Makes the partition and then attaches it. This does not block readers of the other partitions. */
export async function createBuffer(sql: Transaction, buffer: number): Promise<void> {
  const table = bufferTable(buffer)
  await define(sql, [
    `create table ${table} (like datapoints_hot)`,
    `alter table ${table} alter column buffer set default ${buffer}`,
    `alter table ${table} alter column series set storage external, alter column points set storage external`,
    `alter table ${table} set (autovacuum_enabled = false, toast.autovacuum_enabled = false, toast_tuple_target = 8160)`,
    `alter table datapoints_hot attach partition ${table} for values in (${buffer})`,
  ])
}

/**
 * Renames a buffer, so that a process that still writes to it fails. It does not drop the buffer, because that needs
 * the lock of the whole table. A reader may hold that lock and wait for this buffer, so there would be a deadlock.
 */
export async function retireBuffer(sql: Transaction, buffer: number): Promise<void> {
  await sql.query(`alter table ${bufferTable(buffer)} rename to datapoints_retired_${buffer}`)
}

/** Drops the retired buffers. Readers wait meanwhile. */
export async function dropRetiredBuffers(database: Database): Promise<void> {
  await database.transaction(async (sql) => {
    await limitWaiting(sql)
    const retired = await sql.rows(
      NAME,
      `select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'datapoints_hot'::regclass and c.relname like 'datapoints_retired_%'`,
    )
    if (retired.length === 0) return
    await lockOutReaders(sql, 'only datapoints_hot')
    for (const { name } of retired) await sql.query(`drop table if exists ${name}`)
  })
}

/** Limits the wait for locks. Others queue behind a transaction that waits, so it stops soon and is retried later. */
export async function limitWaiting(sql: Transaction): Promise<void> {
  await sql.setLocal({ lock_timeout: '2s' })
}

/** The SQLSTATE of a table that does not exist, such as a retired buffer or a dropped partition. */
export const UNDEFINED_TABLE = '42P01'

/** Empties buffers. The caller must have locked out writers until the end of the transaction. */
export async function emptyBuffers(sql: Transaction, buffers: readonly number[]): Promise<void> {
  const tables = buffers.map(bufferTable).join(', ')
  await lockOutReaders(sql, tables)
  await sql.query(`truncate ${tables}`)
}

/** The wait of each attempt to lock out readers, in milliseconds. The last attempts outlast overlapping readers. */
const ATTEMPTS_MS = [50, 50, 50, 50, 50, 100, 100, 100, 200, 200, 400, 400, 800, 1_600]
const PAUSE_MS = 200

/**
 * Locks tables exclusively for this transaction. While it waits for the lock, new readers queue behind it, and so wait
 * for the slowest current reader. So each attempt is short, and readers continue in between.
 */
async function lockOutReaders(sql: Transaction, tables: string): Promise<void> {
  for (const [attempt, ms] of ATTEMPTS_MS.entries()) {
    await sql.query('savepoint before_attempt')
    await sql.setLocal({ lock_timeout: `${ms}ms` })
    try {
      await sql.query(`lock table ${tables} in access exclusive mode`)
      return await limitWaiting(sql)
    } catch (error) {
      if (sqlState(error) !== LOCK_NOT_AVAILABLE || attempt === ATTEMPTS_MS.length - 1) throw error
      await sql.query('rollback to savepoint before_attempt')
    }
    await setTimeout(PAUSE_MS)
  }
}

/** Waits for writers of a buffer, and locks out others until the end of the transaction. Readers are not blocked. */
export async function lockBuffer(sql: Transaction, buffer: number): Promise<void> {
  await sql.query(`lock table ${bufferTable(buffer)} in exclusive mode`)
}

function chunkTable(partition: ChunkPartition): string {
  return `datapoint_chunks_${partitionName(partition)}`
}

/** Makes the partition of a month, unless it exists. */
export function ensureChunkPartition(database: Database, month: number): Promise<void> {
  return database.transaction((sql) => ensureChunkPartitionWithin(sql, month))
}

/** Takes the lock that ATTACH needs anyway. If two transactions make one partition, the second waits and finds it. */
export async function ensureChunkPartitionWithin(sql: Transaction, month: number): Promise<void> {
  await limitWaiting(sql)
  await sql.query(`lock table only datapoint_chunks in share update exclusive mode`)
  const partition = partitionOf(month)
  if ((await listChunkPartitions(sql)).some(({ first }) => first === partition.first)) return
  const table = chunkTable(partition)
  await define(sql, [
    `create table ${table} (like datapoint_chunks including storage)`,
    `alter table datapoint_chunks attach partition ${table}
     for values from (${beginOfMonth(partition.first)}) to (${beginOfMonth(partition.next)})`,
  ])
}

/** Runs definitions one by one, because Citus accepts only one at a time. */
async function define(sql: Sql, definitions: readonly string[]): Promise<void> {
  for (const definition of definitions) await sql.query(definition)
}

/** All work on other partitions queues behind this lock, so dropping stops soon and is retried later. */
const DROP_TIMEOUT = '200ms'

/** Drops a partition if it is empty, and no transaction is writing to it. */
export async function dropEmptyPartition(database: Database, partition: ChunkPartition): Promise<void> {
  const table = chunkTable(partition)
  const isEmpty = async (sql: Sql): Promise<boolean> =>
    (await sql.query(`select 1 as one from ${table} limit 1`)).length === 0
  try {
    if (!(await database.read(isEmpty))) return
    await database.transaction(async (sql) => {
      await sql.setLocal({ lock_timeout: DROP_TIMEOUT })
      await sql.query(`lock table only datapoint_chunks in access exclusive mode`)
      if (await isEmpty(sql)) await sql.query(`drop table ${table}`)
    })
  } catch (error) {
    // Another process may have dropped the partition.
    if (![LOCK_NOT_AVAILABLE, UNDEFINED_TABLE].includes(sqlState(error) ?? '')) throw error
  }
}

export async function listChunkPartitions(sql: Sql): Promise<ChunkPartition[]> {
  const rows = await sql.rows(
    NAME,
    `select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'datapoint_chunks'::regclass`,
  )
  return rows.flatMap(({ name }) => partitionNamed(name) ?? [])
}

/** Lists the months with a partition, the latest first. */
export async function listChunkMonths(sql: Sql): Promise<number[]> {
  const partitions = await listChunkPartitions(sql)
  const months = partitions.flatMap(({ first, next }) =>
    Array.from({ length: next - first }, (_, index) => first + index),
  )
  return months.sort((a, b) => b - a)
}
