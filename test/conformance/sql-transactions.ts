import { beforeEach, expect, it } from 'vitest'
import { INT8 } from '../../src/db/columns.ts'
import { sqlState } from '../../src/db/sql-error.ts'
import type { Sql } from '../../src/db/sql.ts'
import type { Subject } from './sql.ts'

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.fail('should have failed'),
    (error: unknown) => error,
  )
}

function insert(sql: Sql, n: number): Promise<object[]> {
  return sql.query('INSERT INTO numbers VALUES ($1)', [n])
}

function isolationLevel(sql: Sql): Promise<object[]> {
  return sql.query(`SELECT current_setting('transaction_isolation') AS level`)
}

/** Adds the number of rows there are: a number would come twice if two of these ran at the same time. */
async function insertCount(sql: Sql): Promise<void> {
  await sql.query('LOCK TABLE numbers IN ACCESS EXCLUSIVE MODE')
  const [row] = await sql.rows({ count: INT8 }, 'SELECT count(*) AS count FROM numbers')
  await insert(sql, row?.count ?? -1)
}

export function testTransactions(subject: Subject): void {
  const { select } = subject
  const everyFifthFails = (n: number) =>
    subject.database.transaction(async (sql) => {
      await insertCount(sql)
      if (n % 5 === 0) throw new Error('rolled back')
    })
  const stored = () => select(`(SELECT string_agg(n::text, ',' ORDER BY n) FROM numbers)`)

  beforeEach(async () => {
    await subject.database.script(`
      DROP TABLE IF EXISTS numbers;
      CREATE TABLE numbers (n int CONSTRAINT numbers_n UNIQUE DEFERRABLE INITIALLY IMMEDIATE)`)
  })

  it('commits what resolves and gives its result', async () => {
    const result = await subject.database.transaction(async (sql) => {
      await insert(sql, 1)
      return 'done'
    })
    expect(result).toBe('done')
    expect(await stored()).toBe('1')
  })

  it('rolls back what throws and throws the very same error', async () => {
    const error = new Error('changed my mind')
    const failed = subject.database.transaction(async (sql) => {
      await insert(sql, 1)
      throw error
    })
    expect(await failureOf(failed)).toBe(error)
    expect(await stored()).toBeNull()
  })

  it('a failed statement carries its SQLSTATE and constraint, and neither statement nor parameters', async () => {
    const text = 'INSERT INTO numbers SELECT 7 FROM generate_series(1, 2) WHERE $1 = $1'
    const error = await failureOf(subject.database.transaction((sql) => sql.query(text, ['secret parameter'])))
    expect(sqlState(error)).toBe('23505')
    expect(error).toMatchObject({ constraint: 'numbers_n' })
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/secret parameter|generate_series/)
    expect(await stored()).toBeNull()
  })

  it('a constraint that fails at the commit fails the transaction', async () => {
    const failed = subject.database.transaction(async (sql) => {
      await sql.query('SET CONSTRAINTS ALL DEFERRED')
      await insert(sql, 1)
      await insert(sql, 1)
    })
    expect(sqlState(await failureOf(failed))).toBe('23505')
    expect(await stored()).toBeNull()
  })

  it('a swallowed failure is found at the commit', async () => {
    const failed = subject.database.transaction(async (sql) => {
      await insert(sql, 1)
      await sql.query('SELECT 1 / 0').catch(() => undefined)
    })
    await expect(failed).rejects.toThrow('Nothing was committed')
    expect(await stored()).toBeNull()
  })

  it('read refuses to write', async () => {
    const failed = subject.database.read((sql) => insert(sql, 1))
    expect(sqlState(await failureOf(failed))).toBe('25006')
  })

  it('read is REPEATABLE READ, transaction READ COMMITTED', async () => {
    expect(await subject.database.read(isolationLevel)).toStrictEqual([{ level: 'repeatable read' }])
    expect(await subject.database.transaction(isolationLevel)).toStrictEqual([{ level: 'read committed' }])
  })

  it('runs transactions that are started together, each whole', async () => {
    const results = await Promise.allSettled(Array.from({ length: 40 }, (_, n) => everyFifthFails(n)))
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(8)
    expect(await select(`(SELECT count(*) || ' up to ' || max(n) FROM numbers)`)).toBe('32 up to 31')
  })

  it('runs statements that are started together one after the other', async () => {
    await subject.database.transaction((sql) => Promise.all([insert(sql, 1), insert(sql, 2), insert(sql, 3)]))
    expect(await stored()).toBe('1,2,3')
  })

  it('a handle does not outlive its transaction', async () => {
    const handle = await subject.database.transaction(async (sql) => sql)
    await expect(insert(handle, 1)).rejects.toThrow('This transaction has ended')
    await expect(handle.script('SELECT 1')).rejects.toThrow('This transaction has ended')
  })

  it('what is not awaited is not sent once its transaction has ended', async () => {
    let late: Promise<unknown> = Promise.resolve()
    const failed = subject.database.transaction(async (sql) => {
      late = failureOf(insert(sql, 1))
      throw new Error('at once')
    })
    await expect(failed).rejects.toThrow('at once')
    expect(await late).toMatchObject({ message: expect.stringContaining('This transaction has ended') })
    expect(await stored()).toBeNull()
  })

  it('sends nothing where the transaction could not be begun', async () => {
    const failed = subject.database.transaction(async (sql) => {
      await sql.lockAfter('no name!', 'SELECT 1').catch(() => undefined)
      await insert(sql, 1).catch(() => undefined)
    })
    expect(sqlState(await failureOf(failed))).toBe('42601')
    expect(await stored()).toBeNull()
  })

  it('refuses a transaction inside of another one instead of waiting for ever', async () => {
    const nested = subject.database.transaction(() => subject.database.read((sql) => sql.query('SELECT 1')))
    await expect(nested).rejects.toThrow('inside of another one')
    expect(await select('1')).toBe(1)
  })

  it('a statement by itself is a transaction of its own', async () => {
    const written = `INSERT INTO numbers VALUES ($1) RETURNING n, current_setting('transaction_isolation') AS isolation`
    expect(await subject.database.statement(written, [1])).toStrictEqual([{ n: 1, isolation: 'read committed' }])
    expect(await stored()).toBe('1')
    await expect(subject.database.statement('SELECT 1 / 0')).rejects.toThrow('division by zero')
    await expect(subject.database.statement('SELECT 1; SELECT 2')).rejects.toThrow('multiple commands')
    const nested = subject.database.transaction(() => subject.database.statement('SELECT 1'))
    await expect(nested).rejects.toThrow('inside of another one')
    await subject.database.statement(`SELECT set_config('holdfast.left_over', 'yes', true)`)
    expect(await select(`coalesce(current_setting('holdfast.left_over', true), '')`)).toBe('')
  })

  it('a query is one statement, a script may be several', async () => {
    const text = 'INSERT INTO numbers VALUES (1); INSERT INTO numbers VALUES (2)'
    expect(sqlState(await failureOf(subject.database.transaction((sql) => sql.query(text))))).toBe('42601')
    await subject.database.transaction((sql) => sql.script(text))
    expect(await stored()).toBe('1,2')
  })
}
