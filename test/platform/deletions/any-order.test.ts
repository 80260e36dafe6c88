import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import type { Database } from '../../../src/db/sql.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { createPostgresDatabase, PGLITE } from '../../support/databases.ts'
import { emptyDomain, makeDomain } from '../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../support/global-setup.ts'
import { isLong } from '../../support/runs.ts'
import { makeSite } from '../../support/site.ts'
import { CODES, DAY, NOON, World, type Place, type Work } from './world.ts'

// Two servers store, fold, merge and delete points in any order, and one of them dies now and then. Every reading agrees
// with a plain map in which a deletion removes the points that were there at its preview.

const place = fc.record<Place>({
  code: fc.constantFrom(...CODES),
  component: fc.nat(1),
  at: fc.oneof(
    fc.nat(12).map((minutes) => NOON + minutes * 60_000),
    fc.nat(30).map((days) => NOON + days * DAY),
  ),
})

const range = fc.record({
  component: fc.option(fc.nat(1)),
  code: fc.option(fc.constantFrom(...CODES)),
  from: fc.option(fc.nat(30).map((days) => NOON + days * DAY - 3_600_000)),
  days: fc.option(fc.integer({ min: 1, max: 30 })),
})

const work = fc.constantFrom<Work>('fold', 'gather', 'leave', 'merge', 'join', 'erase', 'die')
const server = fc.nat(1)
const send = fc.record({
  kind: fc.constant('send' as const),
  server,
  places: fc.array(place, { minLength: 1, maxLength: 12 }),
})
const keep = fc.record({ kind: fc.constant('work' as const), server, work })
const preview = fc.record({ kind: fc.constant('preview' as const), range })
const carryOut = fc.record({ kind: fc.constant('delete' as const), pick: fc.nat(5) })
const look = fc.record({ kind: fc.constant('look' as const) })
const single = fc.oneof(
  { arbitrary: send, weight: 4 },
  { arbitrary: keep, weight: 5 },
  { arbitrary: preview, weight: 3 },
  { arbitrary: carryOut, weight: 3 },
  { arbitrary: look, weight: 1 },
)
/** These may run at the same time: no result depends on their order. */
const together = fc.record({
  kind: fc.constant('together' as const),
  steps: fc.array(fc.oneof(keep, carryOut), { minLength: 2, maxLength: 4 }),
  send,
})
const plan = fc.record({
  leastOfChunk: fc.constantFrom(3, 600),
  steps: fc.array(fc.oneof({ arbitrary: single, weight: 5 }, { arbitrary: together, weight: 1 }), {
    minLength: 8,
    maxLength: 30,
  }),
})

const KINDS: readonly { readonly name: string; open(): Promise<{ databases: Database[]; close(): Promise<void> }> }[] =
  [
    {
      name: 'PGlite',
      async open() {
        const database = await PGLITE.openMigrated()
        return { databases: [database, database], close: () => database.close() }
      },
    },
    {
      name: 'PostgreSQL',
      async open() {
        const { url, drop } = await createPostgresDatabase(MIGRATED_TEMPLATE)
        const pools = [await openPostgres(url, { maxConnections: 6 }), await openPostgres(url, { maxConnections: 6 })]
        const close = async () => {
          for (const pool of pools) await pool.close()
          await drop()
        }
        return { databases: pools, close }
      },
    },
  ]

describe.each(KINDS)('deleted datapoints on $name', ({ name, open }) => {
  let databases: Database[]
  let close: () => Promise<void>
  let context: DomainContext

  beforeAll(async () => {
    ;({ databases, close } = await open())
    context = await makeDomain(databases[0] as Database)
  })
  afterAll(() => close())

  it('never come back, whatever is stored, folded and merged meanwhile', { timeout: 300_000 }, async () => {
    const property = fc.asyncProperty(plan, async ({ steps, leastOfChunk }) => {
      await emptyDomain(context)
      const world = new World(context, databases, await makeSite(context), leastOfChunk)
      for (const step of steps) {
        if (step.kind === 'together')
          await Promise.all([world.take(step.send), ...step.steps.map((one) => world.take(one))])
        else await world.take(step)
        if (step.kind === 'delete') await world.look()
      }
      await world.look()
      await world.end()
    })
    const runs = fc.assert(property, { numRuns: isLong ? 60 : name === 'PGlite' ? 6 : 14 })
    await expect(runs).resolves.toBeUndefined()
  })
})
