import { LRUCache } from 'lru-cache'
import type { HeldRole } from '../../../auth/roles.ts'
import type { Database } from '../../../db/sql.ts'
import type { Grantee } from '../../../records/types/grant.ts'
import { fetchGrants } from '../../../store/access/grants.ts'
import { fetchUnitsWithin } from '../../../store/model/units.ts'
import { fetchRightsVersion, readDomain } from '../../../store/domains.ts'
import type { Actor } from './actor.ts'
import { recentlyUsed } from '../../../lib/recently-used.ts'
import { GrantBook } from '../../../records/types/grant-book.ts'

interface Kept {
  readonly version: number
  readonly book: GrantBook
}

/**
 * The limit for the kept lists of units, and also for the kept actors, counted in uuids of units. The least recently
 * used ones are evicted.
 */
const MOST_UNITS = 2_000_000
/** The most domains whose grants are kept. */
const MOST_DOMAINS = 5_000

/** The maximum number of actors that are kept. Each counts at least as its share of `MOST_UNITS`. */
const MOST_ACTORS = 20_000

/**
 * Keeps the grants of each domain in memory as long as its rights do not change. The caller passes the version of the
 * rights that it read with its token. So a revoked grant ends with the next request in every process, and a request
 * reads nothing if nothing has changed.
 */
export class GrantKeeper {
  /** The kept actors. Everything that determines an actor is part of the key: see sessions/identify-bearer.ts. */
  readonly actors: LRUCache<string, Actor>
  readonly #database: Database
  /** By domain. */
  readonly #kept = recentlyUsed<Promise<Kept>>(MOST_DOMAINS)
  /** Maps the keys of organizations and units to the uuids of these and of everything below them. */
  readonly #units: LRUCache<string, Promise<readonly string[]>>

  constructor(database: Database, mostActors = MOST_ACTORS) {
    const least = MOST_UNITS / mostActors
    this.#database = database
    this.actors = new LRUCache({
      maxSize: MOST_UNITS,
      sizeCalculation: (actor) => Math.max(least, sizeOf(actor)),
    })
    this.#units = new LRUCache({ maxSize: MOST_UNITS })
  }

  async rolesOf(domainId: number, rightsVersion: number, grantee: Grantee): Promise<readonly HeldRole[]> {
    const { book } = await this.#at(domainId, rightsVersion)
    return book.heldBy(grantee)
  }

  /** The uuids of the organizations and units with these keys, and of all below them. */
  async unitsWithin(domainId: number, rightsVersion: number, keys: readonly string[]): Promise<readonly string[]> {
    if (keys.length === 0) return []
    const { version } = await this.#at(domainId, rightsVersion)
    const name = JSON.stringify([domainId, version, ...keys.toSorted()])
    return this.#units.get(name) ?? this.#readUnits(domainId, keys, name)
  }

  async #at(domainId: number, rightsVersion: number): Promise<Kept> {
    const domain = String(domainId)
    const kept = this.#kept.get(domain)
    const known = await kept
    if (known?.version === rightsVersion) return known
    // Another request that waited for the same version has already started to read.
    if (this.#kept.get(domain) !== kept) return this.#at(domainId, rightsVersion)
    const read = this.#read(domainId)
    this.#kept.set(domain, read)
    read.catch(() => this.#kept.get(domain) === read && this.#kept.delete(domain))
    return read
  }

  /** Reads grants and version in one snapshot. */
  #read(domainId: number): Promise<Kept> {
    return readDomain(this.#database, domainId, async (sql) => ({
      version: await fetchRightsVersion(sql, domainId),
      book: new GrantBook(await fetchGrants(sql, domainId)),
    }))
  }

  #readUnits(domainId: number, keys: readonly string[], name: string): Promise<readonly string[]> {
    const read = readDomain(this.#database, domainId, (sql) => fetchUnitsWithin(sql, domainId, keys))
    this.#units.set(name, read, { size: 1 })
    // The cache takes the size of a new value only.
    read.then(
      (units) => this.#units.set(name, Promise.resolve(units), { size: 1 + units.length }),
      () => this.#units.delete(name),
    )
    return read
  }
}

/** Rights that apply in the same units share one list. */
function sizeOf({ rightsWithin }: Actor): number {
  return 1 + [...new Set(rightsWithin.values())].reduce((sum, units) => sum + units.length, 0)
}
