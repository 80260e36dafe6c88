import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { INT4, INT8, TEXT } from '../../src/db/columns.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { runTogether } from '../../src/db/postgres/run-together.ts'
import { sqlState } from '../../src/db/sql-error.ts'
import type { Database, Sql } from '../../src/db/sql.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../support/databases.ts'
import { watchWays, type WatchedNetwork } from '../support/ways-to-database.ts'

// What a transaction asks for at once goes to PostgreSQL in one way and back (docs/decisions/0052).

const READING = 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY'
const WRITING = 'BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE'
const NOTHING_CHANGED = /^The connection to the database was lost and nothing was changed/

let place: PostgresDatabase
let network: WatchedNetwork
let database: Database
/** Without the network in between. */
let other: Database

beforeAll(async () => {
  place = await createPostgresDatabase()
  other = await openPostgres(place.url, { maxConnections: 1 })
  await other.script('CREATE TABLE numbers (n int CHECK (n > 0)); CREATE TABLE others (n int)')
  network = await watchWays(place.url)
  database = await openPostgres(network.url, { maxConnections: 1 })
})
afterAll(async () => {
  await database.close()
  await network.close()
  await other.close()
  await place.drop()
})
beforeEach(async () => {
  network.breakAt(() => false)
  await other.script('TRUNCATE numbers, others')
  await database.statement('SELECT 1')
  network.taken()
})

const numbers = async () => (await other.rows({ n: INT4 }, 'SELECT n FROM numbers ORDER BY n')).map(({ n }) => n)
const insert = (sql: Pick<Sql, 'query'>, n: number) => sql.query('INSERT INTO numbers VALUES ($1)', [n])
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.fail('should have failed'),
    (error: unknown) => error,
  )
async function askWrongly(sql: Sql): Promise<void> {
  await sql.query('SELECT 1 / 0')
}
const statesOf = (settled: readonly PromiseSettledResult<unknown>[]) =>
  settled.map((one) => (one.status === 'rejected' ? sqlState(one.reason) : 'kept'))

it('a transaction begins along with its first statements, and what is asked for at once goes together', async () => {
  const rows = await database.transaction(async (sql) => {
    await sql.setLocal({ 'holdfast.one': "it's one", 'holdfast.two': '2' })
    await sql.lockAfter('locked', 'LOCK TABLE others')
    const both = await Promise.all([
      sql.rows({ one: TEXT }, `SELECT current_setting('holdfast.one') AS one`),
      sql.rows({ n: INT4 }, 'SELECT $1::int AS n', [7]),
    ])
    await insert(sql, 1)
    return both
  })
  expect(rows).toStrictEqual([[{ one: "it's one" }], [{ n: 7 }]])
  expect(network.taken()).toStrictEqual([
    [
      WRITING,
      `SET LOCAL holdfast.one = 'it''s one'`,
      `SET LOCAL holdfast.two = '2'`,
      'SAVEPOINT locked',
      'LOCK TABLE others',
      `SELECT current_setting('holdfast.one') AS one`,
      'SELECT $1::int AS n',
    ],
    ['INSERT INTO numbers VALUES ($1)'],
    ['COMMIT'],
  ])
})

it('a text of several statements and COPY go alone, behind what was asked before them', async () => {
  await database.transaction(async (sql) => {
    await sql.setLocal({ 'holdfast.one': '1' })
    await Promise.all([insert(sql, 1), sql.copyIn('COPY numbers FROM STDIN', Buffer.from('2\n')), insert(sql, 3)])
    await sql.script('INSERT INTO numbers VALUES (4); INSERT INTO numbers VALUES (5)')
  })
  expect(await numbers()).toStrictEqual([1, 2, 3, 4, 5])
  expect(network.taken().map((way) => way.length)).toStrictEqual([3, 1, 1, 1, 1])
})

it('nobody waits for the end of what only reads, and the connection is free after it', async () => {
  network.breakAt((way) => way.includes('COMMIT'))
  expect(await database.read((sql) => sql.rows({ n: INT4 }, 'SELECT 8 AS n'))).toStrictEqual([{ n: 8 }])
  await expect.poll(() => database.load?.()).toMatchObject({ used: 0, idle: 0 })
  network.breakAt(() => false)
  expect(await database.read((sql) => sql.rows({ n: INT4 }, 'SELECT 9 AS n'))).toStrictEqual([{ n: 9 }])
  await expect.poll(() => database.load?.()).toMatchObject({ used: 0, idle: 1 })
  const reads = network.taken().filter((way) => !way.join().includes('SET '))
  expect(reads).toStrictEqual([[READING, 'SELECT 8 AS n'], [READING, 'SELECT 9 AS n'], ['COMMIT']])
})

describe('of statements that are sent together', () => {
  it('the first that fails says why, and those after it are not run', async () => {
    const settled = await database
      .transaction(async (sql) => {
        const all = await Promise.allSettled([
          insert(sql, 1),
          insert(sql, -1),
          sql.query('SELECT 1 / 0'),
          insert(sql, 2),
        ])
        throw new Error('far enough', { cause: all })
      })
      .catch((error: Error) => error.cause as readonly PromiseSettledResult<unknown>[])
    expect(statesOf(settled)).toStrictEqual(['kept', '23514', '23514', '23514'])
    expect(await numbers()).toStrictEqual([])
    expect(network.taken()).toHaveLength(2)
  })

  it('a failure leads back to who has asked', async () => {
    const error = await failureOf(database.transaction((sql) => askWrongly(sql)))
    expect((error as Error).stack).toContain('askWrongly')
  })

  it('none is kept where that failure is not passed on', async () => {
    const swallowed = database.transaction(async (sql) => {
      await insert(sql, 1)
      await Promise.allSettled([sql.query('SELECT 1 / 0'), insert(sql, 2)])
    })
    await expect(swallowed).rejects.toThrow('Nothing was committed')
    const read = database.read(async (sql) => {
      await Promise.allSettled([sql.query('SELECT 1 / 0')])
    })
    await expect(read).rejects.toThrow('Nothing was committed')
    expect(await numbers()).toStrictEqual([])
  })

  it('a value that cannot be read fails the statement, and the connection goes on', async () => {
    const large = database.transaction((sql) =>
      Promise.all([sql.rows({ n: INT8 }, 'SELECT 9223372036854775807 AS n'), sql.query('SELECT 1')]),
    )
    await expect(large).rejects.toThrow('9223372036854775807 has no exact JavaScript number')
    await database.transaction((sql) => insert(sql, 3))
    expect(await numbers()).toStrictEqual([3])
  })
})

describe('nothing is run without what was to be ahead of it', () => {
  it('a setting or a role that the database refuses', async () => {
    const failed = database.transaction(async (sql) => {
      await sql.setLocal({ 'holdfast.domain_id': '1', role: 'nobody_by_this_name' })
      const first = await failureOf(insert(sql, 1))
      const second = await failureOf(insert(sql, 2))
      expect([sqlState(first), sqlState(second)]).toStrictEqual(['22023', '22023'])
    })
    await expect(failed).rejects.toThrow('role "nobody_by_this_name" does not exist')
    expect(await numbers()).toStrictEqual([])
    const sent = network.taken()
    expect(sent).toHaveLength(2)
    expect(sent.at(-1)).toStrictEqual(['ROLLBACK'])
  })

  it('a beginning that the database refuses: there is no transaction then', async () => {
    const client = new pg.Client(place.url)
    await client.connect()
    const answered: string[] = []
    const statements = [
      'BEGIN ISOLATION LEVEL NONE',
      'INSERT INTO numbers VALUES (1)',
      'INSERT INTO numbers VALUES (2)',
    ]
    const sent = runTogether(
      client,
      statements.map((text) => ({ text, values: [], answered: () => answered.push(text) })),
    )
    expect(sqlState(await failureOf(sent))).toBe('42601')
    expect(answered).toStrictEqual([])
    await client.query('INSERT INTO numbers VALUES (3)')
    await client.end()
    expect(await numbers()).toStrictEqual([3])
  })

  it('a wait for a lock that takes too long', async () => {
    const hurried = await openPostgres(network.url, { maxConnections: 1, statementMs: 100 })
    await hurried.statement('SELECT 1')
    await other.transaction(async (theirs) => {
      await theirs.query('LOCK TABLE others')
      const failed = hurried.transaction(async (sql) => {
        await sql.lockAfter('locked', 'LOCK TABLE others IN ACCESS SHARE MODE')
        await insert(sql, 1)
      })
      await expect(failed).rejects.toThrow('has ended it; nothing was changed')
    })
    await hurried.close()
    expect(await numbers()).toStrictEqual([])
  })
})

describe('a server that is lost', () => {
  it('before it has the first statement: nothing was changed', async () => {
    network.breakAt((way) => way.includes(WRITING))
    const lost = database.transaction(async (sql) => {
      await sql.setLocal({ 'holdfast.one': '1' })
      const settled = await Promise.allSettled([insert(sql, 1), insert(sql, 2)])
      network.breakAt(() => false)
      for (const one of settled) expect(one).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE' } })
      await insert(sql, 3)
    })
    await expect(lost).rejects.toThrow(NOTHING_CHANGED)
    await database.transaction((sql) => insert(sql, 4))
    expect(await numbers()).toStrictEqual([4])
  })

  it('at the commit: it was made or not', async () => {
    network.breakAt((way) => way.includes('COMMIT'))
    const lost = database.transaction((sql) => Promise.all([insert(sql, 1), insert(sql, 2)]))
    await expect(lost).rejects.toThrow('was lost at the last moment')
    network.breakAt(() => false)
    await database.transaction((sql) => insert(sql, 3))
    expect(await numbers()).toStrictEqual([3])
  })
})
