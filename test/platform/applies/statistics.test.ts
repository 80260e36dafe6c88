import { expect, it } from 'vitest'
import { INT8 } from '../../../src/db/columns.ts'
import { carryOutApply } from '../../../src/platform/imports/applying/carry-out-apply.ts'
import { POSTGRES } from '../../support/databases.ts'
import { acknowledging, makeDomain, plan } from '../../support/domain.ts'

const sources = (count: number) => ({
  dataSources: Array.from({ length: count }, (_, index) => ({ code: `source-${index}`, name: 'A source' })),
})

it('an apply that creates very many records leaves PostgreSQL with statistics of them', async () => {
  const database = await POSTGRES.openMigrated()
  const context = await makeDomain(database)
  await database.script('alter table records set (autovacuum_enabled = off)')
  const known = async (): Promise<number> => {
    const [row] = await database.rows(
      { known: INT8 },
      `select greatest(reltuples, 0)::int8 as known from pg_class where oid = 'records'::regclass`,
    )
    return row?.known ?? 0
  }
  const applyMany = async (count: number): Promise<void> => {
    const document = sources(count)
    const reviewed = await plan(context, document)
    await carryOutApply(context, { document, settings: acknowledging(reviewed), plan: reviewed, origin: {} })
  }
  await applyMany(999)
  expect(await known()).toBe(0)
  await applyMany(1_999)
  await expect.poll(known).toBeGreaterThanOrEqual(1_999)
  await database.close()
})
