import { beforeEach, expect, it } from 'vitest'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { expireDatapoints } from '../../../src/platform/datapoints/retention/expire.ts'
import { setRetention } from '../../../src/platform/datapoints/retention/set-retention.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { emptyDomain, makeDomain } from '../../support/domain.ts'
import { makeSite } from '../../support/site.ts'
import { historyOf } from '../datapoints/history.ts'
import { database, useDatabase } from '../../support/one-database.ts'

// What becomes of a step of retention that fails: two domains, each with an old point and a young one of one series.

const DAY_MS = 86_400_000
const NOON = Date.UTC(2026, 10, 20, 12)
const WRITES_BLOCK = /^(update|delete from) datapoint_blocks/

const contexts: DomainContext[] = []

useDatabase()
beforeEach(async () => {
  contexts.length = 0
  for (const slug of ['one', 'other']) {
    const context = { ...(await makeDomain(database, slug)), now: () => new Date(NOON) }
    await emptyDomain(context)
    const site = await makeSite(context)
    const datapoints = new Datapoints({ ...context, isAlone: true })
    const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
    const sent = [40, 1].map((days) => site.point('temperature', days, NOON - days * DAY_MS))
    await datapoints.ingest.add(who, sent)
    await datapoints.close()
    await setRetention(context, { characteristic: null, keep: 'P10D', acknowledge: true })
    contexts.push(context)
  }
})

async function stored(): Promise<unknown[]> {
  const days: unknown[] = []
  for (const context of contexts)
    days.push(((await historyOf(context))['Sensor 0 temperature'] ?? []).map(([, v]) => v))
  return days
}

it('a block is taken up again at once where the database has ended one of two transactions that waited for each other', async () => {
  let deadlocks = 0
  const meeting = countingDatabase(database, ({ text }) => {
    if (!WRITES_BLOCK.test(text) || deadlocks > 0) return
    deadlocks += 1
    throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
  })
  await expireDatapoints(meeting, NOON * 1_000)
  expect(deadlocks).toBe(1)
  expect(await stored()).toStrictEqual([[1], [1]])
})

it('what fails in one domain is told at once, and the others go on', async () => {
  const course: string[] = []
  const broken = countingDatabase(database, ({ text }) => {
    if (!WRITES_BLOCK.test(text)) return
    course.push('a block is taken up')
    if (course.length === 1) throw new Error('the disk of the blocks')
  })
  await expireDatapoints(broken, NOON * 1_000, undefined, (error) => course.push((error as Error).message))
  expect(course).toStrictEqual(['a block is taken up', 'the disk of the blocks', 'a block is taken up'])
  expect(await stored()).toStrictEqual([[40, 1], [1]])
})

it('what fails where nobody listens fails in the end, after all others', async () => {
  let isFirst = true
  const broken = countingDatabase(database, ({ text }) => {
    if (!WRITES_BLOCK.test(text) || !isFirst) return
    isFirst = false
    throw new Error('the disk of the blocks')
  })
  await expect(expireDatapoints(broken, NOON * 1_000)).rejects.toThrow('the disk of the blocks')
  expect(await stored()).toStrictEqual([[40, 1], [1]])
})
