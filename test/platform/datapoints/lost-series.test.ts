import { ENOUGH_POINTS } from '../../../src/datapoints/segments/divide-points.ts'
import { LASTING } from '../../../src/datapoints/segments/block-levels.ts'
import { describe, expect, it } from 'vitest'
import { INT4, INT8 } from '../../../src/db/columns.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import { expireDatapoints } from '../../../src/platform/datapoints/retention/expire.ts'
import { fetchWithChunks } from '../../../src/store/datapoints/series/lost-series.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { applyAll } from '../../support/domain.ts'
import { rowsRead } from '../../support/rows-read.ts'
import { SITE_MODEL } from '../../support/site.ts'
import { historyOf } from './history.ts'
import { context, database, datapoints, sender, site, useSite } from '../one-site.ts'

const NOON = Date.UTC(2026, 2, 1, 12)

const stored = () => database.rows({ level: INT4, count: INT4 }, 'select level, count from datapoint_blocks')

async function counts() {
  const [row] = await database.rows(
    { chunks: INT8, lost: INT8, orphans: INT8 },
    `select (select count(*) from datapoint_chunks) as chunks, (select count(*) from lost_series) as lost,
       (select count(*) from datapoint_chunks c where not exists (
         select from series s where s.domain_id = c.domain_id and s.id = c.series_id)) as orphans`,
  )
  return row
}

async function send(...elements: unknown[]): Promise<void> {
  expect((await datapoints.ingest.add(sender, elements)).errors).toStrictEqual([])
}

describe.each(SAMPLED_DATABASES)('points of a series that was deleted, on $name', (kind) => {
  useSite({ kind, limits: { leastOfChunk: 1 } })

  const WITHOUT_NOTE = {
    ...SITE_MODEL,
    characteristics: SITE_MODEL.characteristics.filter(({ code }) => code !== 'note'),
    services: SITE_MODEL.services.map((service) => ({
      ...service,
      characteristics: service.characteristics.filter(({ code }) => code !== 'note'),
    })),
  }

  it('become no chunks that nobody can reach: what was on its way is swept away', async () => {
    await send(site.point('note', 'folded', NOON), site.point('temperature', 1, NOON))
    await datapoints.compactor.compact()
    await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)
    // Enough for a chunk at once.
    const notes = Array.from({ length: ENOUGH_POINTS }, (_, index) =>
      site.point('note', 'on its way', NOON + 1 + index),
    )
    await send(...notes, site.point('temperature', 2, NOON + 1))
    await applyAll(context, WITHOUT_NOTE)
    await datapoints.compactor.compact()
    expect(await counts()).toStrictEqual({ chunks: 2, lost: 1, orphans: 1 })
    await datapoints.expire()
    expect(await counts()).toStrictEqual({ chunks: 1, lost: 1, orphans: 0 })
    expect(await historyOf(context)).toMatchObject({
      'Sensor 0 temperature': [
        [NOON * 1000, 1],
        [(NOON + 1) * 1000, 2],
      ],
    })
  })

  it('leave no block for a chunk', async () => {
    await send(site.point('note', 'in a block', NOON), site.point('temperature', 1, NOON))
    await datapoints.compactor.compact()
    await send(site.point('note', 'on its way', NOON + 1))
    await applyAll(context, WITHOUT_NOTE)
    await datapoints.compactor.compact()
    await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)
    expect(await counts()).toStrictEqual({ chunks: 1, lost: 1, orphans: 0 })
  })

  it('leave the rows of blocks that last, and are remembered until then', async () => {
    const server = new Datapoints({ ...context, isAlone: true })
    await server.ingest.add(sender, [site.point('note', 'lasts', NOON), site.point('temperature', 1, NOON)])
    await server.compactor.compact()
    await server.blockMerger.merge(Number.MAX_SAFE_INTEGER)
    expect(await stored()).toStrictEqual([{ level: LASTING, count: 2 }])
    await applyAll(context, WITHOUT_NOTE)
    await database.script(`update lost_series set lost_at = 'epoch'`)
    expect(await stored()).toStrictEqual([{ level: LASTING, count: 2 }])
    expect(await counts()).toMatchObject({ lost: 1 })
    await server.expire()
    expect(await stored()).toStrictEqual([{ level: LASTING, count: 1 }])
    expect(await counts()).toStrictEqual({ chunks: 0, lost: 0, orphans: 0 })
    expect(await historyOf(context)).toStrictEqual({ 'Sensor 0 temperature': [[NOON * 1_000, 1]] })
    await server.close()
  })

  it('leave all rows that can be read where one of their block is damaged, and are remembered', async () => {
    const server = new Datapoints({ ...context, isAlone: true })
    for (const day of [0, 1]) {
      const at = NOON + day * 86_400_000
      await server.ingest.add(sender, [site.point('note', 'lasts', at), site.point('temperature', day, at)])
      await server.compactor.compact()
      await server.blockMerger.merge(Number.MAX_SAFE_INTEGER)
    }
    await applyAll(context, WITHOUT_NOTE)
    await database.script(`update lost_series set lost_at = 'epoch';
      update datapoint_blocks set series = '' where t0 = (select min(t0) from datapoint_blocks)`)
    await expect(server.expire()).rejects.toThrow('cannot be read')
    expect(await database.statement('select level, count from datapoint_blocks order by t0')).toStrictEqual([
      { level: LASTING, count: 2 },
      { level: LASTING, count: 1 },
    ])
    expect(await counts()).toMatchObject({ lost: 1 })
    await server.close()
  })

  it('leave the rows of blocks that last where chunks cannot be deleted, which is said in the end', async () => {
    const server = new Datapoints({ ...context, isAlone: true })
    await server.ingest.add(sender, [site.point('note', 'lasts', NOON), site.point('temperature', 1, NOON)])
    await server.compactor.compact()
    await server.blockMerger.merge(Number.MAX_SAFE_INTEGER)
    await applyAll(context, WITHOUT_NOTE)
    const broken = countingDatabase(database, ({ text }) => {
      if (text.includes('from datapoint_chunks')) throw new Error('the disk of the chunks')
    })
    await expect(expireDatapoints(broken, NOON * 1_000)).rejects.toThrow('the disk of the chunks')
    expect(await database.statement('select count from datapoint_blocks')).toStrictEqual([{ count: 1 }])
    await server.close()
  })

  it('are looked for in hot points alone while hot points cannot be folded', async () => {
    await send(site.point('note', 'on its way', NOON))
    await applyAll(context, WITHOUT_NOTE)
    await database.script(`update lost_series set lost_at = 'epoch'`)
    await datapoints.compactor.compact()
    const watched = countingDatabase(database)
    await expireDatapoints(watched, NOON * 1_000)
    expect(await counts()).toMatchObject({ lost: 0 })

    const { statements } = watched
    const begin = statements.findLastIndex((text) => text.includes('lock table datapoints_hot'))
    const end = statements.findIndex((text, index) => index > begin && /^(COMMIT|rollback to savepoint)/.test(text))
    expect(statements.slice(begin + 1, end)).toStrictEqual([expect.stringContaining('from datapoints_hot')])
    // Points go from hot segments to lasting rows and from there to chunks.
    const looks = statements
      .slice(end)
      .map((text) => /datapoint_(blocks|chunks)|delete from lost_series/.exec(text)?.[0])
    expect(looks.filter((look) => look !== undefined).slice(0, 3)).toStrictEqual([
      'datapoint_blocks',
      'datapoint_chunks',
      'delete from lost_series',
    ])
  })

  it('are found without a look at the chunks of others', async () => {
    await send(site.point('note', 'a chunk', NOON), site.point('temperature', 1, NOON))
    await datapoints.compactor.compact()
    await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)
    await database.script(`insert into datapoint_chunks
      (domain_id, series_id, t0, t1, generation, count, span, last_generation, last_float8, summary, points)
      select domain_id, -n, t0, t1, generation, count, span, last_generation, last_float8, summary, points
      from datapoint_chunks, generate_series(1, 5000) n where last_text is null`)
    const lost = Array.from({ length: 100 }, (_, index) => 1e9 + index)
    const rows = await database.read((sql) =>
      rowsRead(sql, 'datapoint_chunks', (own) => fetchWithChunks(own, context.domain.id, lost)),
    )
    expect(rows).toBe(0)
  })

  it('are remembered until nothing can come of them any more', async () => {
    await send(site.point('note', 'on its way', NOON))
    await applyAll(context, WITHOUT_NOTE)
    await database.script(`update lost_series set lost_at = 'epoch'`)
    await datapoints.expire()
    // It is still on its way.
    expect(await counts()).toMatchObject({ lost: 1 })
    await datapoints.compactor.compact()
    await datapoints.expire()
    expect(await counts()).toStrictEqual({ chunks: 0, lost: 0, orphans: 0 })
  })
})
