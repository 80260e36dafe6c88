import { setTimeout } from 'node:timers/promises'
import type { Database } from '../../../db/sql.ts'
import { joinLookUps } from '../../../lib/join-look-ups.ts'
import type { KeyRefusal, PointKey } from '../ingest/check-batch.ts'
import { followModel } from './follow-model.ts'
import { resolveSeries, type Resolving } from './resolve-series.ts'
import type { DomainSeries } from './series-cache.ts'

interface KnownDomain {
  readonly domainId: number
  readonly cache: DomainSeries
}

/** The unknown series in the batches of some senders. */
interface Group {
  readonly resolving: Resolving
  readonly cache: DomainSeries
  readonly missing: Map<string, PointKey>
  /** Is resolved when so many are missing that they are worth a look-up beside another one. */
  readonly enough: PromiseWithResolvers<void>
  readonly refused: Promise<ReadonlyMap<string, KeyRefusal>>
}

/** While the database works on one look-up, this process can read the answer of another one. */
const AT_ONCE = 2

/**
 * So many series begin a look-up beside another one. Fewer wait for that, together with those that come meanwhile: what a
 * look-up costs beside its series is as much as some two hundred of them (docs/decisions/0037).
 */
const ENOUGH = 1_000

/** Few series wait no longer than this for a single other look-up, which may wait for a lock that they do not need. */
const PATIENCE_MS = 1_000

/**
 * Looks up together what comes at once, and what comes while another look-up of the domain is under way, so that a fleet which
 * is seen for the first time does not make a transaction for each device.
 */
export class SeriesResolver {
  readonly #database: Database
  readonly #waiting = new Map<string, Group>()
  readonly #running = new Map<string, Set<Promise<unknown>>>()

  constructor(database: Database) {
    this.#database = database
    this.follow = joinLookUps(async (domains) => {
      const caches = new Map(domains.map(({ domainId, cache }) => [cache, domainId]))
      for (const [cache, domainId] of caches) await followModel(database, domainId, cache)
      return domains.map(() => undefined)
    })
  }

  async resolve(
    resolving: Resolving,
    cache: DomainSeries,
    missing: ReadonlyMap<string, PointKey>,
  ): Promise<ReadonlyMap<string, KeyRefusal>> {
    const group = this.#join(resolving, cache)
    for (const [text, key] of missing) group.missing.set(text, key)
    if (group.missing.size >= ENOUGH) group.enough.resolve()
    const refused = await group.refused.catch((error: unknown) => {
      // Nobody fails, or learns anything, because of somebody else.
      if (group.missing.size === missing.size) throw error
      return resolveSeries(this.#database, resolving, cache, missing)
    })
    return refused.size === 0 ? refused : new Map([...refused].filter(([text]) => missing.has(text)))
  }

  /** Goes on to the model as it is now, together with all who have found out that it may have changed. */
  readonly follow: (known: KnownDomain) => Promise<void>

  /** The group of the next look-up. Senders who see the same systems are together. */
  #join(resolving: Resolving, cache: DomainSeries): Group {
    const name = JSON.stringify([resolving.domainId, resolving.bounds?.units ?? null])
    const known = this.#waiting.get(name)
    if (known !== undefined) return known
    const missing = new Map<string, PointKey>()
    const enough = Promise.withResolvers<void>()
    const refused = this.#run(name, { resolving, cache, missing, enough })
    const group = { resolving, cache, missing, enough, refused }
    this.#waiting.set(name, group)
    return group
  }

  async #run(
    name: string,
    { resolving, cache, missing, enough }: Omit<Group, 'refused'>,
  ): Promise<ReadonlyMap<string, KeyRefusal>> {
    const before = this.#running.get(name) ?? new Set()
    this.#running.set(name, before)
    const others = [...before]
    const run = (async () => {
      await (others.length < AT_ONCE ? new Promise(setImmediate) : Promise.race(others))
      if (others.length > 0)
        await Promise.race([Promise.all(others), enough.promise, setTimeout(PATIENCE_MS, undefined, { ref: false })])
      this.#waiting.delete(name)
      return resolveSeries(this.#database, resolving, cache, missing)
    })()
    const ended = run.catch(() => undefined)
    before.add(ended)
    void ended.finally(() => {
      before.delete(ended)
      if (before.size === 0) this.#running.delete(name)
    })
    return run
  }
}
