import type { Database } from '../../db/sql.ts'
import { timestampLimits } from '../../datapoints/timestamp.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { fetchModelVersion, readDomain, writeAccess } from '../../store/domains.ts'
import { rememberKey } from '../../store/datapoints/idempotency-keys.ts'
import { boundsOf, type Reach } from '../systems/reach.ts'
import { BatchErrors, type BatchError } from './batch-error.ts'
import type { Commit, Committer } from './committer.ts'
import { flushCursor } from '../service-change.ts'
import type { HotBuffers } from './hot-buffers.ts'
import { FamiliarBatches, type JsonBody } from './read-familiar.ts'
import { readBatch, type KeyRefusal, type ReadBatch } from './read-batch.ts'
import type { ReportedSettings } from './reported-settings.ts'
import { refusalForDevice, resolveSeries } from './resolve-series.ts'
import type { DomainSeries, SeriesCache } from './series-cache.ts'

export interface IngestContext extends Reach {
  readonly domainId: number
  /** For the keys of batches: each client has its own. */
  readonly actor: string
  /** Left out: somebody whose rights nobody can take away. */
  readonly access?: IngestAccess
}

/** How it is known that the sender may send. */
export interface IngestAccess {
  /** The access version that was known before the sender was looked up; null: none was. */
  readonly version: number | null
  /** Looks the sender up again; fails where he may not send any more. */
  again(): Promise<IngestContext>
}

export interface IngestOptions {
  /** Stores what is good also where not all is. */
  readonly lenient?: boolean
  /** What the elements are made from, where that is JSON: of most batches it is read itself. */
  readonly json?: JsonBody
  /** Of a batch without timestamps: sent again with the same key it is stored once. */
  readonly idempotency?: { readonly key: string; readonly digest: Uint8Array }
}

export interface IngestResult {
  readonly stored: number
  /** Opaque: whoever shows it to a reader sees what was stored. */
  readonly cursor: string
  /** The first ones of `errorCount`. */
  readonly errors: readonly BatchError[]
  readonly errorCount: number
}

export interface IngestParts {
  readonly database: Database
  readonly cache: SeriesCache
  readonly committer: Committer
  readonly buffers: HotBuffers
  readonly reported: ReportedSettings
  now(): Date
  /** So many points may wait to be folded into chunks. */
  readonly mostHotPoints: number
  /** How far ahead of the server a timestamp may be. */
  readonly aheadMicroseconds: number
}

/** What a batch is read from: read again where the model has changed meanwhile, rather than kept until it is stored. */
export type Elements = readonly unknown[] | (() => Promise<readonly unknown[]>)

function readElements(elements: Elements): Promise<readonly unknown[]> {
  return typeof elements === 'function' ? elements() : Promise.resolve(elements)
}

export class Ingest {
  readonly #parts: IngestParts
  readonly #familiar = new FamiliarBatches()
  #lastArrival = 0

  constructor(parts: IngestParts) {
    this.#parts = parts
  }

  /** Resolves when what is stored is durable. A batch with an error is not stored at all, unless `lenient`. */
  async add(sender: IngestContext, elements: Elements, options: IngestOptions = {}): Promise<IngestResult> {
    this.#refuseWhenBehind()
    let context = sender
    const arrival = await this.#arrival(context, options)
    const series = this.#parts.cache.of(context.domainId)
    for (;;) {
      const batch = await this.#check(context, series, { elements, json: options.json }, arrival)
      const { listed: errors, count: errorCount } = batch.errors
      if ((errorCount > 0 && options.lenient !== true) || batch.points.count === 0) {
        if (errorCount > 0 && (await this.#hasChanged(context, series))) continue
        return { stored: 0, cursor: flushCursor(0), errors, errorCount }
      }
      const commit: Commit = await this.#parts.committer.add(context.domainId, batch.points, {
        modelVersion: batch.version,
        // None that was drawn is negative.
        accessVersion: context.access === undefined ? null : (context.access.version ?? -1),
      })
      if (commit === 'outdated') {
        context = (await context.access?.again()) ?? context
        continue
      }
      if (commit !== 'stale') {
        if (batch.settings.length > 0) await this.#parts.reported.add(context.domainId, batch.settings)
        return { stored: batch.points.count, cursor: flushCursor(commit.generation), errors, errorCount }
      }
      if (series.version === batch.version) series.forget(-1)
    }
  }

  #refuseWhenBehind(): void {
    const { buffers, committer, mostHotPoints } = this.#parts
    if (buffers.points + committer.waitingPoints < mostHotPoints) return
    throw new HoldfastError('UNAVAILABLE', 'more datapoints arrive than can be stored away; try again in a moment')
  }

  /** Nothing else runs between the last reading and its answer, so all of it was checked by one version of the model. */
  async #check(
    context: IngestContext,
    series: DomainSeries,
    { elements, json }: { readonly elements: Elements; readonly json: JsonBody | undefined },
    arrival: number,
  ): Promise<ReadBatch & { readonly version: number }> {
    const { database, now, aheadMicroseconds } = this.#parts
    const { domainId, systemUuid } = context
    const bounds = boundsOf(context)
    const refused = new Map<string, KeyRefusal>()
    let list = typeof elements === 'function' ? null : elements
    for (let version = series.version; ; version = series.version) {
      const limits = timestampLimits(now().getTime() * 1_000, aheadMicroseconds)
      series.keptTimes.moveTo(now().getTime() * 1_000)
      const reading = { domainId, arrival, limits, bounds, refused }
      const familiar = json === undefined ? null : this.#familiar.read(json, series, reading)
      if (familiar !== null) return { ...familiar, errors: new BatchErrors(), missing: new Map(), version }
      if (list === null) {
        list = await readElements(elements)
        // Others had their turn meanwhile.
        continue
      }
      const batch = readBatch(list, series, reading)
      if (json !== undefined && batch.missing.size === 0 && batch.errors.count === 0) this.#familiar.learn(json, list)
      if (batch.missing.size === 0) return { ...batch, version }
      const found = await resolveSeries(database, { domainId, bounds, now: now() }, series, batch.missing)
      // What another version refused says nothing about this one.
      if (series.version !== version) refused.clear()
      for (const [text, refusal] of found) {
        const key = systemUuid === null ? undefined : batch.missing.get(text)
        refused.set(text, key === undefined ? refusal : refusalForDevice(refusal, key))
      }
    }
  }

  /** Whoever is refused is refused by the model as it is now. */
  async #hasChanged({ domainId }: IngestContext, series: DomainSeries): Promise<boolean> {
    const version = await readDomain(this.#parts.database, domainId, (sql) => fetchModelVersion(sql, domainId))
    if (series.version === version) return false
    series.forget(version)
    return true
  }

  /** Of two batches that arrive in one millisecond, and have no timestamps, neither may overwrite the other. */
  async #arrival({ domainId, actor }: IngestContext, { idempotency }: IngestOptions): Promise<number> {
    const { database, now, aheadMicroseconds } = this.#parts
    const time = now().getTime() * 1_000
    // A clock that was far ahead for a moment is not followed: no client may send such a time.
    const isFollowing = this.#lastArrival <= time + aheadMicroseconds
    const at = isFollowing ? Math.max(time, this.#lastArrival + 1) : time
    this.#lastArrival = at
    if (idempotency === undefined) return at
    const known = await writeAccess(database, domainId, (sql) =>
      rememberKey(sql, domainId, { actor, at, ...idempotency }, now()),
    )
    if (known.isSame) return known.at
    throw new HoldfastError('CONFLICT', 'this Idempotency-Key was used for another batch; give each batch its own key')
  }
}
