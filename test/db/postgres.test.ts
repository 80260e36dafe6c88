import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { INT4, TEXT } from '../../src/db/columns.ts'
import { migrate } from '../../src/db/migrate.ts'
import { AnswerWatch, Unanswered } from '../../src/db/postgres/answer-watch.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { sqlState } from '../../src/db/sql-error.ts'
import type { Database, Sql } from '../../src/db/sql.ts'
import { withPauses, withTimeLimit } from '../../src/db/time-limit.ts'
import { digestOf } from '../../src/lib/digest.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../support/databases.ts'

let place: PostgresDatabase
let database: Database
let other: Database

beforeAll(async () => {
  place = await createPostgresDatabase()
  database = await openPostgres(place.url, { maxConnections: 2 })
  other = await openPostgres(place.url, { maxConnections: 1 })
  await database.script('CREATE TABLE numbers (n int)')
})
afterAll(async () => {
  await database.close()
  await other.close()
  await place.drop()
})

async function serverProcess(sql: Sql): Promise<number> {
  const [row] = await sql.rows({ pid: INT4 }, 'SELECT pg_backend_pid() AS pid')
  return row?.pid ?? 0
}

/** Ends the server's side of a connection and waits until it is gone. */
async function terminate(pid: number): Promise<void> {
  await other.read((sql) => sql.query('SELECT pg_terminate_backend($1::int, 60000)', [pid]))
}

function count(on: Database): Promise<object[]> {
  return on.read((sql) => sql.query('SELECT count(*) AS count FROM numbers'))
}

it('a read sees one state of the database, whatever others commit meanwhile', async () => {
  const [before, after] = await database.read(async (sql) => {
    const first = await sql.query('SELECT count(*) AS count FROM numbers')
    await other.transaction((theirs) => theirs.query('INSERT INTO numbers VALUES (1)'))
    return [first, await sql.query('SELECT count(*) AS count FROM numbers')]
  })
  expect(after).toStrictEqual(before)
  expect(await count(database)).not.toStrictEqual(before)
})

it('names its sessions for other processes, even if its address has another name for them', async () => {
  const name = 'holdfast 4 ab12cd34'
  const named = await openPostgres(`${place.url}?application_name=other`, { maxConnections: 1, name })
  for (const ask of [named.rows, named.rowsApart, named.rowsAtOnce])
    expect(await ask({ name: TEXT }, `SELECT current_setting('application_name') AS name`)).toStrictEqual([{ name }])
  await named.close()
})

it('goes on after a connection was lost in the middle of a transaction, and keeps nothing of it', async () => {
  const before = await count(database)
  const lost = database.transaction(async (sql) => {
    await sql.query('INSERT INTO numbers VALUES (2)')
    await terminate(await serverProcess(sql))
    await sql.query('INSERT INTO numbers VALUES (3)')
  })
  await expect(lost).rejects.toThrow(/terminat|connection/i)
  expect(await count(database)).toStrictEqual(before)
})

const ADD = 'UPDATE met SET n = n + 1 WHERE id = $1'

it('runs a transaction again that waited for another one while the other waited for it', async () => {
  await database.script('CREATE TABLE met (id int PRIMARY KEY, n int); INSERT INTO met VALUES (1, 0), (2, 0)')
  const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let runs = 0
  const meet = (on: Database, first: number) =>
    on.transaction(async (sql) => {
      runs += 1
      await sql.query(ADD, [first])
      both[first - 1]?.resolve()
      await Promise.all(both.map(({ promise }) => promise))
      await sql.query(ADD, [3 - first])
    })
  await Promise.all([meet(database, 1), meet(other, 2)])
  // The one that runs again may take its row before the waiting one wakes, and then they meet once more.
  expect(runs).toBeGreaterThan(2)
  expect(await database.statement('SELECT n FROM met WHERE n = 2')).toHaveLength(2)
})

it('goes on after idle connections were lost', async () => {
  const pids = await Promise.all([database.read(serverProcess), database.read(serverProcess)])
  for (const pid of pids) await terminate(pid)
  // One that the pool has not yet noticed may fail, but only once.
  await Promise.allSettled([count(database), count(database)])
  expect(await count(database)).toHaveLength(1)
})

it('says that nobody knows what became of a statement when the operating system gives its connection up', async () => {
  const connecting = vi.spyOn(Socket.prototype, 'connect')
  const single = await openPostgres(place.url, { maxConnections: 1 })
  const lost = single.rowsApart({ n: INT4 }, 'SELECT 1 AS n FROM pg_sleep(30)').catch((error: unknown) => error)
  const active = `SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(30)' AND pid <> pg_backend_pid() AND datname = current_database()`
  await expect.poll(() => other.statement(active)).toHaveLength(1)
  // As keepalive ends, when the other side is gone without a word.
  const timeout = Object.assign(new Error('read ETIMEDOUT'), { code: 'ETIMEDOUT', syscall: 'read' })
  for (const socket of connecting.mock.contexts) if (socket instanceof Socket) socket.destroy(timeout)
  connecting.mockRestore()
  expect(await lost).toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('was lost at the last moment') as string,
  })
  await single.close()
})

it('ends a transaction that pauses for too long, so that its locks are free', async () => {
  const frozen = await openPostgres(place.url, { maxConnections: 1, pauseMs: 100 })
  const pausing = frozen.transaction(async (sql) => {
    await sql.query('LOCK TABLE numbers')
    await other.transaction((theirs) => theirs.query('LOCK TABLE numbers'))
    await sql.query('INSERT INTO numbers VALUES (4)')
  })
  await expect(pausing).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('nothing was changed; try again') as string,
  })
  const patient = withPauses(frozen, 20_000)
  const pid = await patient.read(async (sql) => {
    await database.statement('SELECT pg_sleep(0.3)')
    return serverProcess(sql)
  })
  expect(pid).toBeGreaterThan(0)
  await frozen.close()
})

it('never gives a connection on with a transaction still open', async () => {
  const single = await openPostgres(place.url, { maxConnections: 1 })
  const failed = single.transaction((sql) => sql.query('SELECT 1 / 0'))
  expect(sqlState(await failed.catch((error: unknown) => error))).toBe('22012')
  expect(await count(single)).toHaveLength(1)
  await single.close()
})

it('waits for a connection of a busy pool', async () => {
  const results = await Promise.all(
    Array.from({ length: 50 }, () => database.read((sql) => sql.query('SELECT 1 AS n'))),
  )
  expect(results).toHaveLength(50)
})

it('says that it is busy where it is, and that it cannot be reached where it cannot', async () => {
  const single = await openPostgres(place.url, { maxConnections: 1, patienceMs: 50 })
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const first = single.read(async () => {
    begin()
    await ended
  })
  await begun
  const second = single.read((sql) => sql.query('SELECT 1 AS n'))
  expect(single.load?.()).toMatchObject({ used: 1, idle: 0, waiting: 1 })
  await expect(second).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(/^Too many requests at once: all 1 connections .* are in use/) as string,
  })
  end()
  await first
  expect(single.load?.()).toMatchObject({ used: 0, idle: 1, waiting: 0 })
  await single.close()
})

describe('a statement that takes too long', () => {
  const SLEEP = 'SELECT pg_sleep(30)'
  const TOO_LONG = {
    code: 'UNAVAILABLE',
    message: expect.stringContaining('has ended it; nothing was changed') as string,
  }
  let hurried: Database
  beforeAll(async () => {
    hurried = await openPostgres(place.url, { maxConnections: 1, statementMs: 300 })
  })
  afterAll(() => hurried.close())

  it('is ended in the database, and says so', async () => {
    await expect(hurried.read((sql) => sql.query(SLEEP))).rejects.toMatchObject(TOO_LONG)
    await expect(hurried.statement(SLEEP)).rejects.toMatchObject(TOO_LONG)
    const alive = `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query = '${SLEEP}' AND datname = current_database()`
    // The database notes a moment later that it has ended.
    await expect.poll(() => database.statement(alive)).toHaveLength(0)
  })

  it('leaves nothing behind, and its connection is good for others', async () => {
    await database.script('CREATE TABLE slow (n int)')
    const writing = hurried.transaction(async (sql) => {
      await sql.query('INSERT INTO slow VALUES (1)')
      await sql.query(SLEEP)
    })
    await expect(writing).rejects.toMatchObject(TOO_LONG)
    expect(await hurried.statement('SELECT n FROM slow')).toStrictEqual([])
  })

  it('also ends where it waits for the work of others', async () => {
    await database.transaction(async (sql) => {
      await sql.query('LOCK TABLE slow')
      await expect(hurried.statement('SELECT n FROM slow')).rejects.toMatchObject(TOO_LONG)
      const copying = hurried.transaction((own) => own.copyIn('COPY slow FROM STDIN', Buffer.from('1\n')))
      await expect(copying).rejects.toMatchObject(TOO_LONG)
    })
    expect(await hurried.statement('SELECT n FROM slow')).toStrictEqual([])
  })

  it('may take longer where it is known to, and only there', async () => {
    const patient = withTimeLimit(hurried, 20_000)
    expect(await patient.read((sql) => sql.query('SELECT 1 AS n FROM pg_sleep(0.5)'))).toStrictEqual([{ n: 1 }])
    expect(await patient.transaction((sql) => sql.query('SELECT 1 AS n FROM pg_sleep(0.5)'))).toStrictEqual([{ n: 1 }])
    expect(await patient.rows({ n: INT4 }, 'SELECT 1 AS n FROM pg_sleep(0.5)')).toStrictEqual([{ n: 1 }])
    expect(await patient.statement('SELECT 1 AS n FROM pg_sleep(0.5)')).toStrictEqual([{ n: 1 }])
    await expect(hurried.read((sql) => sql.query(SLEEP))).rejects.toMatchObject(TOO_LONG)
  })

  it('may be a migration', async () => {
    const text = 'CREATE TABLE slowly AS SELECT 1 AS n FROM pg_sleep(0.5)'
    await migrate(hurried, [{ version: 1, name: '0001-slowly', checksum: digestOf(text), text }])
    expect(await hurried.statement('SELECT n FROM slowly')).toStrictEqual([{ n: 1 }])
  })
})

it('does not depend on how the server or the database is set up', async () => {
  await other.script(`ALTER ROLE postgres SET timezone = 'Asia/Tokyo'; ALTER ROLE postgres SET datestyle = 'German';
    ALTER ROLE postgres SET jit = on`)
  const fresh = await openPostgres(place.url, { maxConnections: 1 })
  const rows = await fresh.read((sql) => sql.query(`SELECT '2026-01-02T03:04:05Z'::timestamptz AS at`))
  expect(rows).toStrictEqual([{ at: new Date('2026-01-02T03:04:05Z') }])
  // What names all partitions would be compiled for a minute.
  expect(await fresh.statement(`SELECT current_setting('jit') AS jit`)).toStrictEqual([{ jit: 'off' }])
  await fresh.close()
  await other.script('ALTER ROLE postgres RESET ALL')
})

it.each([
  ['mysql://localhost/x', 'BAD_USER_INPUT', /has the form postgres:/],
  ['not a url', 'BAD_USER_INPUT', /has the form postgres:/],
  ['postgres://someone:secret-word@127.0.0.1:1/x', 'UNAVAILABLE', /ECONNREFUSED.*Check host and port in DATABASE_URL/],
])('says what is wrong with %s, without the password', async (url, code, message) => {
  const error: unknown = await openPostgres(url, { maxConnections: 1 }).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) as string })
  expect(String(error)).not.toContain('secret-word')
})

it('says that the database does not exist', async () => {
  const opening = openPostgres(`${place.url}_no`, { maxConnections: 1 })
  await expect(opening).rejects.toThrow(/cannot be used: database "test_\w+_no" does not exist/)
})

describe('a certificate file that cannot be read any more', () => {
  it('is an error of whoever needs a new connection, and of nobody else', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'holdfast-ca-')), 'ca.pem')
    const write = () => writeFileSync(file, 'no certificate')
    write()
    const single = await openPostgres(`${place.url}?sslmode=disable&sslrootcert=${file}`, { maxConnections: 1 })
    const unread = { code: 'UNAVAILABLE', cause: expect.objectContaining({ code: 'ENOENT' }) }
    rmSync(file)
    await expect(single.rowsAtOnce({ n: INT4 }, 'SELECT 1 AS n')).rejects.toMatchObject(unread)
    const held = Promise.withResolvers<void>()
    const lost = single.transaction(async (sql) => {
      await terminate(await serverProcess(sql))
      await held.promise
      await sql.query('SELECT 1')
    })
    // It waits for the connection, which the pool replaces on its own.
    const next = count(single)
    held.resolve()
    await expect(lost).rejects.toThrow(/terminat|connection/i)
    await expect(next).rejects.toMatchObject(unread)
    write()
    expect(await count(single)).toHaveLength(1)
    await single.close()
  })

  it('does not count as silence of the database', async () => {
    const watch = new AnswerWatch({ quietMs: 0, probeMs: 1 }, () => Promise.reject(new Error('ENOENT')))
    await expect(watch.ask(1_000, () => Promise.withResolvers<never>().promise)).rejects.toThrow(Unanswered)
    expect(watch.isSilent).toBe(false)
    watch.end()
  })
})
