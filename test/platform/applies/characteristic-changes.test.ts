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
    const { changes } = await listCharacteristicChanges(context, new Set(rows.map((row) => row.uuid)), new Date(0))
    found.push(changes.length)
  }
  expect(found).toEqual([SITE_MODEL.characteristics.length, SITE_MODEL.characteristics.length])
  await database.close()
})

const model = (name: string, most: number) => ({
  services: [{ code: 'heating', name }],
  characteristics: Array.from({ length: 2_100 }, (_, n) => ({
    ...SITE_MODEL.characteristics[0],
    code: `c-${String(n).padStart(4, '0')}`,
    ...(n === 2_050 && { boundaryMax: most }),
  })),
})

it('finds the changes of one characteristic among those of thousands, the latest first', async () => {
  const database = await ANY_DATABASE.openMigrated()
  const context = await makeDomain(database)
  const applied = []
  for (const [name, most] of [
    ['Heating', 70],
    ['Heating', 75],
    ['Heat', 75],
    ['Heat', 80],
  ] as const)
    applied.push(await applyAll(context, model(name, most)))
  const [row] = await database.read((sql) =>
    sql.rows({ uuid: UUID }, `select uuid from records where domain_id = $1 and key = 'c-2050'`, [context.domain.id]),
  )
  const { changes, hasMore } = await listCharacteristicChanges(context, new Set([row?.uuid ?? '']), new Date(0))
  expect(hasMore).toBe(false)
  expect(
    changes.map(({ apply, before, after }) => [apply.uuid, before?.['boundaryMax'], after?.['boundaryMax']]),
  ).toEqual([
    [applied[3]?.uuid, 75, 80],
    [applied[1]?.uuid, 70, 75],
    [applied[0]?.uuid, undefined, 70],
  ])
  await database.close()
})
