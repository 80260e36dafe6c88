import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { digestOf } from '../../src/lib/digest.ts'
import { readMigrations } from '../../src/db/read-migrations.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-migrations-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function read(files: { readonly [name: string]: string }) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return readMigrations(pathToFileURL(folder))
}

it('reads the files in the order of their numbers', async () => {
  const migrations = await read({ '0002-b.sql': 'SELECT 2', '0001-a.sql': 'SELECT 1', 'README.md': 'not one' })
  expect(migrations).toStrictEqual([
    { version: 1, name: '0001-a.sql', text: 'SELECT 1', checksum: digestOf('SELECT 1') },
    { version: 2, name: '0002-b.sql', text: 'SELECT 2', checksum: digestOf('SELECT 2') },
  ])
})

it('does not mind line endings', async () => {
  const [migration] = await read({ '0001-a.sql': 'SELECT\r\n1\r\n' })
  expect(migration?.checksum).toBe(digestOf('SELECT\n1\n'))
})

it.each([
  ['a gap', { '0001-a.sql': '', '0003-c.sql': '' }, '0003-c.sql should have the number 2'],
  ['a number twice', { '0001-a.sql': '', '0001-b.sql': '' }, '0001-b.sql should have the number 2'],
  ['another kind of name', { 'first.sql': '' }, 'first.sql is not named like 0001-what-it-does.sql'],
])('refuses %s', async (_, files, message) => {
  await expect(read(files)).rejects.toThrow(message)
})
