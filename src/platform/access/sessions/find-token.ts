import type { Database } from '../../../db/sql.ts'
import { joinLookUps } from '../../../lib/join-look-ups.ts'
import { findTokens, type AccessToken, type BearerKey } from '../../../store/access/bearers.ts'

type Find = (key: BearerKey) => Promise<AccessToken | null>

/** One finder for each pool of connections, since tokens of all domains are looked up together. */
const FINDERS = new WeakMap<Database, Find>()

/** Finds a token in its present state. Concurrent requests share a few statements. */
export function findToken(database: Database, key: BearerKey): Promise<AccessToken | null> {
  // Together, tokens of a domain whose machine is away would fail all others.
  if (database.isDistributed === true) return findTokens(database, [key]).then(([token]) => token ?? null)
  const find = FINDERS.get(database) ?? joinLookUps((keys: readonly BearerKey[]) => findTokens(database, keys))
  FINDERS.set(database, find)
  return find(key)
}
