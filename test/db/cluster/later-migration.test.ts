import { describe, expect, it } from 'vitest'
import { readCatalog } from '../../../src/db/cluster/catalog.ts'
import { distributeDatabase } from '../../../src/db/cluster/distribute.ts'
import { planLayout } from '../../../src/db/cluster/layout.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { MIGRATIONS, readMigrations } from '../../../src/db/read-migrations.ts'
import { digestOf } from '../../../src/lib/digest.ts'
import { POSTGRES } from '../../support/databases.ts'
import { database, useDatabase } from '../../support/one-database.ts'

const TEXT = 'create table a_later_one (domain_id bigint, id bigint, primary key (domain_id, id))'

// A real cluster is only there if this variable names its coordinator.
describe.skipIf(process.env['HOLDFAST_TEST_DATABASE_URL'] === undefined)('a distributed database', () => {
  useDatabase(POSTGRES)

  it('has the tables of a later migration distributed when a server has migrated it', async ({ skip }) => {
    if ((await database.read(readCatalog)) === null) skip('the given server has no Citus')
    await distributeDatabase(database)
    const known = await readMigrations(MIGRATIONS)
    const version = known.length + 1
    await migrate(database, [...known, { version, name: 'a-later-one.sql', text: TEXT, checksum: digestOf(TEXT) }])
    const catalog = await database.read(readCatalog)
    expect(catalog?.tables.find(({ name }) => name === 'a_later_one')).toMatchObject({ placement: 'distributed' })
    expect(catalog && planLayout(catalog)).toStrictEqual([])
  })
})
