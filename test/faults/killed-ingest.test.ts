import { describe, expect, it } from 'vitest'
import { findDomainBySlug } from '../../src/store/domains.ts'
import { historyOf } from '../platform/datapoints/history.ts'
import { DATA_PLACES, onDatabaseOf, startServerAt, type DataPlace } from '../support/data-place.ts'
import { makeDomain } from '../support/domain.ts'
import { operatorToken } from '../support/password-token.ts'
import { makeSite, type Site } from '../support/site.ts'
import { isLong, runsOf } from '../support/runs.ts'

// A real server is killed at a random moment while clients send: nothing that it acknowledged is lost, nothing that it
// refused is there, and a batch that was never answered is there as a whole or not at all.

const KILLS = runsOf('FAULT_RUNS', { sample: 1, long: 10 })
const BATCH = 40
const NOON = 1_760_000_000_000

/** What became of each batch, by its number. */
type Fates = Map<number, 'stored' | 'refused' | 'unanswered'>

/** How many points of a batch may be there. */
const ALLOWED: { readonly [fate: string]: readonly number[] } = {
  stored: [BATCH],
  refused: [0],
  unanswered: [0, BATCH],
}

/** Counts what is stored, and tells when it is enough. */
class StoredBatches {
  count = 0
  #enough = Infinity
  #tell = (): void => undefined

  add(): void {
    this.count += 1
    if (this.count >= this.#enough) this.#tell()
  }

  more(than: number): Promise<void> {
    this.#enough = this.count + than
    return new Promise((resolve) => (this.#tell = resolve))
  }
}

/** Sends batch after batch until the server is gone. Every fifth one has an error in its last point. */
async function sendUntilKilled(
  url: string,
  token: string,
  site: Site,
  fates: Fates,
  numbers: { next: number },
  stored: StoredBatches,
): Promise<void> {
  for (;;) {
    const number = numbers.next++
    fates.set(number, 'unanswered')
    const batch = Array.from({ length: BATCH }, (_, index) => {
      const isWrong = number % 5 === 0 && index === BATCH - 1
      return site.point('temperature', isWrong ? 'wrong' : number, NOON + number * BATCH + index)
    })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/rest/v1/data-points/add`, {
      method: 'POST',
      headers,
      body: JSON.stringify(batch),
    }).catch(() => null)
    if (answer === null) return
    expect([201, 422]).toContain(answer.status)
    fates.set(number, answer.status === 201 ? 'stored' : 'refused')
    if (answer.status === 201) stored.add()
  }
}

async function storedCounts(place: DataPlace): Promise<ReadonlyMap<number, number>> {
  return onDatabaseOf(place, async (database) => {
    const domain = await database.read((sql) => findDomainBySlug(sql, 'local'))
    if (domain === null) throw new Error('there is no domain')
    const history = await historyOf({ ...(await makeDomain(database)), domain })
    const counts = new Map<number, number>()
    for (const [, value] of history['Sensor 0 temperature'] ?? [])
      counts.set(Number(value), (counts.get(Number(value)) ?? 0) + 1)
    return counts
  })
}

/** Another server puts everything in order, which changes nothing. In `npm test`, killed-stages.test.ts says so. */
async function countsAfterAnother(place: DataPlace): Promise<ReadonlyMap<number, number>> {
  const server = await startServerAt(place)
  await server.stop()
  return storedCounts(place)
}

/** On PostgreSQL two-servers-killed.test.ts says more. */
const KINDS = DATA_PLACES.filter(({ name }) => isLong || name === 'PGlite')

describe.each(KINDS)('a server on $name', ({ make }) => {
  it(
    'that is killed while points arrive has all that it acknowledged and nothing that it refused',
    { timeout: 180_000 + KILLS * 120_000 },
    async () => {
      const place = await make()
      const site = await onDatabaseOf(place, async (database) => makeSite(await makeDomain(database)))
      const fates: Fates = new Map()
      const numbers = { next: 0 }
      const stored = new StoredBatches()
      for (let kill = 0; kill < KILLS; kill++) {
        const server = await startServerAt(place)
        const { url } = server
        const token = await operatorToken(url, place.directory)
        const enough = stored.more(10 + Math.floor(Math.random() * 200))
        const senders = Array.from({ length: 4 }, () => sendUntilKilled(url, token, site, fates, numbers, stored))
        await enough
        await server.kill()
        await Promise.all(senders)
      }
      const counts = await storedCounts(place)
      const wrong = [...fates].filter(([number, fate]) => !ALLOWED[fate]?.includes(counts.get(number) ?? 0))
      expect(wrong.map(([number, fate]) => ({ number, fate, stored: counts.get(number) }))).toStrictEqual([])
      expect(stored.count).toBeGreaterThan(KILLS * 10)
      expect([...fates.values()]).toContain('refused')
      expect(isLong ? await countsAfterAnother(place) : counts).toStrictEqual(counts)
      await place.remove()
    },
  )
})
