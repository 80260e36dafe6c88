import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readMigrations, type Migration } from '../../src/db/read-migrations.ts'

// A migration that is in main may have been applied anywhere. `migrations.sha256` has the checksum of each, as sha256sum
// writes them.

const FOLDER = 'src/db/migrations'
const LIST = 'test/db/migrations.sha256'

function readList(text: string): ReadonlyMap<string, string> {
  return new Map(text.split('\n').flatMap((line) => (line === '' ? [] : [[line.slice(66), line.slice(0, 64)]])))
}

/** What is wrong with each migration, and what to do. */
function faultsOf(migrations: readonly Migration[], list: ReadonlyMap<string, string>): string[] {
  const paths = migrations.map(({ name }) => `${FOLDER}/${name}`)
  const gone = [...list.keys()].filter((path) => !paths.includes(path))
  return [
    ...gone.map((path) => `${path} is gone: restore it, since databases have been made with it`),
    ...migrations.flatMap(({ checksum }, index) => {
      const path = paths[index] ?? ''
      const known = list.get(path)
      if (known === undefined) return [`${path} is new: sha256sum ${path} >> ${LIST}`]
      if (checksum === `sha256:${known}`) return []
      return [`${path} was edited, but databases have been made with it: restore it, and put the change into a new one`]
    }),
  ]
}

it('no migration is edited: each change is a new one', async () => {
  const migrations = await readMigrations(new URL(`../../${FOLDER}`, import.meta.url))
  const list = readList(readFileSync(new URL(`../../${LIST}`, import.meta.url), 'utf8'))
  expect(list.size).toBeGreaterThan(0)
  expect(faultsOf(migrations, list)).toStrictEqual([])
})

function migration(version: number, name: string): Migration {
  return { version, name, text: '', checksum: `sha256:${String(version).repeat(64)}` }
}

it('says of one that is new, edited or gone what is to be done', () => {
  const list = readList(`${'1'.repeat(64)}  ${FOLDER}/0001-a.sql\n${'7'.repeat(64)}  ${FOLDER}/0002-b.sql\n`)
  expect(faultsOf([migration(1, '0001-a.sql')], list)).toStrictEqual([expect.stringContaining('0002-b.sql is gone')])
  expect(
    faultsOf(
      [1, 2, 3].map((n) => migration(n, `000${n}-${'abc'[n - 1]}.sql`)),
      list,
    ),
  ).toStrictEqual([
    `${FOLDER}/0002-b.sql was edited, but databases have been made with it: restore it, and put the change into a new one`,
    `${FOLDER}/0003-c.sql is new: sha256sum ${FOLDER}/0003-c.sql >> ${LIST}`,
  ])
})
