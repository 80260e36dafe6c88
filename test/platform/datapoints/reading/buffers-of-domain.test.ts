import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { INT8, TEXT } from '../../../../src/db/columns.ts'
import { openPostgres } from '../../../../src/db/postgres/postgres.ts'
import type { Database, Sql } from '../../../../src/db/sql.ts'
import { Datapoints } from '../../../../src/platform/datapoints/datapoints.ts'
import { readLatest } from '../../../../src/platform/datapoints/reading/read-datapoints.ts'
import type { DomainContext } from '../../../../src/platform/domain-context.ts'
import { claimSlot } from '../../../../src/store/datapoints/arriving/writer-slots.ts'
import { countingDatabase, type BeforeStatement } from '../../../support/counting-database.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../../../support/databases.ts'
import { emptyDomain, makeDomain } from '../../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../../support/global-setup.ts'
import { makeSite, type Site } from '../../../support/site.ts'

// A reader takes the buffers of its domain only, and misses no point.

const NOON = Date.UTC(2026, 2, 1, 12)
const ANYBODY = { systemUuid: null, units: null }

let place: PostgresDatabase
let databases: readonly [Database, Database]
let context: DomainContext
let site: Site

beforeAll(async () => {
  place = await createPostgresDatabase(MIGRATED_TEMPLATE)
  const open = () => openPostgres(place.url, { maxConnections: 4 })
  databases = [await open(), await open()]
})
beforeEach(async () => {
  context = await makeDomain(databases[0])
  await emptyDomain(context)
  site = await makeSite(context)
})
afterAll(async () => {
  for (const database of databases) await database.close()
  await place.drop()
})

/** A server that writes. */
function writer(isAlone = false): Datapoints {
  return new Datapoints({ ...context, database: databases[1], isAlone })
}

async function send(to: Datapoints, value: number, second: number): Promise<void> {
  const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
  const elements = [site.point('temperature', value, NOON + second * 1_000)]
  expect(await to.ingest.add(who, elements)).toMatchObject({ stored: 1 })
}

/** The last value, read by a server that calls `before` ahead of each statement. */
async function last(before?: BeforeStatement): Promise<unknown> {
  const [found] = await readLatest({ ...context, database: countingDatabase(databases[0], before) }, ANYBODY, {})
  return found?.point.value
}

/** Calls `change` once, when a reader has its snapshot and asks for hot points. */
function onceBeforeHot(change: () => Promise<unknown>): BeforeStatement {
  let isChanged = false
  return async ({ text }) => {
    if (isChanged || !/^select [\s\S]* from datapoints_hot h/.test(text)) return
    isChanged = true
    await change()
  }
}

/** The tables of hot points that the session of a reader holds while it reads, and the statements that it sends. */
async function lockedBy(
  read: (database: Database) => Promise<unknown>,
): Promise<{ locks: number; statements: number }> {
  let locks = 0
  let statements = 0
  const counted = (sql: Sql): Sql => ({
    ...sql,
    query: async (text, values) => {
      statements += 1
      if (text.startsWith('rollback to')) {
        const [row] = await sql.rows(
          { locks: INT8 },
          `select count(*) as locks from pg_locks l join pg_class c on c.oid = l.relation
           where l.pid = pg_backend_pid() and c.relname ~ '^datapoints_hot'`,
        )
        locks = row?.locks ?? 0
      }
      return sql.query(text, values)
    },
    rows: (shape, text, values) => {
      statements += 1
      return sql.rows(shape, text, values)
    },
  })
  const [database] = databases
  await read({ ...database, read: (work) => database.read((sql) => work(counted(sql))) })
  return { locks, statements }
}

const lockedByLatest = () => lockedBy((database) => readLatest({ ...context, database }, ANYBODY, {}))

it('locks as many buffers with 80 writers as with 3, in as many statements', async () => {
  const own = writer()
  await send(own, 20, 0)
  for (let slot = 0; slot < 2; slot++) await claimSlot(databases[0], crypto.randomUUID())
  const few = await lockedByLatest()
  for (let slot = 0; slot < 77; slot++) await claimSlot(databases[0], crypto.randomUUID())
  expect(await lockedByLatest()).toStrictEqual(few)
  // The table itself and one buffer of the only writer.
  expect(few.locks).toBe(2)
  const alone = await databases[0].read((sql) =>
    sql.rows({ plan: TEXT }, 'select count(*)::text as plan from pg_inherits'),
  )
  expect(Number(alone[0]?.plan)).toBeGreaterThan(160)
  await own.close()
  await writer(true).takeOver()
})

it('reads the points that a writer folds after the snapshot', async () => {
  const own = writer()
  await send(own, 20, 0)
  expect(await last(onceBeforeHot(() => own.compactor.compact()))).toBe(20)
  await own.close()
})

it('reads the points of a dead writer whose buffers are folded, renamed and dropped after the snapshot', async () => {
  const dead = writer()
  await send(dead, 21, 0)
  const successor = writer(true)
  let taking: Promise<void> | undefined
  // The reader holds the table, so the renamed buffers are dropped when it has ended.
  const before = onceBeforeHot(async () => {
    taking = successor.takeOver()
    while ((await databases[1].statement('select from writer_slots')).length > 0) continue
  })
  expect(await last(before)).toBe(21)
  await taking
  await dead.close()
  await successor.close()
})

it('reads what any of several writers has acknowledged, whichever buffer has it', async () => {
  const writers = [writer(), writer(), writer()]
  for (let round = 0; round < 12; round++) {
    const own = writers[round % 3] ?? writer()
    await send(own, round, round)
    expect(await last()).toBe(round)
    if (round % 2 === 0) await own.compactor.compact()
    expect(await last()).toBe(round)
  }
  for (const one of writers) await one.close()
})

it('reads the points of a writer of an earlier release, which notes no domains', async () => {
  const own = writer()
  await send(own, 22, 0)
  await databases[0].script('delete from domains_of_buffers; update writer_slots set notes_domains = false')
  expect(await last()).toBe(22)
  await own.close()
})

it('tells of a row that arrived and cannot be read', async () => {
  const own = writer()
  await send(own, 23, 0)
  await own.compactor.compact()
  expect(await last()).toBe(23)
  const columns = 'generation, series_lo, series_hi, t0, t1, count, series, points'
  await databases[0].statement(
    `insert into datapoints_hot_damaged (buffer, domain_id, ${columns})
     select -1, domain_id, generation, id, id, 0, ${Number.MAX_SAFE_INTEGER}, 1, '\\x01ff', '\\x00'
     from datapoint_blocks join series using (domain_id)`,
  )
  await own.tidy()
  await expect(last()).rejects.toThrow(/a stored segment is damaged/)
  await databases[0].statement('delete from datapoints_hot_damaged')
  expect(await last()).toBe(23)
  await own.tidy()
  expect(await databases[0].statement('select from domains_of_buffers where buffer < 0')).toStrictEqual([])
  await own.close()
})

it('forgets a domain at the second fold after its last points, and the notes of a slot that has ended', async () => {
  const other = await makeDomain(databases[0], 'other')
  const elsewhere = await makeSite(other)
  const own = writer()
  const notes = async () => {
    const rows = await databases[0].rows({ id: INT8 }, 'select domain_id as id from domains_of_buffers order by 1')
    return rows.map(({ id }) => (id === other.domain.id ? 'other' : 'own'))
  }
  const sendElsewhere = () =>
    own.ingest.add({ domainId: other.domain.id, actor: 'tester', systemUuid: null, units: null }, [
      elsewhere.point('temperature', 1),
    ])
  await send(own, 1, 0)
  await sendElsewhere()
  expect(await notes()).toStrictEqual(['own', 'other'])
  for (let fold = 0; fold < 4; fold++) {
    await own.compactor.compact()
    await sendElsewhere()
  }
  expect(await notes()).toStrictEqual(['other', 'other'])
  expect(await last()).toBe(1)
  await own.close()
  expect(await notes()).toStrictEqual([])
  await databases[0].statement(`insert into domains_of_buffers (domain_id, buffer) values ($1, 999999)`, [
    other.domain.id,
  ])
  expect(await last()).toBe(1)
  await own.tidy()
  expect(await notes()).toStrictEqual([])
})
