import type { Database } from '../../../db/sql.ts'
import { repeatedPoints } from '../../../datapoints/chunks/repeated-points.ts'
import { microsecondsOf, timestampLimits } from '../../../datapoints/wire/timestamp.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { writeAccess } from '../../../store/domains.ts'
import { rememberKey } from '../../../store/datapoints/arriving/idempotency-keys.ts'
import { boundsOf, type Reach } from '../../systems/reach.ts'
import type { ArrivalClock } from './arrival-clock.ts'
import type { BatchError } from './batch-error.ts'
import type { Commit, Committer } from './committer.ts'
import { flushCursor } from '../../service-change.ts'
import type { HotBuffers } from '../folding/hot-buffers.ts'
import { FamiliarBatches, type JsonBody } from './check-familiar-batch.ts'
import { checkBatch, type BatchOptions, type KeyRefusal, type CheckedElements } from './check-batch.ts'
import { patienceWithModel } from '../series/model-patience.ts'
import { ofNoSeries, PointErrors } from '../refused/point-errors.ts'
import type { RefusedDatapoints } from '../refused/refused-datapoints.ts'
import type { ReportedSettings } from './reported-settings.ts'
import { refusalForDevice } from '../series/resolve-series.ts'
import type { DomainSeries, SeriesCache } from '../series/series-cache.ts'
import { SeriesResolver } from '../series/series-resolver.ts'
import type { SystemArrivals } from './count-arrivals.ts'

export interface IngestContext extends Reach {
  readonly domainId: number
  /** The sender, since each client has its own keys of batches. */
  readonly actor: string
  /** How the sender's rights are checked again; left out for a sender whose rights cannot be taken away. */
  readonly access?: IngestAccess
}

/** What is needed to check again whether the sender may send. */
export interface IngestAccess {
  /** The access version that was known before the sender was looked up; null where none was known. */
  readonly version: number | null
  /** Looks the sender up again. It fails where the sender may not send any more. */
  again(): Promise<IngestContext>
}

export interface IngestOptions {
  /** Stores the valid elements even where others are wrong. */
  readonly lenient?: boolean
  /** Refuses a batch in which one point replaces another. */
  readonly strict?: boolean
  /** The JSON text that the elements come from, where that is known. Most batches are read directly from it. */
  readonly json?: JsonBody
  /** The key of a batch without timestamps, so that it is stored once even where it is sent again. */
  readonly idempotency?: { readonly key: string; readonly digest: Uint8Array }
}

export interface IngestResult {
  readonly stored: number
  /** The number of datapoints that were replaced by another one in the same batch with the same series and time. */
  readonly overwritten?: number
  /** A cursor, opaque to clients. A reader that passes it sees what was stored. */
  readonly cursor: string
  /** The first ones of `errorCount` errors. */
  readonly errors: readonly BatchError[]
  readonly errorCount: number
}

export interface IngestParts {
  readonly database: Database
  readonly cache: SeriesCache
  readonly committer: Committer
  readonly buffers: HotBuffers
  readonly arrivals: ArrivalClock
  readonly reported: ReportedSettings
  readonly refused: RefusedDatapoints
  readonly arrived: SystemArrivals
  now(): Date
  /** The most points that may wait to be folded. */
  readonly mostHotPoints: number
  /** The time that a timestamp may be ahead of the server. */
  readonly aheadMicroseconds: number
}

/**
 * The elements of a batch, or how to read them. They are read again where the model has changed, instead of being
 * kept until they are stored.
 */
export type Elements = readonly unknown[] | (() => Promise<readonly unknown[]>)

function readElements(elements: Elements): Promise<readonly unknown[]> {
  return typeof elements === 'function' ? elements() : Promise.resolve(elements)
}

interface Given extends Pick<IngestOptions, 'json' | 'strict'> {
  readonly elements: Elements
}

interface CheckedBatch extends CheckedElements {
  readonly version: number
  /** That of the database that the version is of. */
  readonly identity: string
  /** The first time of arrival; NaN where the batch needs none. */
  readonly arrival: number
  readonly overwritten: number
}

export class Ingest {
  readonly #parts: IngestParts
  readonly #familiar = new FamiliarBatches()
  readonly #resolver: SeriesResolver

  constructor(parts: IngestParts) {
    this.#parts = parts
    this.#resolver = new SeriesResolver(parts.database)
  }

  /**
   * Stores a batch, and resolves when it is durable. A batch with an error is not stored at all, unless `lenient`.
   */
  async add(sender: IngestContext, elements: Elements, options: IngestOptions = {}): Promise<IngestResult> {
    this.#refuseWhenBehind()
    const { idempotency, lenient = false } = options
    let context = sender
    const series = this.#parts.cache.of(context.domainId)
    const wait = patienceWithModel()
    let arrival: number | undefined
    for (;;) {
      const batch = await this.#check(context, series, { ...options, elements }, arrival)
      const { listed: errors, count: errorCount } = batch.errors
      if ((errorCount > 0 && !lenient) || batch.points.count === 0) {
        if (errorCount > 0 && (await this.#hasChanged(context, series, batch.version))) {
          wait()
          continue
        }
        this.#parts.refused.note(context, batch.errors.refusals)
        return { stored: 0, overwritten: 0, cursor: flushCursor(0), errors, errorCount }
      }
      if (idempotency !== undefined && arrival === undefined) {
        arrival = await this.#firstArrival(context, idempotency, batch.arrival)
        if (batch.arrival !== arrival && !Number.isNaN(batch.arrival)) continue
      }
      const commit: Commit = await this.#parts.committer.add(context.domainId, batch.points, {
        modelVersion: batch.version,
        identity: batch.identity,
        // No version that was drawn is negative.
        accessVersion: context.access === undefined ? null : (context.access.version ?? -1),
      })
      if (commit === 'outdated') {
        context = (await context.access?.again()) ?? context
        continue
      }
      if (commit !== 'stale') {
        if (batch.settings.length > 0) await this.#parts.reported.add(context.domainId, batch.settings)
        this.#parts.refused.note(context, batch.errors.refusals)
        this.#parts.arrived.note(context.domainId, batch.times.countsOfSystems)
        const { overwritten } = batch
        const stored = batch.points.count - overwritten
        return { stored, overwritten, cursor: flushCursor(commit.generation), errors, errorCount }
      }
      wait()
      const isAsChecked = series.version === batch.version && series.identity === batch.identity
      if (isAsChecked) await this.#resolver.follow({ domainId: context.domainId, cache: series })
    }
  }

  #refuseWhenBehind(): void {
    const { buffers, committer, mostHotPoints } = this.#parts
    if (buffers.points + committer.waitingPoints < mostHotPoints) return
    throw new HoldfastError('UNAVAILABLE', 'more datapoints arrive than can be stored away; try again in a moment')
  }

  /**
   * Checks a batch. Nothing else runs between the last reading and its result, so the whole batch is checked by one
   * version of the model, and its times of arrival belong to it. `arrival` is the first time of arrival where the
   * batch was sent before.
   */
  async #check(
    context: IngestContext,
    series: DomainSeries,
    given: Given,
    arrival: number | undefined,
  ): Promise<CheckedBatch> {
    const { arrivals, now, aheadMicroseconds } = this.#parts
    const { domainId, systemUuid } = context
    const bounds = boundsOf(context)
    const refused = new Map<string, KeyRefusal>()
    let list = typeof given.elements === 'function' ? null : given.elements
    for (let version = series.version; ; version = series.version) {
      const time = microsecondsOf(now())
      const limits = timestampLimits(time, aheadMicroseconds)
      series.keptTimes.moveTo(time)
      const begin = arrival ?? arrivals.next()
      const batch = this.#read(given.json, list, series, { arrival: begin, limits, bounds, refused })
      if (batch === null) {
        list = await readElements(given.elements)
        // Other work may have run in the meantime.
        continue
      }
      if (batch.missing.size === 0) {
        const { mostArrivals, lastArrival } = batch.times
        const isTimed = mostArrivals === 0 || arrival !== undefined || arrivals.taken(lastArrival)
        if (isTimed)
          return {
            ...batch,
            version,
            identity: series.identity,
            arrival: mostArrivals === 0 ? Number.NaN : begin,
            ...repeats(batch, given, systemUuid),
          }
        await arrivals.reserve(mostArrivals)
        continue
      }
      const found = await this.#resolver.resolve({ domainId, bounds, now: now() }, series, batch.missing)
      // Refusals by another version of the model do not count for this one.
      if (series.version !== version) refused.clear()
      for (const [text, refusal] of found) {
        const key = systemUuid === null ? undefined : batch.missing.get(text)
        refused.set(text, key === undefined ? refusal : refusalForDevice(refusal, key))
      }
    }
  }

  /**
   * Reads the batch from its JSON or its elements; null where the elements are needed and not there yet. Most batches
   * are read from their JSON.
   */
  #read(
    json: JsonBody | undefined,
    list: readonly unknown[] | null,
    series: DomainSeries,
    reading: BatchOptions,
  ): CheckedElements | null {
    const familiar = json === undefined ? null : this.#familiar.read(json, series, reading)
    if (familiar !== null) return { ...familiar, errors: new PointErrors(), indices: new Map() }
    if (list === null) return null
    const batch = checkBatch(list, series, reading)
    if (json !== undefined && batch.missing.size === 0 && batch.errors.count === 0) this.#familiar.learn(json, list)
    return batch
  }

  /** Tells whether the model has changed, so that a batch is only refused by the present model. */
  async #hasChanged({ domainId }: IngestContext, series: DomainSeries, version: number): Promise<boolean> {
    if (series.version === version) await this.#resolver.follow({ domainId, cache: series })
    return series.version !== version
  }

  /**
   * The first time of arrival of the first batch with this key. It is only called for a valid batch, so that others
   * do not use up their key.
   */
  async #firstArrival(
    { domainId, actor }: IngestContext,
    idempotency: NonNullable<IngestOptions['idempotency']>,
    arrival: number,
  ): Promise<number> {
    const now = this.#parts.now()
    const at = Number.isNaN(arrival) ? microsecondsOf(now) : arrival
    const known = await writeAccess(this.#parts.database, domainId, (sql) =>
      rememberKey(sql, domainId, { actor, at, ...idempotency }, now),
    )
    if (known.isSame) return known.at
    throw new HoldfastError('CONFLICT', 'this Idempotency-Key was used for another batch; give each batch its own key')
  }
}

/**
 * Finds points that are replaced in the same batch. The later one stays, as between batches, and a strict client gets
 * an error for each pair.
 */
function repeats(
  { points, times, errors, indices }: CheckedElements,
  { strict }: Given,
  systemUuid: string | null,
): { readonly overwritten: number } {
  if (!times.mayRepeat) return { overwritten: 0 }
  const repeated = repeatedPoints(points)
  if (strict === true) {
    const pointerTo = (index: number) => `/${indices.get(index) ?? index}`
    for (const { index, by } of repeated)
      errors.refuse(indices.get(by) ?? by, 'timestamp', repeatedError(pointerTo(index)), ofNoSeries(systemUuid))
  }
  return { overwritten: repeated.length }
}

function repeatedError(pointer: string) {
  const detail = `it has the same series and time as ${pointer}; give each point of a series a time of its own`
  return { code: 'repeated-timestamp', detail, sameAs: `${pointer}/timestamp` } as const
}
