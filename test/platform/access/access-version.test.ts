import { expect, test } from 'vitest'
import { INT8 } from '../../../src/db/columns.ts'
import { fetchRightsVersion, raiseAccessVersion } from '../../../src/store/domains.ts'
import { ANY_DATABASE } from '../../support/databases.ts'
import { oneDomain } from '../one-domain.ts'

const domain = oneDomain(ANY_DATABASE)

test('a version is not given out twice, also after the database was taken back to an earlier time', async () => {
  const { database, domain: own } = domain()
  const raise = () =>
    database.transaction(async (sql) => {
      await raiseAccessVersion(sql, own.id)
      return fetchRightsVersion(sql, own.id)
    })
  const before = await raise()
  const lost = await raise()
  expect(lost).toBeGreaterThan(before)
  const [row] = await database.transaction((sql) =>
    sql.rows(
      { version: INT8 },
      'update access_versions set version = token_ends + $2 where domain_id = $1 returning version',
      [own.id, before],
    ),
  )
  expect(row?.version).toBeGreaterThanOrEqual(before)
  expect(await raise()).toBeGreaterThan(lost)
})
