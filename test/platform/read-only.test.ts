import { describe, expect, it } from 'vitest'
import { INT8 } from '../../src/db/columns.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import type { Database } from '../../src/db/sql.ts'
import { listApplies, listApplyChanges } from '../../src/platform/imports/history/applies.ts'
import { applyImport, type ApplyRequest } from '../../src/platform/imports/applying/apply-import.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { exportDocument } from '../../src/platform/imports/export-document.ts'
import { planImport } from '../../src/platform/imports/planning/plan-import.ts'
import { planRollback } from '../../src/platform/imports/applying/roll-back.ts'
import { NO_SETTINGS } from '../../src/records/settings.ts'
import { prepareSample, sampleDomain } from '../faults/sample.ts'
import { createPostgresDatabase, DATABASES } from '../support/databases.ts'
import { MIGRATED_TEMPLATE } from '../support/global-setup.ts'
import { dumpTables } from '../support/table-dump.ts'

/** Everything that looks and must not touch; the plan is one with creations, updates, moves, deletions and secrets. */
async function lookAtEverything(context: DomainContext, { document, settings }: ApplyRequest): Promise<void> {
  const { plan } = await planImport(context, document, settings)
  expect(new Set(plan.changes.map(({ action }) => action))).toStrictEqual(
    new Set(['create', 'update', 'move', 'delete']),
  )
  await exportDocument(context, null)
  for (const { uuid } of await listApplies(context, 10, null)) {
    await listApplyChanges(context, uuid)
    await planRollback(context, uuid, NO_SETTINGS)
  }
}

describe.each(DATABASES)('on $name', ({ openMigrated }) => {
  it('a plan runs in read-only transactions, has no transaction id at their end and leaves every table as it was', async () => {
    const database = await openMigrated()
    const context = await sampleDomain(database)
    const request = await prepareSample(context)
    const before = await dumpTables(database)
    const ends: object[] = []
    await lookAtEverything({ ...context, database: noteEnds(database, ends) }, request)
    expect(ends.length).toBeGreaterThanOrEqual(5)
    for (const end of ends) expect(end).toStrictEqual({ readOnly: 'on', xid: null })
    expect(await dumpTables(database)).toStrictEqual(before)
    await database.close()
  })
})

function refuse(): never {
  throw new Error('this is not reading')
}

/** Notes what each transaction has become by its end, and knows no other than reading ones. */
function noteEnds(database: Database, ends: object[]): Database {
  return {
    read: (work) =>
      database.read(async (sql) => {
        const result = await work(sql)
        ends.push(
          ...(await sql.query(
            `select current_setting('transaction_read_only') as "readOnly", pg_current_xact_id_if_assigned()::text as xid`,
          )),
        )
        return result
      }),
    transaction: refuse,
    rows: refuse,
    rowsApart: refuse,
    rowsAtOnce: refuse,
    statement: refuse,
    script: refuse,
    close: refuse,
  }
}

it('a plan writes no log record and no row on PostgreSQL, and an apply does', async () => {
  const { url, drop } = await createPostgresDatabase(MIGRATED_TEMPLATE)
  // One connection, so that its own statistics are those of the plan and of nothing else in the cluster.
  const database = await openPostgres(url, { maxConnections: 1 })
  const context = await sampleDomain(database)
  const request = await prepareSample(context)
  const before = await writtenBy(database)
  let last = before
  let quiet = false
  // A reader tidies up the pages that writers have left, which is logged too. That comes to an end; writing would not.
  for (let attempt = 0; !quiet && attempt < 10; attempt += 1) {
    await lookAtEverything(context, request)
    const now = await writtenBy(database)
    expect(now.rows).toStrictEqual(before.rows)
    quiet = now.wal === last.wal
    last = now
  }
  expect(quiet).toBe(true)
  await applyImport(context, request)
  const applied = await writtenBy(database)
  expect(applied.rows).not.toStrictEqual(before.rows)
  expect(applied.wal).toBeGreaterThan(last.wal)
  await database.close()
  await drop()
})

interface Written {
  /** Bytes of write-ahead log. */
  readonly wal: number
  readonly rows: object | undefined
}

async function writtenBy(database: Database): Promise<Written> {
  await database.read((sql) => sql.query('select pg_stat_force_next_flush()'))
  return database.read(async (sql) => {
    const [log] = await sql.rows(
      { bytes: INT8 },
      'select wal_bytes::bigint as bytes from pg_stat_get_backend_wal(pg_backend_pid())',
    )
    const [rows] = await sql.query(
      `select sum(n_tup_ins) as inserted, sum(n_tup_upd) as updated, sum(n_tup_del) as deleted from pg_stat_user_tables`,
    )
    return { wal: log?.bytes ?? 0, rows }
  })
}
