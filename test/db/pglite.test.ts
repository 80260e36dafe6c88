import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openAsBlob,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { openPglite } from '../../src/db/pglite/pglite.ts'
import type { Database } from '../../src/db/sql.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'holdfast-pglite-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

async function openTemplate(place: string): Promise<Database> {
  return openPglite(place, { template: await openAsBlob(inject('pgliteTemplate')) })
}

function names(database: Database): Promise<object[]> {
  return database.read((sql) => sql.query('SELECT name FROM devices'))
}

it('keeps in its directory what was committed, also where a process was killed while it made the directory', async () => {
  const place = join(directory, 'deep', 'database')
  mkdirSync(`${place}.unfinished`, { recursive: true })
  writeFileSync(join(`${place}.unfinished`, 'PG_VERSION'), '17\n')
  const first = await openTemplate(place)
  await first.script(`CREATE TABLE devices (name text); INSERT INTO devices VALUES ('boiler')`)
  await first.close()
  expect(existsSync(`${place}.unfinished`)).toBe(false)
  const second = await openPglite(place)
  expect(await names(second)).toStrictEqual([{ name: 'boiler' }])
  await second.close()
})

it.skipIf(process.platform === 'win32')(
  'is private where its directory was open to all, and where it was made open',
  async () => {
    chmodSync(directory, 0o755)
    const place = join(directory, 'database')
    // PostgreSQL writes this cache of its catalogs anew at each start.
    const open = () =>
      ['.', ...readdirSync(place, { recursive: true, encoding: 'utf8' })].filter(
        (name) => !name.endsWith('pg_internal.init') && (lstatSync(join(place, name)).mode & 0o077) !== 0,
      )
    await (await openTemplate(place)).close()
    expect(open()).toStrictEqual([])
    chmodSync(place, 0o755)
    chmodSync(join(place, 'PG_VERSION'), 0o666)
    await (await openPglite(place)).close()
    expect(open()).toStrictEqual([])
  },
)

it('finishes what is waiting before it closes, refuses what comes later, and may be closed twice', async () => {
  const database = await openTemplate('memory')
  const waiting = database.read((sql) => sql.query('SELECT 1 AS one'))
  await Promise.all([database.close(), database.close()])
  expect(await waiting).toStrictEqual([{ one: 1 }])
  await expect(database.read((sql) => sql.query('SELECT 1'))).rejects.toThrow(/closed/i)
})
