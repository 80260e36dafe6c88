import { expect, it } from 'vitest'
import { UUID } from '../../../src/db/columns.ts'
import { listCharacteristicChanges } from '../../../src/platform/imports/history/characteristic-changes.ts'
import { ANY_DATABASE } from '../../support/databases.ts'
import { applyAll, makeDomain } from '../../support/domain.ts'
import { SITE_MODEL } from '../../support/site.ts'

it('the changes by an apply are those of its domain, although a client gave another one the same uuid', async () => {
  const database = await ANY_DATABASE.openMigrated()
  const applyId = crypto.randomUUID()
  const found = []
  for (const slug of ['north', 'south']) {
    const context = await makeDomain(database, slug)
    const { uuid } = await applyAll(context, SITE_MODEL, undefined, { applyId })
    expect(uuid).toBe(applyId)
    const rows = await database.read((sql) =>
      sql.rows({ uuid: UUID }, `select uuid from records where domain_id = $1 and type = 'characteristics'`, [
        context.domain.id,
      ]),
    )
    const changes = await listCharacteristicChanges(context, new Set(rows.map((row) => row.uuid)), new Date(0))
    found.push(changes.length)
  }
  expect(found).toEqual([SITE_MODEL.characteristics.length, SITE_MODEL.characteristics.length])
  await database.close()
})
