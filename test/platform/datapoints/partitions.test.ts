import { expect, it } from 'vitest'
import { json } from '../../../src/db/columns.ts'
import type { Sql, SqlValue } from '../../../src/db/sql.ts'
import { ChunkPartitions } from '../../../src/platform/datapoints/folding/chunk-partitions.ts'
import { setRetention } from '../../../src/platform/datapoints/retention/set-retention.ts'
import { listChunkMonths, listChunkPartitions } from '../../../src/store/datapoints/packed/partitions.ts'
import { fetchImpact } from '../../../src/store/datapoints/points/impact.ts'
import { historyOf } from './history.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { context, databases, datapoints, sender, site, useSite } from '../one-site.ts'

const NOW = new Date(Date.UTC(2026, 3, 4))

useSite({ processes: 3, now: () => NOW, isAlone: false, isKept: true })

it('points of every month since 1970 make few partitions, and a plan about other data looks at none of them', async () => {
  const months = Array.from({ length: 675 }, (_, month) => Date.UTC(1970, month, 5))
  const elements = months.map((ms, index) => site.point('temperature', index, new Date(ms).toISOString()))
  expect(await datapoints.ingest.add(sender, elements)).toMatchObject({ stored: months.length, errors: [] })
  await datapoints.compactor.compact()
  expect(Object.values(await historyOf(context))).toMatchObject([{ length: months.length }])
  const partitions = await context.database.read(listChunkPartitions)
  expect(partitions).toHaveLength(4 + 10 + (2026 - 2020) * 12 + 3)
  await setRetention(context, { characteristic: null, keep: 'P20Y', acknowledge: true })
  await datapoints.expire()
  const kept = await context.database.read(listChunkPartitions)
  expect(kept).toHaveLength(partitions.length - 3)
  const looked = await context.database.read(async (sql) => {
    const asked: [string, readonly SqlValue[] | undefined][] = []
    const rows: Sql['rows'] = async (_, text, values) => {
      asked.push([text, values])
      return []
    }
    await fetchImpact({ ...sql, rows }, context.domain.id, [{ type: 'characteristics', key: 'percent' }])
    const [text, values] = asked[0] ?? ['', []]
    const [row] = await sql.rows(PLAN, `explain (analyze, timing off, format json) ${text}`, values)
    return (JSON.stringify(row).match(/"Relation Name":"datapoint_chunks[^}]*?"Actual Loops":[1-9]/g) ?? []).length
  })
  expect(looked).toBe(0)
})

const PLAN = { 'QUERY PLAN': json((plan): plan is readonly object[] => Array.isArray(plan)) }

/** January of 2030. */
const LATER = 60 * 12

it('two that need the same new month at the same time make it once, and neither fails', async () => {
  for (let month = LATER; month < LATER + 12; month++) {
    const begin = (): Promise<unknown>[] =>
      databases.map((database, index) => {
        const partitions = new ChunkPartitions(database)
        // Folding makes one at once, a takeover in its own transaction.
        if (index === 0) return partitions.ensure([month])
        return database.transaction((sql) => partitions.ensureWithin(sql, [month]))
      })
    await expect(Promise.all(begin())).resolves.toHaveLength(databases.length)
  }
  const months = await context.database.read(listChunkMonths)
  expect(months.filter((month) => month >= LATER)).toHaveLength(12)
})

it('a partition that exists is used without the lock that a cluster takes on each node', async () => {
  const counting = countingDatabase(context.database)
  const partitions = new ChunkPartitions(counting)
  await partitions.ensure([LATER + 24])
  partitions.forget()
  await partitions.ensure([LATER + 24])
  expect(counting.statements.filter((text) => text.startsWith('lock table'))).toHaveLength(1)
})

it('upkeep makes the partitions of the next weeks, so that no fold needs to', async () => {
  await datapoints.tidy()
  const months = await context.database.read(listChunkMonths)
  expect([3, 4, 5].map((month) => months.includes((NOW.getUTCFullYear() - 1970) * 12 + month))).toStrictEqual([
    true,
    true,
    false,
  ])
})
