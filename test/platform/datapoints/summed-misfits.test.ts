import { expect, it } from 'vitest'
import { countingDatabase } from '../../support/counting-database.ts'
import { POSTGRES } from '../../support/databases.ts'
import { plan } from '../../support/domain.ts'
import { changeOf } from '../../support/plan-parts.ts'
import { SITE_MODEL } from '../../support/site.ts'
import { context, database, datapoints, sender, site, useSite } from '../one-site.ts'

const NOON = Date.UTC(2026, 2, 28, 12)
const DAY = 86_400_000

useSite({ kind: POSTGRES, limits: { leastOfChunk: 1 }, isKept: true })

async function fold(): Promise<void> {
  await datapoints.compactor.compact()
  while (await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)) continue
}

async function store(values: readonly number[], at: number, component = 0): Promise<void> {
  const elements = values.map((value, index) => site.point('temperature', value, at + index * 1_000, component))
  expect(await datapoints.ingest.add(sender, elements)).toMatchObject({ errorCount: 0 })
}

it('a plan reads no values of chunks whose extremes decide, and counts the same', async () => {
  for (const component of [0, 1]) {
    const values = Array.from({ length: 3_000 }, (_, index) => index / 10 + component)
    await store(values, NOON - (component + 1) * DAY, component)
  }
  await fold()
  const counting = countingDatabase(database)
  const planned = async (definition: object) => {
    counting.statements.length = 0
    const found = await plan(
      { ...context, database: counting },
      {
        ...SITE_MODEL,
        characteristics: SITE_MODEL.characteristics.map((one) =>
          one.code === 'temperature' ? { ...one, ...definition } : one,
        ),
      },
    )
    const { guards } = changeOf(found, 'characteristics', 'temperature')
    const read = counting.statements.some((text) => text.includes('select c.points from unnest'))
    return [guards.map(({ message }) => /([\d,]+) stored/.exec(message)?.[1]).join(), read]
  }
  expect(await planned({ boundaryMin: 0, boundaryMax: 300.9 })).toEqual(['', false])
  // Those at the boundary are read.
  expect(await planned({ boundaryMax: 300.8 })).toEqual(['1', true])
  expect(await planned({ boundaryMax: 150 })).toEqual(['3,008', true])
  expect(await planned({ boundaryMax: -1 })).toEqual(['6,000', true])
  // Steps say nothing of what lies between.
  expect(await planned({ boundaryStep: 0.1 })).toEqual(['', true])
  // Points over one of these chunks, which may not be folded.
  await store([400], NOON - DAY + 1_000)
  expect(await planned({ boundaryMax: 300.9 })).toEqual(['1', true])
  await fold()
  expect(await planned({ boundaryMax: 300.9 })).toEqual(['1', true])
})
