import { describe, expect, it } from 'vitest'
import { DATA_TYPES } from '../../../src/records/types/data-types.ts'
import { readDomain } from '../../../src/store/domains.ts'
import { fetchSystemsOfModels } from '../../../src/store/model/record-path.ts'
import { fetchRecords } from '../../../src/store/model/records.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { applyAll } from '../../support/domain.ts'
import { oneDomain } from '../one-domain.ts'
import { makeComponent, makeSystem, MODEL } from './site.ts'

describe.each(SAMPLED_DATABASES)('the systems with components of a model on $name', (kind) => {
  const domain = oneDomain(kind)

  it('are those with most of them, or some of them where there are more than is looked at', async () => {
    await applyAll(domain(), MODEL)
    const [one, other] = [await makeSystem(domain(), { name: 'One' }), await makeSystem(domain(), { name: 'Other' })]
    for (const system of [one, other, other, other]) await makeComponent(domain(), system.uuid)
    const { database, domain: own } = domain()
    const find = (mostComponents: number) =>
      readDomain(database, own.id, async (sql) => {
        const models = await fetchRecords(sql, own.id, [{ type: DATA_TYPES.componentModel, key: 'heat-pump' }])
        const wanted = { models: models.map(({ uuid }) => uuid), most: 1, mostComponents }
        return fetchSystemsOfModels(sql, own.id, wanted)
      })
    const all = { uuid: other.uuid, name: 'Other', components: 3, systems: 2, total: 4 }
    expect(await find(4)).toStrictEqual([all])
    expect(await find(2)).toMatchObject([{ total: 3 }])
  })
})
