import { randomUUID } from 'node:crypto'
import type { Database } from '../src/db/sql.ts'
import { Datapoints } from '../src/platform/datapoints/datapoints.ts'

// The product's own folding in this process, by a clock that we set: what a server does in days and weeks.

export const DAY_MS = 86_400_000

/** In the order of rounds without work after which nothing is due: each looks at one month. */
const IDLE_ROUNDS = 6

export interface Clock {
  now: number
}

export function openDatapoints(database: Database, clock: Clock): Datapoints {
  return new Datapoints({ database, now: () => new Date(clock.now), newId: randomUUID, isAlone: true })
}

/** All folding, merging and joining that will be due some weeks from now. No server may run. */
export async function finishFolding(database: Database): Promise<void> {
  const datapoints = openDatapoints(database, { now: Date.now() + 45 * DAY_MS })
  await datapoints.takeOver()
  for (let idle = 0; idle < IDLE_ROUNDS; idle++) {
    await datapoints.tidy()
    while (await datapoints.merge()) idle = 0
  }
  await datapoints.close()
}
