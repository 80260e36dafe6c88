import { LRUCache } from 'lru-cache'
import type { HeldRole } from '../../../auth/roles.ts'
import type { Database } from '../../../db/sql.ts'
import type { Grantee } from '../../../records/types/grant.ts'
import { fetchGrants } from '../../../store/access/grants.ts'
import { fetchUnitsWithin } from '../../../store/model/units.ts'
import { fetchRightsVersion, readDomain } from '../../../store/domains.ts'
import type { Actor } from './actor.ts'
import { GrantBook } from '../../../records/types/grant-book.ts'

interface Kept {
  readonly version: number
  readonly book: GrantBook
  /** Maps the keys of organizations and units, one per line, to the uuids of these and of everything below them. */
  readonly units: Map<string, Promise<readonly string[]>>
}

/**
 * The limit of the kept actors, counted in uuids of the units where their rights apply. The least recently used actors
 * are evicted.
 */
const MOST_UNITS = 2_000_000

/** The most actors that are kept. Each counts at least as its share of `MOST_UNITS`. */
const MOST_ACTORS = 20_000

/**
 * Keeps the grants of each domain in memory as long as its rights do not change. The caller passes the version of the
 * rights that its token was looked up with. So a revoked grant ends with the next request in every process, and a
 * request reads nothing if nothing has changed.
 */
export class GrantKeeper {
  /** Actors by everything that determines them: see sessions/identify-bearer.ts. */
  readonly actors: LRUCache<string, Actor>
  readonly #database: Database
  readonly #kept = new Map<number, Promise<Kept>>()

  constructor(database: Database, mostActors = MOST_ACTORS) {
    const least = MOST_UNITS / mostActors
    this.#database = database
    this.actors = new LRUCache({
      maxSize: MOST_UNITS,
      sizeCalculation: (actor) => Math.max(least, sizeOf(actor)),
    })
  }

  async rolesOf(domainId: number, rightsVersion: number, grantee: Grantee): Promise<readonly HeldRole[]> {
    const { book } = await this.#at(domainId, rightsVersion)
    return book.heldBy(grantee)
  }

  /** The uuids of the organizations and units with these keys, and of all below them. */
  async unitsWithin(domainId: number, rightsVersion: number, keys: readonly string[]): Promise<readonly string[]> {
    if (keys.length === 0) return []
    const { units } = await this.#at(domainId, rightsVersion)
    const lines = keys.toSorted().join('\n')
    return units.get(lines) ?? this.#readUnits(domainId, units, lines)
  }

  async #at(domainId: number, rightsVersion: number): Promise<Kept> {
    const kept = this.#kept.get(domainId)
    const known = await kept
    if (known?.version === rightsVersion) return known
    // Another request that waited for the same version has already started to read.
    if (this.#kept.get(domainId) !== kept) return this.#at(domainId, rightsVersion)
    const read = this.#read(domainId)
    this.#kept.set(domainId, read)
    read.catch(() => this.#kept.delete(domainId))
    return read
  }

  /** Reads grants and version in one snapshot. */
  #read(domainId: number): Promise<Kept> {
    return readDomain(this.#database, domainId, async (sql) => ({
      version: await fetchRightsVersion(sql, domainId),
      book: new GrantBook(await fetchGrants(sql, domainId)),
      units: new Map(),
    }))
  }

  #readUnits(domainId: number, units: Kept['units'], lines: string): Promise<readonly string[]> {
    const read = readDomain(this.#database, domainId, (sql) => fetchUnitsWithin(sql, domainId, lines.split('\n')))
    units.set(lines, read)
    read.catch(() => units.delete(lines))
    return read
  }
}

/** Rights that apply in the same units share one list. */
function sizeOf({ rightsWithin }: Actor): number {
  return 1 + [...new Set(rightsWithin.values())].reduce((sum, units) => sum + units.length, 0)
}
