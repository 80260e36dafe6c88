import { expect, it } from 'vitest'
import type { Database, Sql } from '../../../../src/db/sql.ts'
import { KnownDefinitions } from '../../../../src/platform/datapoints/series/known-definitions.ts'
import { DomainSeries } from '../../../../src/platform/datapoints/series/series-cache.ts'
import { SeriesResolver } from '../../../../src/platform/datapoints/series/series-resolver.ts'

const AT = { version: 1, records: 1, deletion: 0, identity: 'one' }

it('remembers the definitions of some hundred domains, and forgets those that were used longest ago', async () => {
  let asked = 0
  const sql = {
    rows: async () => {
      asked += 1
      return []
    },
  } as unknown as Sql
  const definitions = new KnownDefinitions()
  const isKnown = async (domainId: number) => {
    const before = asked
    await definitions.of(sql, domainId, AT, ['model'])
    return asked === before
  }
  for (let domainId = 0; domainId < 1_000; domainId++) {
    expect(await isKnown(domainId)).toBe(false)
    expect(await isKnown(0)).toBe(true)
  }
  expect([await isKnown(0), await isKnown(999), await isKnown(500)]).toStrictEqual([true, true, false])
  await definitions.of(sql, 999, { ...AT, version: 2 }, ['model'])
  expect(await isKnown(999)).toBe(false)
})

it('follows the model of one domain while those of others do not answer', async () => {
  const reads: (() => void)[] = []
  const database = { read: () => new Promise((_, reject) => reads.push(() => reject(new Error('the end')))) }
  const resolver = new SeriesResolver(database as unknown as Database)
  const following = [1, 2, 3, 4].map((domainId) => resolver.follow({ domainId, cache: new DomainSeries() }))
  await new Promise(setImmediate)
  expect(reads).toHaveLength(4)
  for (const end of reads) end()
  for (const one of following) await expect(one).rejects.toThrow('the end')
})
