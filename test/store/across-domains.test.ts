import { expect, it } from 'vitest'
import type { Database } from '../../src/db/sql.ts'
import { acrossDomains, type SomeDomains } from '../../src/store/across-domains.ts'

const database = {
  read: (work: (sql: object) => Promise<unknown>) => work({ rows: async () => [{ id: 1 }, { id: 2 }, { id: 3 }] }),
} as unknown as Database

/** Finds each domain, but fails whenever it has to look in the domain that is away. */
const finding = (away: number, asked: SomeDomains[]) => async (domains: SomeDomains) => {
  asked.push(domains)
  if (domains === null || domains.includes(away)) throw Object.assign(new Error(`${away} is away`), { code: '08006' })
  return [...domains]
}

it('looks in each domain alone if one of them is away', async () => {
  const asked: SomeDomains[] = []
  expect(await acrossDomains(database, null, finding(2, asked))).toStrictEqual([1, 3])
  expect(asked).toStrictEqual([null, [1], [2], [3]])
})

it('throws any other error at once', async () => {
  const asked: SomeDomains[] = []
  const damaged = async (domains: SomeDomains) => {
    asked.push(domains)
    throw new Error('a row is damaged')
  }
  await expect(acrossDomains(database, null, damaged)).rejects.toThrow('a row is damaged')
  expect(asked).toStrictEqual([null])
})

it('asks once if nothing fails, and fails if every domain does', async () => {
  const asked: SomeDomains[] = []
  expect(await acrossDomains(database, [1, 3], finding(2, asked))).toStrictEqual([1, 3])
  await expect(acrossDomains(database, [2], finding(2, asked))).rejects.toThrow('2 is away')
  expect(asked).toStrictEqual([[1, 3], [2]])
})
