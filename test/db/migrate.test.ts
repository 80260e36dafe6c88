import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi, inject } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import type { Migration } from '../../src/db/read-migrations.ts'
import { readMigrations } from '../../src/db/read-migrations.ts'
import type { Database } from '../../src/db/sql.ts'
import { countingDatabase } from '../support/counting-database.ts'
import { createPostgresDatabase, DATABASES } from '../support/databases.ts'
import { WAITING } from '../support/lock-waits.ts'

const FIRST: Migration = {
  version: 1,
  name: '0001-first.sql',
  text: `CREATE TABLE devices (name text); INSERT INTO devices VALUES ('made by 1')`,
  checksum: 'sha256:1',
}
const SECOND: Migration = {
  version: 2,
  name: '0002-second.sql',
  text: `INSERT INTO devices VALUES ('made by 2')`,
  checksum: 'sha256:2',
}

function devices(database: Database): Promise<object[]> {
  return database.read((sql) => sql.query('SELECT name FROM devices ORDER BY name COLLATE "C"'))
}

describe.each(DATABASES)('migrate on $name', ({ name, open, openMigrated }) => {
  let database: Database
  beforeAll(async () => {
    database = await open()
  })
  beforeEach(() => database.script('DROP TABLE IF EXISTS devices, schema_migrations'))
  afterAll(() => database.close())

  it('applies what is missing, in order and once', async () => {
    await migrate(database, [FIRST])
    await migrate(database, [FIRST, SECOND])
    await migrate(database, [FIRST, SECOND])
    expect(await devices(database)).toStrictEqual([{ name: 'made by 1' }, { name: 'made by 2' }])
    const rows = await database.read((sql) => sql.query('SELECT version, name, checksum FROM schema_migrations'))
    expect(rows).toStrictEqual([
      { version: 1, name: '0001-first.sql', checksum: 'sha256:1' },
      { version: 2, name: '0002-second.sql', checksum: 'sha256:2' },
    ])
  })

  it('only reads when nothing is to do', async () => {
    await migrate(database, [FIRST])
    const counting = countingDatabase(database)
    await migrate(counting, [FIRST])
    // The last ones look whether the database is distributed.
    const looks = name === 'PostgreSQL' && inject('testCluster').isCitus ? 4 : 1
    const expected = ['SELECT', 'SELECT', ...Array<string>(looks).fill('select')]
    expect(counting.statements.map((text) => text.slice(0, 6))).toStrictEqual(expected)
  })

  it('keeps nothing of a migration that fails, and all of those before it', async () => {
    const broken = { ...SECOND, text: `INSERT INTO devices VALUES ('half'); SELECT 1 / 0` }
    await expect(migrate(database, [FIRST, broken])).rejects.toThrow(
      /0002-second\.sql failed and was rolled back: division by zero$/,
    )
    expect(await devices(database)).toStrictEqual([{ name: 'made by 1' }])
    await migrate(database, [FIRST, SECOND])
    expect(await devices(database)).toHaveLength(2)
  })

  it('refuses a file that was edited after it was applied', async () => {
    await migrate(database, [FIRST])
    const edited: Migration = { ...FIRST, checksum: 'sha256:edited' }
    await expect(migrate(database, [edited, SECOND])).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(
        /made by another version.*0001-first\.sql is not the one that was applied.*npm run export.*restore/,
      ) as string,
    })
    expect(await devices(database)).toHaveLength(1)
  })

  it('refuses a database that is newer than the code', async () => {
    await migrate(database, [FIRST, SECOND])
    await expect(migrate(database, [FIRST])).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(
        /newer.*0002-second\.sql.*up to 0001-first\.sql.*Start the newer version/,
      ) as string,
    })
  })

  it('has applied the migrations of the project to the databases that tests copy', async () => {
    const migrated = await openMigrated()
    const known = await readMigrations(new URL('../../src/db/migrations/', import.meta.url))
    const rows = await migrated.read((sql) =>
      sql.query('SELECT name, checksum FROM schema_migrations ORDER BY version'),
    )
    await migrated.close()
    expect(known.length).toBeGreaterThan(0)
    expect(rows).toStrictEqual(known.map(({ name, checksum }) => ({ name, checksum })))
  })
})

it('eight servers that start on one new database migrate it once', async () => {
  const { url, drop } = await createPostgresDatabase()
  const servers = await Promise.all(Array.from({ length: 8 }, () => openPostgres(url, { maxConnections: 2 })))
  try {
    await Promise.all(servers.map((server) => migrate(server, [FIRST, SECOND])))
    expect(await devices(servers[0] as Database)).toHaveLength(2)
  } finally {
    await Promise.all(servers.map((server) => server.close()))
    await drop()
  }
})

it('takes as long as its data, says how far it is, and the others say that they wait for it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { url, drop } = await createPostgresDatabase()
  const [holder, ...servers] = await Promise.all(
    Array.from({ length: 3 }, () => openPostgres(url, { maxConnections: 2, statementMs: 100 })),
  )
  const slow: Migration = { ...SECOND, text: `LOCK TABLE devices; ${SECOND.text}` }
  const told: string[] = []
  const tell = (text: string) => void told.push(text)
  const waiting = () => (holder as Database).statement(WAITING)
  try {
    await migrate(holder as Database, [FIRST])
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const holding = (holder as Database).transaction(async (sql) => {
      await sql.query('LOCK TABLE devices')
      await released
    })
    const migrating = Promise.all(servers.map((server) => migrate(server, [FIRST, slow], { tell })))
    while ((await waiting()).length < 2);
    // Ten times as long as any statement of a request may take.
    vi.advanceTimersByTime(600_000)
    expect(told).toContain('Another process migrates the database; this start waits for it (next: 0002-second.sql)')
    expect(told.at(-1)).toBe('The migration 0002-second.sql is at statement 1 of 2, after 600 s')
    release()
    await Promise.all([holding, migrating])
    expect(await devices(holder as Database)).toHaveLength(2)
  } finally {
    await Promise.all([holder as Database, ...servers].map((server) => server.close()))
    await drop()
  }
})

it('keeps the error of a migration if the missing rights cannot be found out', async () => {
  const denied = Object.assign(new Error('permission denied'), { code: '42501' })
  const read = vi
    .fn<() => Promise<never>>()
    .mockRejectedValueOnce(denied)
    .mockRejectedValueOnce(new Error('the connection is lost'))
  await expect(migrate({ read } as unknown as Database, [])).rejects.toBe(denied)
})
