import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { INT4, INT8 } from '../../src/db/columns.ts'
import { onDatabaseOf, placeOnPostgres, startServerAt } from '../support/data-place.ts'
import { makeDomain } from '../support/domain.ts'
import { operatorToken } from '../support/password-token.ts'
import { isLong } from '../support/runs.ts'
import { makeSite } from '../support/site.ts'

// A server with little memory takes over what one with much of it has left.

const MEGABYTES = 320
const NOON = 1_760_000_000_000

it.runIf(isLong && process.platform === 'linux')(
  'takes over hundreds of megabytes in a heap of 512 MB',
  async () => {
    const place = await placeOnPostgres()
    const first = await startServerAt(place)
    const token = await operatorToken(first.url, place.directory)
    const site = await onDatabaseOf(place, async (database) => makeSite(await makeDomain(database)))
    const batch = [site.point('note', 'text of a device '.repeat(60_000), NOON), site.point('temperature', 21, NOON)]
    const sent = await fetch(`${first.url}/rest/v1/data-points/add`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(batch),
    })
    expect(sent.status).toBe(201)
    await first.kill()
    await onDatabaseOf(place, async (database) => {
      const [row] = await database.rows({ buffer: INT4 }, 'select buffer from datapoints_hot limit 1')
      // As many flushes as a fleet of such devices would have made.
      await database.statement(
        `insert into datapoints_hot_${row?.buffer} (domain_id, generation, series_lo, series_hi, t0, t1, count, series, points)
       select domain_id, generation + more, series_lo, series_hi, t0, t1, count, series, points
       from datapoints_hot, generate_series(1, $1) more`,
        [MEGABYTES],
      )
      await database.statement(`update writer_slots set heartbeat_at = heartbeat_at - interval '1 minute'`)
    })
    const server = await startServerAt(place, { NODE_OPTIONS: '--max-old-space-size=512' })
    const hotRows = () =>
      onDatabaseOf(
        place,
        async (database) =>
          (await database.rows({ rows: INT8 }, 'select count(*) as rows from datapoints_hot'))[0]?.rows,
      )
    await expect.poll(hotRows, { timeout: 120_000, interval: 500 }).toBe(0)
    expect(server.written()).not.toContain('could not be taken over')
    expect(peakMegabytes(server.pid)).toBeLessThan(1_000)
    expect(await server.stop()).toBe(0)
    const found = await onDatabaseOf(place, (database) =>
      database.rows(
        { points: INT8 },
        `select sum(count)::int8 as points from datapoint_chunks where t0 = ${NOON * 1_000}`,
      ),
    )
    expect(found[0]?.points).toBeGreaterThan(0)
    await place.remove()
  },
  180_000,
)

/** The most memory that a process ever had. */
function peakMegabytes(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1_024
}
