import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { keyOf, keyText } from '../../../../src/platform/datapoints/ingest/check-batch.ts'
import { KnownDefinitions } from '../../../../src/platform/datapoints/series/known-definitions.ts'
import { lookUp } from '../../../../src/platform/datapoints/series/resolve-series.ts'
import { EVERYWHERE } from '../../../../src/platform/systems/reach.ts'
import { readDomain } from '../../../../src/store/domains.ts'
import { fetchModelVersions } from '../../../../src/store/model/model-versions.ts'
import { fetchComponents } from '../../../../src/store/systems/component-support.ts'
import { present } from '../../../../src/lib/present.ts'
import { countCalls } from '../../../support/count-calls.ts'
import { makeSite } from '../../../support/site.ts'
import { oneDomain } from '../../one-domain.ts'

const context = oneDomain()

it('the pairs of a model are searched by their names, since one batch may ask for 100,000', async () => {
  const { database, domain } = context()
  const site = await makeSite(context())
  const [known, unknown] = [keyOf(site.point('temperature', 1)), keyOf(site.point('count', 1))]
  const keys = [known, ...Array.from({ length: 20 }, () => ({ ...unknown, characteristic: randomUUID() }))]
  await readDomain(database, domain.id, async (sql) => {
    const definitions = new KnownDefinitions()
    const component = present((await fetchComponents(sql, domain.id, [known.component]))[0])
    const versions = await fetchModelVersions(sql, domain.id)
    const { pairs } = await definitions.of(sql, domain.id, versions, [component.modelUuid])
    const own = present(pairs.get(component.modelUuid))
    const asked = new Map(keys.map((key) => [keyText(key), key]))
    const searches = await countCalls(own, 'find', async () => {
      const found = await lookUp(sql, domain.id, EVERYWHERE, asked, definitions)
      expect([...found.pairs.keys()]).toStrictEqual([keyText(known)])
      expect([...found.refused.values()].map(({ code }) => code)).toStrictEqual(
        Array(20).fill('unknown-characteristic'),
      )
    })
    expect(searches).toBe(0)
  })
})
