import { expect, it } from 'vitest'
import type { Database } from '../../../src/db/sql.ts'
import { carryOutDeletion, previewDeletion } from '../../../src/platform/deletions/deletions.ts'
import type { Wanted } from '../../../src/platform/deletions/deletion-target.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { historyOf } from '../datapoints/history.ts'
import { context, databases, datapoints, sender, site, useSite } from '../one-site.ts'

// Upkeep meets rows that another process is merging.

const NOON = Date.UTC(2026, 1, 20, 12)

const ranges = () => context.database.statement('select 1 as one from erased_ranges')

useSite({ processes: 2, limits: { leastOfChunk: 1 } })

it.each(['datapoint_blocks', 'datapoint_chunks'])(
  'leaves deleted points hidden while another process holds their rows of %s',
  async (table) => {
    const points = [0, 1].map((minute) => site.point('temperature', minute, NOON + minute * 60_000))
    await datapoints.ingest.add(sender, points)
    await datapoints.compactor.compact()
    if (table === 'datapoint_chunks') await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)
    const series = { systems: [site.systemUuid], components: null, services: null, characteristics: null }
    const wanted: Wanted = { kind: 'DATAPOINTS', series, from: (NOON + 60_000) * 1_000, to: null }
    const { token } = await previewDeletion(context, EVERYWHERE, wanted)
    await carryOutDeletion(context, EVERYWHERE, wanted, token)
    const left = { 'Sensor 0 temperature': [[NOON * 1_000, 0]] }
    await (databases[1] as Database).transaction(async (sql) => {
      expect(await sql.query(`select 1 as one from ${table} for update`)).toHaveLength(1)
      await datapoints.erase()
    })
    expect(await historyOf(context)).toStrictEqual(left)
    expect(await ranges()).toHaveLength(1)
    await datapoints.erase()
    expect(await ranges()).toHaveLength(0)
    expect(await historyOf(context)).toStrictEqual(left)
  },
)
