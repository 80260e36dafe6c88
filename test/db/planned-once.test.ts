import { afterAll, beforeAll, expect, it } from 'vitest'
import { INT4, INT8 } from '../../src/db/columns.ts'
import { plannedOnce } from '../../src/db/planned-once.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { sqlState } from '../../src/db/sql-error.ts'
import type { Database } from '../../src/db/sql.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../support/databases.ts'

// Statements that each connection plans once. There is one connection here.

let place: PostgresDatabase
let database: Database

beforeAll(async () => {
  place = await createPostgresDatabase()
  database = await openPostgres(place.url, { maxConnections: 1 })
  await database.script('CREATE TABLE numbers (n int); INSERT INTO numbers VALUES (1), (2), (3)')
})
afterAll(async () => {
  await database.close()
  await place.drop()
})

const FROM_ON = plannedOnce('SELECT n FROM numbers WHERE n >= $1 ORDER BY n')
const DIVIDED = plannedOnce('SELECT 6 / $1::int AS n')

const from = (n: number) => database.read((sql) => sql.rows({ n: INT4 }, FROM_ON, [n]))
const divided = (n: number) => database.read((sql) => sql.rows({ n: INT4 }, DIVIDED, [n]))
const alone = (n: number) => database.rows({ n: INT4 }, FROM_ON, [n])

/** How often plans of a statement were asked for, by the name of each. */
async function plansOf(text: string): Promise<number[]> {
  const rows = await database.read((sql) =>
    sql.rows(
      { plans: INT8 },
      'SELECT generic_plans + custom_plans AS plans FROM pg_prepared_statements WHERE statement = $1 ORDER BY name',
      [text],
    ),
  )
  return rows.map(({ plans }) => plans)
}

it('a statement is prepared once on a connection, in transactions and alone', async () => {
  for (const n of [1, 2, 3]) expect((await from(n)).map((row) => row.n)).toStrictEqual([1, 2, 3].slice(n - 1))
  expect(await plansOf(FROM_ON)).toStrictEqual([3])
  expect(await alone(3)).toStrictEqual([{ n: 3 }])
  expect(await from(3)).toStrictEqual([{ n: 3 }])
  // That which was run alone has a name of its own.
  expect(await plansOf(FROM_ON)).toStrictEqual([1, 4])
})

it('goes on after it has failed, and after others have failed before it in the same way', async () => {
  expect(await divided(2)).toStrictEqual([{ n: 3 }])
  await expect(divided(0)).rejects.toSatisfy((error) => sqlState(error) === '22012')
  const both = database.read((sql) => Promise.all([sql.query('SELECT 1 / 0'), sql.rows({ n: INT4 }, DIVIDED, [1])]))
  await expect(both).rejects.toSatisfy((error) => sqlState(error) === '22012')
  expect(await divided(3)).toStrictEqual([{ n: 2 }])
})

it('where the plans of a connection are lost, or hold no more, one request fails and they are made again', async () => {
  expect(await from(3)).toStrictEqual([{ n: 3 }])
  await database.script('DEALLOCATE ALL')
  await expect(from(3)).rejects.toSatisfy((error) => sqlState(error) === '26000')
  expect(await from(3)).toStrictEqual([{ n: 3 }])
  await database.script('ALTER TABLE numbers ALTER n TYPE bigint')
  await expect(from(3)).rejects.toThrow('cached plan must not change result type')
  await database.script('ALTER TABLE numbers ALTER n TYPE int')
  expect(await from(3)).toStrictEqual([{ n: 3 }])
})
