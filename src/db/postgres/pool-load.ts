import type { Pool, PoolClient } from 'pg'
import type { ConnectionLoad } from '../sql.ts'
import { NotAsked } from '../sql-error.ts'

/** The connections in use, by pool. The pool does not distinguish them from connections that are still being opened. */
const USED = new WeakMap<Pool, Set<PoolClient>>()

export function watchUse(pool: Pool): void {
  const used = new Set<PoolClient>()
  USED.set(pool, used)
  pool.on('acquire', (client) => used.add(client))
  pool.on('release', (_, client) => used.delete(client))
}

/** `inLine`: the number of waiting tasks that have not asked the pool yet. */
export function loadOf(pool: Pool, inLine = 0): Pick<ConnectionLoad, 'used' | 'idle' | 'waiting'> {
  return { used: USED.get(pool)?.size ?? 0, idle: pool.idleCount, waiting: pool.waitingCount + inLine }
}

export function isFull(pool: Pool): boolean {
  return loadOf(pool).used >= pool.options.max
}

/** Makes the error that says why there is no connection. All may be in use although the database works. */
export function unreachable(pool: Pool, cause: unknown): NotAsked {
  const { max } = pool.options
  const message = !isFull(pool)
    ? 'The database cannot be reached at the moment; try again'
    : `Too many requests at once: all ${max} connections to the database are in use, and none became free in time; try again in a moment`
  return new NotAsked(message, { cause })
}
