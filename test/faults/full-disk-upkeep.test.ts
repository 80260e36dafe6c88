import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LASTING } from '../../src/datapoints/segments/block-levels.ts'
import { INT8 } from '../../src/db/columns.ts'
import type { Database } from '../../src/db/sql.ts'
import { Datapoints } from '../../src/platform/datapoints/datapoints.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { historyOf } from '../platform/datapoints/history.ts'
import { countingDatabase } from '../support/counting-database.ts'
import { DATABASES_ON_DISK, IS_FULL, type DatabaseOnDisk } from '../support/database-on-disk.ts'
import { makeDomain } from '../support/domain.ts'
import { isLong } from '../support/runs.ts'
import { makeSite, type SentPoint, type Site } from '../support/site.ts'
import { CAN_MOUNT } from '../support/small-disk.ts'

// What becomes of points after they were acknowledged needs room, too: blocks, chunks, and rows that last. Where the disk is
// full at whatever statement of it, it says so, no point is lost or there twice, and with room it goes on.

/** FAULT_RUNS: at every statement. */
const STEP = isLong || process.env['FAULT_RUNS'] !== undefined ? 1 : 15
const HOUR = 3_600_000
const NOON = Date.UTC(2025, 9, 1, 12)
/** Few points of a day stay in rows that last, many become a chunk. */
const LIMITS = { foldAfterMs: 0, rowsOfLevel: 2, leastOfChunk: 200 }

/** A PGlite takes much longer and says the same. */
const KINDS = DATABASES_ON_DISK.filter(({ name }) => STEP === 1 || name === 'PostgreSQL')

describe.runIf(CAN_MOUNT).each(KINDS)('points that are folded on $name', ({ migrated }) => {
  let place: DatabaseOnDisk
  let database: Database
  let context: DomainContext
  let site: Site
  let datapoints: Datapoints
  /** In two days, when all is old. */
  let later: Datapoints
  /** The disk becomes full at the statement of this number, counted from 0 if it was set. */
  let left = Infinity
  const sent: { [series: string]: [number, unknown][] } = { 'Sensor 0 count': [], 'Sensor 0 temperature': [] }

  beforeEach(async () => {
    place = await migrated()
    database = await place.open()
    context = await makeDomain(database)
    site = await makeSite(context)
    const failing = countingDatabase(database, () => {
      if (left === 0) place.disk.fill()
      left -= 1
    })
    const parts = { database: failing, newId: context.newId, isAlone: false, limits: LIMITS }
    datapoints = new Datapoints({ ...parts, now: () => new Date() })
    later = new Datapoints({ ...parts, now: () => new Date(Date.now() + 48 * HOUR) })
  })
  afterEach(async () => {
    place.disk.free()
    await datapoints.close()
    await later.close()
    await database.close()
    await place.remove()
  })

  const sender = () => ({ domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null })

  /** A point that is noted as sent. */
  function point(code: 'temperature' | 'count', at: number, value: number): SentPoint {
    sent[`Sensor 0 ${code}`]?.push([at * 1_000, code === 'count' ? BigInt(value) : value])
    return site.point(code, value, at)
  }

  /** Some hours of one day, and many points of one hour of another. */
  async function send(round: number): Promise<void> {
    const few = Array.from({ length: 6 }, (_, index) => point('temperature', NOON + (round * 6 + index) * HOUR, index))
    const many = Array.from({ length: 300 }, (_, index) => point('count', NOON + (round * 300 + index) * 100, index))
    const { stored } = await datapoints.ingest.add(sender(), [...few, ...many])
    expect(stored).toBe(few.length + many.length)
  }

  /** All that a server does about them; gives what it says. */
  async function keep(): Promise<string[]> {
    const works = [
      () => datapoints.compactor.compact(),
      () => datapoints.merge(),
      () => later.tidy(),
      () => later.merge(),
      () => later.merge(),
    ]
    const said: string[] = []
    for (const work of works) await work().catch((error: unknown) => said.push(String(error)))
    return said
  }

  it('where the disk becomes full: it is said, and nothing of them is lost', { timeout: 600_000 }, async () => {
    let said: string[] = []
    for (let at = 0, round = 0; ; at += STEP, round += 1) {
      left = Infinity
      await send(round)
      left = at
      said = [...said, ...(await keep())]
      const isReached = left < 0
      place.disk.free()
      left = Infinity
      expect(await keep()).toStrictEqual([])
      expect(await historyOf(context)).toEqual(sent)
      if (!isReached) break
    }
    expect(said.length).toBeGreaterThan(0)
    for (const one of said)
      expect(one.replace(/^(\w*Error: )?(block \d+ of domain \d+ could not be merged: )?/, '')).toMatch(IS_FULL)
    const [found] = await database.rows(
      { lasting: INT8, chunks: INT8 },
      `select (select count(*) from datapoint_blocks where level > ${LASTING}) as lasting,
         (select count(*) from datapoint_chunks) as chunks`,
    )
    expect(found).toMatchObject({
      lasting: expect.toSatisfy((count) => count > 0) as number,
      chunks: expect.toSatisfy((count) => count > 0) as number,
    })
  })
})
