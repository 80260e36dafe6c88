import { expect, it } from 'vitest'
import { readLatest } from '../../../src/platform/datapoints/reading/read-datapoints.ts'
import { carryOutDeletion, previewDeletion } from '../../../src/platform/deletions/deletions.ts'
import type { Wanted } from '../../../src/platform/deletions/deletion-target.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { context, database, datapoints, sender, site, useSite } from '../one-site.ts'

const NOON = Date.UTC(2026, 1, 20, 12)
const HOUR = 3_600_000
const LEFT = NOON - 9_000 * HOUR

useSite({ components: 4, limits: { leastOfChunk: 1 } })

it.each(['hot tables', 'blocks', 'chunks'])(
  'are read back for all series together where they are in %s',
  async (place) => {
    const points = [0, 1, 2, 3].flatMap((component) =>
      [LEFT, NOON - HOUR, NOON].map((at) => site.point('temperature', component, at, component)),
    )
    await datapoints.ingest.add(sender, points)
    if (place !== 'hot tables') await datapoints.compactor.compact()
    if (place === 'chunks') await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)
    const series = { systems: [site.systemUuid], components: null, services: null, characteristics: null }
    const wanted: Wanted = { kind: 'DATAPOINTS', series, from: (NOON - 2 * HOUR) * 1_000, to: null }
    const { token } = await previewDeletion(context, EVERYWHERE, wanted)
    await carryOutDeletion(context, EVERYWHERE, wanted, token)

    const counting = countingDatabase(database)
    const statementsOf = async (components: readonly string[]) => {
      const before = counting.statements.length
      const found = await readLatest({ ...context, database: counting }, EVERYWHERE, { components })
      expect(found.map(({ point }) => point.at)).toStrictEqual(components.map(() => LEFT * 1_000))
      return counting.statements.length - before
    }
    expect(await statementsOf(site.componentUuids)).toBe(await statementsOf(site.componentUuids.slice(2)))
  },
)
