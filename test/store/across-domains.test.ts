import { expect, it } from 'vitest'
import type { Database } from '../../src/db/sql.ts'
import { Attempts } from '../../src/lib/attempts.ts'
import { acrossDomains, type SomeDomains } from '../../src/store/across-domains.ts'
import { inEachDomain } from '../../src/store/nodes-of-domains.ts'

const database = {
  read: (work: (sql: object) => Promise<unknown>) => work({ rows: async () => [{ id: 1 }, { id: 2 }, { id: 3 }] }),
} as unknown as Database

/** Domains with even numbers are on one node, those with odd numbers on the other. */
const onTwoNodes = async () => [1, 2, 3, 4, 5].map((domainId) => ({ domainId, node: domainId % 2 }))

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

it('looks in the domains of each node together if the nodes are known', async () => {
  const asked: SomeDomains[] = []
  expect(await acrossDomains({ ...database, rows: onTwoNodes } as Database, null, finding(2, asked))).toStrictEqual([
    1, 3,
  ])
  expect(asked).toStrictEqual([null, [1, 3], [2]])
})

it('leaves out the other domains of a node that is away, and works on all others', async () => {
  const worked: number[] = []
  const attempts = new Attempts()
  await inEachDomain({ rows: onTwoNodes } as unknown as Database, [1, 2, 3, 4, 5], attempts, async (domainId) => {
    worked.push(domainId)
    if (domainId === 2) throw Object.assign(new Error('2 is away'), { code: '08006' })
    if (domainId === 3) throw new Error('3 is damaged')
  })
  expect(worked).toStrictEqual([1, 2, 3, 5])
  expect(() => attempts.end()).toThrow('2 is away; 3 is damaged')
})

it('does not wait for domains whose node is known to hang', async () => {
  const hanging = { rows: onTwoNodes, away: () => new Set([1, 3, 5]) } as unknown as Database
  const worked: number[] = []
  await inEachDomain(hanging, [1, 2, 3, 4, 5], new Attempts(), async (domainId) => worked.push(domainId))
  expect(worked).toStrictEqual([2, 4])
})
