import { setTimeout } from 'node:timers/promises'
import {
  partitionName,
  partitionNamed,
  partitionOf,
  type ChunkPartition,
  beginOfMonth,
  monthOf,
} from '../../../datapoints/chunks/chunk-partition.ts'
import { TEXT } from '../../../db/columns.ts'
import { LOCK_NOT_AVAILABLE, sqlState } from '../../../db/sql-error.ts'
import type { Database, Sql, Transaction } from '../../../db/sql.ts'

const NAME = { name: TEXT }

export { beginOfMonth, monthOf }

/** A slot has two buffers: while one is folded the other one is written. */
export function buffersOf(slot: number): readonly [number, number] {
  return [slot * 2, slot * 2 + 1]
}

export function bufferTable(buffer: number): string {
  return `datapoints_hot_${buffer}`
}

/** Makes the partition and then attaches it, so that readers of the other partitions go on. */
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
 * Takes the name of a buffer away, so that a process that still writes to it fails. To drop the buffer in the same
 * transaction would need the lock of the whole table, which a reader may hold that waits for this buffer: the two would
 * wait for each other.
 */
export async function retireBuffer(sql: Transaction, buffer: number): Promise<void> {
  await sql.query(`alter table ${bufferTable(buffer)} rename to datapoints_retired_${buffer}`)
}

/** Drops the buffers that were retired. Readers wait meanwhile. */
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

/** A transaction that waits for a lock makes others wait behind it, so it gives up soon and is tried again. */
export async function limitWaiting(sql: Transaction): Promise<void> {
  await sql.setLocal({ lock_timeout: '2s' })
}

/** The SQLSTATE where a table is not there, such as a buffer that was retired or a partition that was dropped. */
export const UNDEFINED_TABLE = '42P01'

/** Empties buffers that nobody may write to until the end of the transaction. */
export async function emptyBuffers(sql: Transaction, buffers: readonly number[]): Promise<void> {
  const tables = buffers.map(bufferTable).join(', ')
  await lockOutReaders(sql, tables)
  await sql.query(`truncate ${tables}`)
}

/** How long each attempt to lock readers out may wait, in milliseconds. The last ones outlast readers that always overlap. */
const ATTEMPTS_MS = [50, 50, 50, 50, 50, 100, 100, 100, 200, 200, 400, 400, 800, 1_600]
const PAUSE_MS = 200

/**
 * Locks tables for this transaction alone. All who come to read wait behind a transaction that waits for that, and so for the
 * longest of those who read already. So each attempt is short, and in between the readers go on.
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

/** Waits for who writes to a buffer, and lets nobody else do so until the end of the transaction. Readers go on. */
export async function lockBuffer(sql: Transaction, buffer: number): Promise<void> {
  await sql.query(`lock table ${bufferTable(buffer)} in exclusive mode`)
}

function chunkTable(partition: ChunkPartition): string {
  return `datapoint_chunks_${partitionName(partition)}`
}

/** Makes the partition of a month. */
export function ensureChunkPartition(database: Database, month: number): Promise<void> {
  return database.transaction((sql) => ensureChunkPartitionWithin(sql, month))
}

/** Takes the lock that ATTACH takes in any case, so that of two that make one partition the second waits and finds it. */
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

/** Citus takes one definition at a time. */
async function define(sql: Sql, definitions: readonly string[]): Promise<void> {
  for (const definition of definitions) await sql.query(definition)
}

/** All work on other partitions waits behind the lock too, so dropping gives up soon and is tried again. */
const DROP_TIMEOUT = '200ms'

/** Drops a partition if it holds nothing, and no transaction is just writing to it. */
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

/** The months that have a partition, the latest first. */
export async function listChunkMonths(sql: Sql): Promise<number[]> {
  const partitions = await listChunkPartitions(sql)
  const months = partitions.flatMap(({ first, next }) =>
    Array.from({ length: next - first }, (_, index) => first + index),
  )
  return months.sort((a, b) => b - a)
}
