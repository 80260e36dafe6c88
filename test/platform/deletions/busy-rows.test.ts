import { expect, it } from 'vitest'
import type { Database, Sql } from '../../../src/db/sql.ts'
import { FlushReader } from '../../../src/platform/changes/flush-reader.ts'
import { carryOutDeletion, previewDeletion } from '../../../src/platform/deletions/deletions.ts'
import type { Wanted } from '../../../src/platform/deletions/deletion-target.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { readDomain } from '../../../src/store/domains.ts'
import { historyOf } from '../datapoints/history.ts'
import { context, databases, datapoints, sender, site, useSite } from '../one-site.ts'

// Upkeep meets rows that another process is merging or reading, or that are damaged.

const NOON = Date.UTC(2026, 1, 20, 12)

const ranges = () => context.database.statement('select 1 as one from erased_ranges')

const ALL_OF_SITE = () => ({ systems: [site.systemUuid], components: null, services: null, characteristics: null })

useSite({ processes: 2, limits: { leastOfChunk: 1 } })

it.each(['datapoint_blocks', 'datapoint_chunks'])(
  'leaves deleted points hidden while another process holds their rows of %s',
  async (table) => {
    const points = [0, 1].map((minute) => site.point('temperature', minute, NOON + minute * 60_000))
    await datapoints.ingest.add(sender, points)
    await datapoints.compactor.compact()
    if (table === 'datapoint_chunks') await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)
    const wanted: Wanted = { kind: 'DATAPOINTS', series: ALL_OF_SITE(), from: (NOON + 60_000) * 1_000, to: null }
    const { token } = await previewDeletion(context, EVERYWHERE, wanted)
    await carryOutDeletion(context, EVERYWHERE, wanted, token)
    const left = { 'Sensor 0 temperature': [[NOON * 1_000, 0]] }
    await (databases[1] as Database).transaction(async (sql) => {
      expect(
        await sql.query(`select 1 as one from ${table} where domain_id = $1 for update`, [context.domain.id]),
      ).toHaveLength(1)
      await datapoints.erase()
    })
    expect(await historyOf(context)).toStrictEqual(left)
    expect(await ranges()).toHaveLength(1)
    await datapoints.erase()
    expect(await ranges()).toHaveLength(0)
    expect(await historyOf(context)).toStrictEqual(left)
  },
)

it('shows no deleted points to subscriptions in a snapshot from before their removal', async () => {
  await datapoints.ingest.add(sender, [site.point('temperature', 1, NOON)])
  await datapoints.compactor.compact()
  const wanted: Wanted = { kind: 'DATAPOINTS', series: ALL_OF_SITE(), from: null, to: null }
  const { token } = await previewDeletion(context, EVERYWHERE, wanted)
  await datapoints.ingest.add(sender, [site.point('temperature', 2, NOON + 60_000)])
  await carryOutDeletion(context, EVERYWHERE, wanted, token)
  await datapoints.compactor.compact()
  const reader = new FlushReader(context.domain.id, context.now)
  const read = async (sql: Sql) => {
    const all = { after: 0, ids: null, isWanted: () => true }
    const flushes = await reader.readFolded(sql, all, { points: 9, bytes: 999 }, () => new Error())
    return flushes.flatMap(({ runs }) => runs.flatMap(({ columns }) => [...columns.values]))
  }
  await readDomain(databases[1] as Database, context.domain.id, async (older) => {
    expect(await older.query('select 1 as one from erased_ranges')).toHaveLength(1)
    await datapoints.erase()
    expect(await ranges()).toHaveLength(0)
    expect(await readDomain(context.database, context.domain.id, read)).toStrictEqual([2])
    expect(await read(older)).toStrictEqual([2])
  })
})

it.each(['blocks', 'chunks'])('removes deleted points beside %s that cannot be read', async (place) => {
  for (const component of [0, 1]) {
    const points = [0, 1].map((minute) => site.point('temperature', minute, NOON + minute * 60_000, component))
    await datapoints.ingest.add(sender, points)
    await datapoints.compactor.compact()
    if (place === 'chunks') await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)
  }
  const wanted: Wanted = { kind: 'DATAPOINTS', series: ALL_OF_SITE(), from: (NOON + 60_000) * 1_000, to: null }
  const { token } = await previewDeletion(context, EVERYWHERE, wanted)
  await carryOutDeletion(context, EVERYWHERE, wanted, token)
  const table = `datapoint_${place}`
  const ofDomain = `domain_id = ${context.domain.id}`
  await context.database.script(`update ${table} set points = '\\x00'
    where ${ofDomain} and ctid = (select min(ctid) from ${table} where ${ofDomain})`)
  await expect(datapoints.erase()).rejects.toThrow('cannot be read')
  expect(await ranges()).toHaveLength(1)
  const left = await context.database.statement(`select sum(count)::integer as points from ${table}`)
  expect(left).toStrictEqual([{ points: 3 }])
})
