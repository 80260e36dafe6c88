import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import type { Database } from '../../../src/db/sql.ts'
import { LOCK_NOT_AVAILABLE, sqlState } from '../../../src/db/sql-error.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../../support/databases.ts'
import { emptyDomain, makeDomain } from '../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../support/global-setup.ts'
import { makeSite, type Site } from '../../support/site.ts'
import { Follower, TestProcess } from './followers.ts'
import { runsOf } from '../../support/runs.ts'

// Two server processes on one PostgreSQL, and whoever follows one of them hears of what both have stored.

const NOON = 1_760_000_000_000

let place: PostgresDatabase
const databases: Database[] = []
let context: DomainContext
let site: Site
let processes: readonly [TestProcess, TestProcess]

beforeAll(async () => {
  place = await createPostgresDatabase(MIGRATED_TEMPLATE)
  for (let index = 0; index < 2; index++) databases.push(await openPostgres(place.url, { maxConnections: 6 }))
  context = await makeDomain(databases[0] as Database)
  await emptyDomain(context)
  site = await makeSite(context)
})
beforeEach(() => begin())
afterEach(() => end())
afterAll(async () => {
  for (const database of databases) await database.close()
  await place.drop()
})

function begin(): void {
  const [one, other] = databases as [Database, Database]
  const limits = { deadAfterSeconds: 0, leastOfChunk: 3, rowsOfLevel: 2 }
  processes = [new TestProcess(context, one, limits), new TestProcess(context, other, limits)]
}

async function end(): Promise<void> {
  for (const one of processes) one.release()
  for (const one of processes) await one.close()
}

let sent = 0

/** Points that nobody has sent before, of both components. */
async function send(to: TestProcess, count: number): Promise<number[]> {
  const times = Array.from({ length: count }, () => NOON + sent++)
  const elements = times.map((at) => site.point('temperature', at, at, at % 2))
  const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
  expect(await to.datapoints.ingest.add(who, elements)).toMatchObject({ stored: count })
  return times
}

const timesOf = ({ points }: Follower) => points.map(({ at }) => at / 1_000)
const ascending = (times: readonly number[]) => times.toSorted((a, b) => a - b)

async function refresh(): Promise<void> {
  for (const { feeds } of processes) await feeds.refresh()
}

/** Of two that make the same partition at once one fails. */
const EXISTS = ['23505', '42P07', '42710']

/** Upkeep gives up where it waits for long or meets another one, and comes again. */
function tolerateMeeting(error: unknown): void {
  if (![LOCK_NOT_AVAILABLE, ...EXISTS].includes(sqlState(error) ?? '')) throw error
}

const step = fc.record({
  who: fc.constantFrom(0, 1),
  what: fc.oneof(
    { weight: 8, arbitrary: fc.constant('send' as const) },
    ...(
      [
        'fold',
        'fold',
        'gather',
        'leave',
        'merge',
        'take over',
        'die',
        'hold',
        'release',
        'follow',
        'go on',
        'look',
      ] as const
    ).map((what) => ({
      weight: 2,
      arbitrary: fc.constant(what),
    })),
  ),
  count: fc.integer({ min: 1, max: 20 }),
})

it(
  'every stored point comes once, in whatever order flushes become visible, and wherever they are by then',
  { timeout: 240_000 },
  () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 50 }), async (steps) => {
        await end()
        begin()
        const stored: number[] = []
        const running: Promise<unknown>[] = []
        // Who has followed since when, and who goes on where somebody has ended.
        const followers: {
          readonly follower: Follower
          /** What was sent from then on must come; what was on its way before that may. */
          readonly since: number
          readonly has: number[]
        }[] = []
        const follow = async (who: TestProcess): Promise<void> => {
          const follower = await Follower.begin(who)
          followers.push({ follower, since: NOON + sent, has: [] })
        }
        await follow(processes[0])
        await follow(processes[1])
        for (const { who, what, count } of steps) {
          const one = processes[who]
          const { datapoints } = one
          if (what === 'send') running.push(send(one, count).then((times) => stored.push(...times)))
          if (what === 'fold') running.push(datapoints.compactor.compact().catch(tolerateMeeting))
          if (what === 'merge') running.push(datapoints.merger.merge(Number.MAX_SAFE_INTEGER))
          if (what === 'gather') running.push(datapoints.blockMerger.merge(0))
          if (what === 'leave') running.push(datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER))
          if (what === 'take over') running.push(datapoints.takeOver().catch(tolerateMeeting))
          if (what === 'die') one.die()
          if (what === 'hold') one.hold()
          if (what === 'release') one.release()
          if (what === 'follow') await follow(one)
          if (what === 'look') await one.feeds.refresh()
          if (what === 'go on') {
            const index = count % followers.length
            const { follower, since, has } = followers[index] as (typeof followers)[number]
            await follower.end()
            const next = await Follower.begin(one, { after: follower.position })
            followers[index] = { follower: next, since, has: [...has, ...timesOf(follower)] }
          }
          // Some of what has been begun goes on.
          await new Promise((resolve) => setTimeout(resolve, count % 4))
        }
        for (const one of processes) one.release()
        await Promise.all(running)
        await refresh()
        for (const { follower, since, has } of followers) {
          await follower.end()
          const got = ascending([...has, ...timesOf(follower)])
          expect(got.filter((at) => at >= since)).toStrictEqual(ascending(stored.filter((at) => at >= since)))
          expect(got).toStrictEqual([...new Set(got)])
        }
        expect(processes.flatMap(({ errors }) => errors)).toStrictEqual([])
      }),
      { numRuns: runsOf('LAW_RUNS', { sample: 5, long: 15 }), endOnFailure: true },
    ),
)
