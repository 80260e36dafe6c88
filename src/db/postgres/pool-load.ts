import type { Pool, PoolClient } from 'pg'
import type { ConnectionLoad } from '../sql.ts'
import { NotAsked } from '../sql-error.ts'

/** The connections in use, by pool. The pool itself does not tell them from connections that are still being made. */
const USED = new WeakMap<Pool, Set<PoolClient>>()

export function watchUse(pool: Pool): void {
  const used = new Set<PoolClient>()
  USED.set(pool, used)
  pool.on('acquire', (client) => used.add(client))
  pool.on('release', (_, client) => used.delete(client))
}

/** `inLine`: how much waits before it asks the pool. */
export function loadOf(pool: Pool, inLine = 0): Pick<ConnectionLoad, 'used' | 'idle' | 'waiting'> {
  return { used: USED.get(pool)?.size ?? 0, idle: pool.idleCount, waiting: pool.waitingCount + inLine }
}

export function isFull(pool: Pool): boolean {
  return loadOf(pool).used >= pool.options.max
}

/** The error that says why there is no connection: all of them may be in use while the database is well. */
export function unreachable(pool: Pool, cause: unknown): NotAsked {
  const { max } = pool.options
  const message = !isFull(pool)
    ? 'The database cannot be reached at the moment; try again'
    : `Too much is asked for at once: all ${max} connections to the database are in use, and none became free in time; try again in a moment`
  return new NotAsked(message, { cause })
}
