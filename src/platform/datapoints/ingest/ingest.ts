import type { Database } from '../../../db/sql.ts'
import { repeatedPoints } from '../../../datapoints/chunks/flush.ts'
import { microsecondsOf, timestampLimits } from '../../../datapoints/wire/timestamp.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { boundsOf } from '../../systems/reach.ts'
import type { ArrivalClock } from './arrival-clock.ts'
import type { Committer } from './committer.ts'
import { flushCursor } from '../../service-change.ts'
import type { HotBuffers } from '../folding/hot-buffers.ts'
import { FamiliarBatches, type JsonBody } from './check-familiar-batch.ts'
import { checkBatch, type BatchOptions, type KeyRefusal, type CheckedElements } from './check-batch.ts'
import { partsOf } from '../../../store/model/model-versions.ts'
import { patienceWithModel } from '../series/follow-model.ts'
import { ofNoSeries, PointErrors } from '../refused/point-errors.ts'
import type { RefusedDatapoints } from '../refused/refused-datapoints.ts'
import { reportedValue, type ReportedSettings } from './reported-settings.ts'
import {
  accessVersionOf,
  lookedUpAgain,
  type Idempotency,
  type IngestContext,
  type IngestOptions,
  type IngestResult,
} from './sent-batch.ts'
import { findBatch, isOutdated, keyedBatch, noteTold, storedBefore, type StoredBefore } from './sent-before.ts'
import { refusalForDevice } from '../series/resolve-series.ts'
import type { DomainSeries, SeriesCache } from '../series/series-cache.ts'
import { SeriesResolver } from '../series/series-resolver.ts'
import type { SystemArrivals } from './count-arrivals.ts'

interface IngestParts {
  readonly database: Database
  readonly cache: SeriesCache
  readonly committer: Committer
  readonly buffers: HotBuffers
  readonly arrivals: ArrivalClock
  readonly reported: ReportedSettings
  readonly refused: RefusedDatapoints
  readonly arrived: SystemArrivals
  now(): Date
  /** The maximum number of points that may wait to be folded, and of their bytes. */
  readonly mostHotPoints: number
  readonly mostHotBytes: number
  /** The time that a timestamp may be ahead of the server. */
  readonly aheadMicroseconds: number
}

/**
 * The elements of a batch, or a function that reads them. If the model has changed, they are read again, so that they
 * need not stay in memory until they are stored.
 */
type Elements = readonly unknown[] | (() => Promise<readonly unknown[]>)

function readElements(elements: Elements): Promise<readonly unknown[]> {
  return typeof elements === 'function' ? elements() : Promise.resolve(elements)
}

interface Given extends IngestOptions {
  readonly elements: Elements
}

interface CheckedBatch extends CheckedElements {
  readonly version: number
  /** The identity of the database that the version belongs to. */
  readonly identity: string
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
   * Stores a batch, and resolves when it is durable. A batch with an error is not stored at all, unless `lenient`. A
   * batch that was already stored under its key gets the same answer again, even if the model has changed since.
   */
  async add(sender: IngestContext, elements: Elements, options: IngestOptions = {}): Promise<IngestResult> {
    this.#refuseWhenBehind()
    const { idempotency } = options
    let context = sender
    for (;;) {
      const { domainId, actor } = context
      const known = idempotency && (await findBatch(this.#parts.database, domainId, actor, idempotency))
      if (known && isOutdated(context, known)) {
        this.#parts.committer.noteAccess(domainId, known.accessVersion)
        context = await lookedUpAgain(context)
        continue
      }
      const before = known && storedBefore(known)
      if (idempotency && before) return this.#answerAgain(context, idempotency, before)
      const result = await this.#store(context, { ...options, elements }, known?.at)
      // Another request stored the batch at the same time.
      if (result !== 'known') return result
    }
  }

  async #store(sender: IngestContext, given: Given, arrival: number | undefined): Promise<IngestResult | 'known'> {
    const { lenient = false } = given
    let context = sender
    const series = this.#parts.cache.of(context.domainId)
    const wait = patienceWithModel()
    for (;;) {
      const batch = await this.#check(context, series, given, arrival)
      const { listed: errors, count: errorCount } = batch.errors
      if ((errorCount > 0 && !lenient) || batch.points.count === 0) {
        if (errorCount > 0 && (await this.#hasChanged(context, series, batch.version))) {
          wait()
          continue
        }
        this.#parts.refused.note(context, batch.errors.refusals)
        return { stored: 0, overwritten: 0, cursor: flushCursor(0), errors, errorCount }
      }
      const { overwritten } = batch
      const answer = { stored: batch.points.count - overwritten, overwritten, errors, errorCount }
      const commit = await this.#parts.committer.add(
        context.domainId,
        batch.points,
        { modelVersion: batch.version, identity: batch.identity, accessVersion: accessVersionOf(context) },
        keyedBatch(context, given.idempotency, answer, batch.settings),
      )
      if (commit === 'known') return commit
      if (commit === 'outdated') {
        wait()
        context = await lookedUpAgain(context)
        continue
      }
      if (commit !== 'stale') {
        this.#parts.refused.note(context, batch.errors.refusals)
        this.#parts.arrived.note(context.domainId, batch.times.countsOfSystems)
        if (batch.settings.length > 0)
          await this.#tellSetpoints(context, given, batch, { ...answer, change: commit.generation })
        return { ...answer, cursor: flushCursor(commit.generation) }
      }
      wait()
      const isAsChecked = series.version === batch.version && series.identity === batch.identity
      if (isAsChecked) await this.#resolver.follow({ domainId: context.domainId, cache: series })
    }
  }

  async #tellSetpoints(
    { domainId, actor }: IngestContext,
    { idempotency }: Given,
    { settings }: CheckedBatch,
    stored: StoredBefore,
  ): Promise<void> {
    await this.#parts.reported.tell(settings.map((setting) => reportedValue(domainId, setting)))
    if (idempotency) await noteTold(this.#parts.database, domainId, actor, idempotency, stored)
  }

  /** Answers a retry. It informs setpoints if the first request could not. */
  async #answerAgain(
    { domainId, actor }: IngestContext,
    idempotency: Idempotency,
    before: StoredBefore,
  ): Promise<IngestResult> {
    const { change, reported, ...answer } = before
    if (reported !== undefined) {
      await this.#parts.reported.tell(reported)
      await noteTold(this.#parts.database, domainId, actor, idempotency, before)
    }
    return { ...answer, cursor: flushCursor(change) }
  }

  #refuseWhenBehind(): void {
    const { buffers, committer, mostHotPoints, mostHotBytes } = this.#parts
    const points = buffers.points + committer.waitingPoints
    const bytes = buffers.bytes + committer.waitingCharacters
    if (points < mostHotPoints && bytes < mostHotBytes) return
    throw new HoldfastError('UNAVAILABLE', 'datapoints arrive faster than they can be stored; try again in a moment')
  }

  /**
   * Checks a batch. No other work runs between the last reading and its result, so one version of the model checks the
   * whole batch, and its times of arrival belong to it. `arrival` is the first time of arrival that an earlier release
   * has remembered with the key. That release may have stored the batch.
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
      const { database } = partsOf(series.identity)
      const begin = arrival ?? arrivals.next(database)
      const later = arrival === undefined ? arrivals.later : undefined
      const batch = this.#read(given.json, list, series, { arrival: begin, later, limits, bounds, refused })
      if (batch === null) {
        list = await readElements(given.elements)
        // Other work may have changed the version meanwhile.
        continue
      }
      if (batch.missing.size === 0) {
        const { mostArrivals } = batch.times
        const isTimed = mostArrivals === 0 || arrival !== undefined || arrivals.taken(batch.times)
        if (isTimed)
          return {
            ...batch,
            version,
            identity: series.identity,
            ...repeats(batch, given, systemUuid),
          }
        if (!(await arrivals.reserve(mostArrivals, database))) await this.#resolver.follow({ domainId, cache: series })
        continue
      }
      const found = await this.#resolver.resolve({ domainId, bounds, now: now() }, series, batch.missing)
      // Refusals by another version of the model are not valid for this one.
      if (series.version !== version) refused.clear()
      for (const [text, refusal] of found) {
        const key = systemUuid === null ? undefined : batch.missing.get(text)
        refused.set(text, key === undefined ? refusal : refusalForDevice(refusal, key))
      }
    }
  }

  /**
   * Reads the batch from its JSON or its elements; null if the elements are needed but not parsed yet. Most batches are
   * read from their JSON.
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

  /** Tells whether the model has changed, so that only the present model refuses a batch. */
  async #hasChanged({ domainId }: IngestContext, series: DomainSeries, version: number): Promise<boolean> {
    if (series.version === version) await this.#resolver.follow({ domainId, cache: series })
    return series.version !== version
  }
}

/**
 * Finds points that are replaced in the same batch. The last point wins, as between batches. A strict client gets an
 * error for each pair.
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
