import { afterAll, beforeAll, expect, it } from 'vitest'
import { INT8 } from '../../../src/db/columns.ts'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import type { Database, Sql } from '../../../src/db/sql.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { readMigrations } from '../../../src/db/read-migrations.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { readLatest } from '../../../src/platform/datapoints/reading/read-datapoints.ts'
import { NEWEST_ROWS } from '../../../src/platform/datapoints/reading/stored/latest-in-blocks.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { makeDomain } from '../../support/domain.ts'
import { startPostgres, type PostgresServer } from '../../support/postgres-server.ts'
import { makeSite, type Site } from '../../support/site.ts'

// What a fleet leaves: each series sends one point a minute, and gateways pass on a thousand of them at once. The server
// is of this test alone, since its log is that of all databases.

const MINUTE = 60_000
const SERIES = 5_000
const ROUNDS = 60
const BEGIN = Date.UTC(2026, 2, 1, 12)
const OF_GATEWAY = 1_000
const ANYBODY = { systemUuid: null, units: null }

let server: PostgresServer
let database: Database
let context: DomainContext
let site: Site
let datapoints: Datapoints

beforeAll(async () => {
  server = await startPostgres()
  database = await openPostgres(`${server.url}/postgres`, { maxConnections: 4 })
  await migrate(database, await readMigrations(new URL('../../../src/db/migrations/', import.meta.url)))
  context = { ...(await makeDomain(database)), now: () => new Date(BEGIN + 2 * 3_600_000) }
  site = await makeSite(context, SERIES / 2)
  datapoints = new Datapoints({ ...context, isAlone: true })
})
afterAll(async () => {
  await datapoints.close()
  await database.close()
  await server.stop()
})

async function send(round: number): Promise<void> {
  const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
  const elements = Array.from({ length: SERIES }, (_, index) => {
    // A device sends at its own second of the minute.
    const at = BEGIN + round * MINUTE + ((index * 7_919) % 59_999)
    const value = index % 2 === 0 ? (200 + ((index + round * 3) % 60)) / 10 : 1_000 + round
    return site.point(index % 2 === 0 ? 'temperature' : 'count', value, at, index >> 1)
  })
  for (let from = 0; from < SERIES; from += OF_GATEWAY)
    await datapoints.ingest.add(who, elements.slice(from, from + OF_GATEWAY))
}

interface Size {
  readonly rows: number
  /** Of a point: what its rows take, with what PostgreSQL needs for each. */
  readonly bytes: number
}

async function sizeOf(
  table: 'datapoints_hot' | 'datapoint_blocks' | 'datapoint_chunks',
  points: number,
): Promise<Size> {
  const [row] = await database.rows(
    { rows: INT8, bytes: INT8 },
    `select count(*) as rows, coalesce(sum(pg_column_size(one.*)), 0)::int8 as bytes from ${table} one`,
  )
  return { rows: row?.rows ?? Number.NaN, bytes: (row?.bytes ?? Number.NaN) / points }
}

/** The bytes of all tables of datapoints with their indexes and long values, without what deleted rows have left. */
async function wholeSize(): Promise<number> {
  for (const table of ['datapoint_blocks', 'datapoint_chunks']) await database.script(`vacuum full ${table}`)
  const [row] = await database.rows(
    { bytes: INT8 },
    `select sum(pg_total_relation_size(c.oid))::int8 as bytes from pg_class c
     where c.relkind = 'r' and c.relname like 'datapoint%'`,
  )
  return row?.bytes ?? Number.NaN
}

/** The bytes of the log that work writes for each of so many points. */
async function logged(points: number, work: () => Promise<unknown>): Promise<number> {
  const before = await insertedLog()
  await work()
  return ((await insertedLog()) - before) / points
}

async function insertedLog(): Promise<number> {
  const [row] = await database.rows({ at: INT8 }, `select (pg_current_wal_insert_lsn() - '0/0')::int8 as at`)
  return row?.at ?? Number.NaN
}

const EMPTY: Size = { rows: 0, bytes: 0 }
const between = (least: number, most: number) =>
  expect.toSatisfy((value: number) => value > least && value < most, `between ${least} and ${most}`) as number
/** Blocks of 256 of them, wherever their numbers begin. */
const BLOCKS = between(SERIES / 256, SERIES / 256 + 2)

it('an hour of a fleet is a few rows for each block, and then one that lasts', async () => {
  // Whatever is done once comes first.
  await send(0)
  await datapoints.compactor.compact()
  await database.script('truncate datapoint_blocks')
  await datapoints.blockMerger.sweep()
  let log = 0
  for (let round = 0; round < 32; round++) {
    const stored = await logged(SERIES, () => send(round))
    // Two or three pieces for each gateway.
    expect([await sizeOf('datapoints_hot', SERIES), stored]).toStrictEqual([
      { rows: between(9, 16), bytes: between(5, 8) },
      between(5, 10),
    ])
    const folded = await logged(SERIES, () => datapoints.compactor.compact())
    log += stored + folded
  }
  const half = SERIES * 32
  expect(await sizeOf('datapoints_hot', half)).toStrictEqual(EMPTY)
  const gathered = await sizeOf('datapoint_blocks', half)
  expect([gathered, log / 32]).toStrictEqual([
    { rows: expect.any(Number) as number, bytes: between(5, 9) },
    between(15, 25),
  ])
  expect(gathered.rows / 32).toStrictEqual(BLOCKS)
  log = (log / 32) * half + (await logged(1, () => datapoints.blockMerger.merge(0, Infinity)))
  expect(await sizeOf('datapoint_blocks', half)).toStrictEqual({ rows: BLOCKS, bytes: between(1, 3) })
  log += await logged(1, async () => {
    for (let round = 32; round < ROUNDS; round++) {
      await send(round)
      await datapoints.compactor.compact()
    }
  })
  const points = SERIES * ROUNDS
  expect((await sizeOf('datapoint_blocks', points)).bytes).toBeLessThan(6)
  expect(await sizeOf('datapoint_chunks', points)).toStrictEqual(EMPTY)
  // A week later: chunks of sixty points would be five times as large.
  log += await logged(1, () => datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER, Infinity))
  expect(await sizeOf('datapoint_blocks', points)).toStrictEqual({ rows: BLOCKS, bytes: between(0.5, 2) })
  expect(await sizeOf('datapoint_chunks', points)).toStrictEqual(EMPTY)
  expect(await wholeSize()).toBeLessThan(points * 2)
  const merge = () => datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER, Infinity)
  expect(await merge()).toBe(false)
  expect(log / points).toBeLessThan(30)
})

/** The rows that statements on each table give. */
function countingRows(to: { hot: number; blocks: number; chunks: number }): Database {
  const counted = (sql: Sql): Sql => ({
    ...sql,
    async rows(shape, text, values) {
      const found = await sql.rows(shape, text, values)
      if (text.includes('from datapoint_chunks')) to.chunks += found.length
      else if (text.includes('datapoint_blocks')) to.blocks += found.length
      else if (text.includes('from datapoints_hot')) to.hot += found.length
      return found
    },
  })
  return { ...database, read: (work) => database.read((sql) => work(counted(sql))) }
}

it('the last value of every component of a system takes few statements, and few rows of a block', async () => {
  const filter = { components: site.componentUuids.slice(0, 500) }
  const ask = async (lookedUp = 0) => {
    const [statements, rows] = [countingDatabase(database), { hot: 0, blocks: 0, chunks: 0 }]
    const latest = await readLatest({ ...context, database: statements }, ANYBODY, filter)
    expect(latest).toHaveLength(1_000)
    // Four around them, three to look the series up, two for the hot buffers of the domain, and one each for hot segments, newest rows, rows that last and chunks; one
    // more where points of rows that last are needed.
    expect(statements.statements).toHaveLength(13 + lookedUp)
    expect(await readLatest({ ...context, database: countingRows(rows) }, ANYBODY, filter)).toStrictEqual(latest)
    return { since: Math.min(...latest.map(({ point }) => point.at / 1_000)), ...rows }
  }
  // A thousand series are of four blocks, or of five where the first one is not the first of its block. Of each it is the row
  // that lasts, first without and then with its points.
  expect(await ask(1)).toStrictEqual({
    since: between(BEGIN + (ROUNDS - 1) * MINUTE - 1, Infinity),
    hot: 0,
    blocks: between(7, 11),
    chunks: 0,
  })
  await send(ROUNDS)
  expect(await ask()).toStrictEqual({
    since: between(BEGIN + ROUNDS * MINUTE - 1, Infinity),
    hot: between(1, 6),
    blocks: 0,
    chunks: 0,
  })
  await datapoints.compactor.compact()
  // Of each block there is a new row, which says that none that lasts needs to be looked at.
  expect(await ask()).toStrictEqual({
    since: between(BEGIN + ROUNDS * MINUTE - 1, Infinity),
    hot: 0,
    blocks: between(3, 6),
    chunks: 0,
  })
  for (let round = ROUNDS + 1; round < ROUNDS + 20; round++) {
    await send(round)
    await datapoints.compactor.compact()
  }
  // The newest rows of each block, however many there are.
  expect(await ask()).toMatchObject({ hot: 0, blocks: between(4 * NEWEST_ROWS - 1, 5 * NEWEST_ROWS), chunks: 0 })
})
