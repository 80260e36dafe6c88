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
  /** Resolves when enough series are missing for a second look-up at the same time. */
  readonly enough: PromiseWithResolvers<void>
  readonly refused: Promise<ReadonlyMap<string, KeyRefusal>>
}

/** While the database works on one look-up, this process can read the answer of the other. */
const AT_ONCE = 2

/**
 * This many series start a second look-up at the same time. Fewer series wait for the first one, together with series
 * that arrive meanwhile. The fixed cost of a look-up equals some two hundred series (docs/decisions/0037).
 */
const ENOUGH = 1_000

/** The longest wait of a few series for another look-up, which may be waiting for a lock that they do not need. */
const PATIENCE_MS = 1_000

/**
 * Joins look-ups that arrive together, or while another look-up of the domain runs. So a new fleet does not cause a
 * transaction for each device.
 */
export class SeriesResolver {
  readonly #database: Database
  readonly #waiting = new Map<string, Group>()
  readonly #running = new Map<string, Set<Promise<unknown>>>()
  readonly #following = new WeakMap<DomainSeries, (caller: null) => Promise<void>>()

  constructor(database: Database) {
    this.#database = database
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
      // Each sender is looked up alone, so that no sender fails or learns anything because of another one.
      if (group.missing.size === missing.size) throw error
      return resolveSeries(this.#database, resolving, cache, missing)
    })
    return refused.size === 0 ? refused : new Map([...refused].filter(([text]) => missing.has(text)))
  }

  /**
   * Moves on to the present model, in one step for all callers that noticed a possible change. No domain waits for another
   * one, whose node may be away.
   */
  follow({ domainId, cache }: KnownDomain): Promise<void> {
    const join = () =>
      joinLookUps<null, void>(async (callers) => {
        await followModel(this.#database, domainId, cache)
        return callers.map(() => undefined)
      })
    const joined = this.#following.get(cache) ?? join()
    this.#following.set(cache, joined)
    return joined(null)
  }

  /** The group of the next look-up. Senders that see the same systems share a group. */
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
