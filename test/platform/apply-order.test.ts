import { beforeEach, describe, expect, it } from 'vitest'
import { HoldfastError } from '../../src/lib/errors.ts'
import { listApplies } from '../../src/platform/imports/history/applies.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { applyAll, emptyDomain, makeDomain } from '../support/domain.ts'
import { database, useDatabase } from '../support/one-database.ts'

// Which apply came after which is said by the database, whatever the clocks of its servers say.

const DAY = 86_400_000
const NOON = Date.parse('2026-06-01T12:00:00Z')

describe.each(SAMPLED_DATABASES)('the order of applies on $name', ({ openMigrated }) => {
  let context: DomainContext
  useDatabase({ openMigrated })
  beforeEach(async () => {
    context = await makeDomain(database)
    await emptyDomain(context)
  })

  /** By a server whose clock is so many days wrong. */
  const apply = (code: string, days: number) =>
    applyAll({ ...context, now: () => new Date(NOON + days * DAY) }, { dataSources: [{ code }] })

  it('is that in which they were made, and the times are those of the clocks', async () => {
    const made = [
      await apply('a', 0),
      await apply('b', -3),
      await apply('c', 5),
      await apply('d', 5),
      await apply('e', 1),
    ]
    const listed = await listApplies(context, 10, null)
    expect(listed.map(({ uuid }) => uuid)).toStrictEqual(made.map(({ uuid }) => uuid).toReversed())
    expect(listed.map(({ at }) => (at.getTime() - NOON) / DAY)).toStrictEqual([1, 5, 5, -3, 0])
  })

  it('is kept from page to page, while more are made', async () => {
    const made = [await apply('a', 0), await apply('b', -3), await apply('c', 5), await apply('d', -9)]
    const [last, third] = await listApplies(context, 2, null)
    const newest = await apply('e', -20)
    const rest = await listApplies(context, 10, third?.uuid ?? null)
    const expected = made.map(({ uuid }) => uuid).toReversed()
    expect([last, third, ...rest].map((one) => one?.uuid)).toStrictEqual(expected)
    expect((await listApplies(context, 1, null))[0]?.uuid).toBe(newest.uuid)
  })

  it('begins anew in each domain, and one does not see where another one is', async () => {
    const other = await makeDomain(database, 'other')
    await emptyDomain(other)
    await apply('a', 0)
    const theirs = await applyAll(other, { dataSources: [{ code: 'b' }] })
    await apply('c', 0)
    expect((await listApplies(other, 10, null)).map(({ uuid }) => uuid)).toStrictEqual([theirs.uuid])
    const numbers = await database.read((sql) =>
      sql.query(`select domain_id as domain, number from applies where domain_id = any ($1::bigint[]) order by 1, 2`, [
        [String(context.domain.id), String(other.domain.id)],
      ]),
    )
    expect(numbers).toEqual([
      { domain: context.domain.id, number: 1 },
      { domain: context.domain.id, number: 2 },
      { domain: other.domain.id, number: 1 },
    ])
  })

  it('is without a gap or a number twice where many are made at once', async () => {
    const made = await Promise.all([1, 2, 3, 4].map((index) => applySometime(index)))
    const listed = await listApplies(context, 10, null)
    expect(listed.map(({ uuid }) => uuid).toSorted()).toStrictEqual(made.toSorted())
    const numbers = await database.read((sql) =>
      sql.query(`select number from applies where domain_id = $1 order by 1`, [context.domain.id]),
    )
    expect(numbers).toEqual([1, 2, 3, 4].map((number) => ({ number })))
  })

  /** Each makes the plans of the others stale. */
  async function applySometime(index: number): Promise<string> {
    for (;;) {
      try {
        return (await apply(`c${index}`, -index)).uuid
      } catch (error) {
        if (!(error instanceof HoldfastError) || !['STALE_PLAN', 'BLOCKED'].includes(error.code)) throw error
      }
    }
  }

  it('has no place for a cursor that is none of its applies', async () => {
    await apply('a', 0)
    const unknown = listApplies(context, 10, '00000000-0000-4000-8000-000000000000')
    await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
