import { bufferTable } from '../../../src/store/datapoints/packed/partitions.ts'
import type { Database } from '../../../src/db/sql.ts'
import { ChangeFeeds } from '../../../src/platform/changes/change-feeds.ts'
import { ChangeSignals } from '../../../src/platform/change-signals.ts'
import type { DeliveryStream } from '../../../src/platform/changes/delivery-stream.ts'
import type { Delivery } from '../../../src/platform/changes/feed.ts'
import type { StoredFlush } from '../../../src/platform/changes/flush-reader.ts'
import { openStream } from '../../../src/platform/changes/open-stream.ts'
import type { SeenFlushes } from '../../../src/platform/changes/seen-flushes.ts'
import { flushOf, partsOf, type ShownPart, type StoredPoint } from '../../../src/platform/changes/shown-flushes.ts'
import { Datapoints, type DatapointLimits } from '../../../src/platform/datapoints/datapoints.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import type { SeriesFilter } from '../../../src/store/datapoints/series/readable-series.ts'

// A server process as far as datapoints and who follows them are concerned, with connections of its own.

export class TestProcess {
  readonly context: DomainContext
  readonly feeds: ChangeFeeds
  readonly errors: unknown[] = []
  datapoints: Datapoints
  readonly #database: Database
  readonly #changes = new ChangeSignals()
  readonly #limits: Partial<DatapointLimits>
  #left: Datapoints[] = []
  #gate: PromiseWithResolvers<void> | null = null
  #isHeldBefore = false

  constructor(context: DomainContext, database: Database, limits: Partial<DatapointLimits> = {}) {
    this.context = { ...context, database }
    this.#limits = limits
    this.#database = {
      ...database,
      rowsApart: async (shape, text, values) => {
        if (this.#isHeldBefore) await this.#gate?.promise
        else if (this.#gate !== null) await this.#lockBuffer(Number(values?.[0]), this.#gate.promise)
        return database.rowsApart(shape, text, values)
      },
    }
    const { now } = context
    this.feeds = new ChangeFeeds({ database, changes: this.#changes, now, failed: (error) => this.errors.push(error) })
    this.datapoints = this.#begin()
  }

  #begin(): Datapoints {
    const { now, newId } = this.context
    const options = { database: this.#database, isAlone: false, changes: this.#changes, limits: this.#limits }
    return new Datapoints({ ...options, now, newId })
  }

  /** Resolves when nothing can be written to a buffer until the gate opens; at once where the buffer is gone. */
  async #lockBuffer(buffer: number, gate: Promise<void>): Promise<void> {
    const locked = Promise.withResolvers<void>()
    const holding = this.context.database.transaction(async (sql) => {
      await sql.query(`lock table ${bufferTable(buffer)} in share mode`)
      locked.resolve()
      await gate
    })
    await Promise.race([locked.promise, holding.catch(() => undefined)])
  }

  /** Flushes from now on have their numbers, and are not written. */
  hold(): void {
    this.#isHeldBefore = false
    this.#gate ??= Promise.withResolvers()
  }

  /** Flushes from now on are not even sent to the database. */
  holdBefore(): void {
    this.#isHeldBefore = true
    this.#gate ??= Promise.withResolvers()
  }

  release(): void {
    this.#gate?.resolve()
    this.#gate = null
  }

  /** Leaves behind what it has not folded. */
  die(): void {
    this.#left.push(this.datapoints)
    this.datapoints = this.#begin()
  }

  async close(): Promise<void> {
    this.release()
    this.feeds.close()
    for (const one of [this.datapoints, ...this.#left]) await one.close()
  }
}

/** Somebody who follows the datapoints of a domain, in one process. */
export class Follower {
  readonly points: StoredPoint[] = []
  readonly #stream: DeliveryStream<Delivery<SeenFlushes, StoredFlush>, ShownPart>
  readonly #reading: Promise<void>
  /** Of the last part. */
  position: SeenFlushes | null = null

  private constructor(stream: DeliveryStream<Delivery<SeenFlushes, StoredFlush>, ShownPart>) {
    this.#stream = stream
    this.#reading = this.#read()
    // Told by `end`.
    this.#reading.catch(() => undefined)
  }

  static async begin(
    { feeds, context }: Pick<TestProcess, 'feeds' | 'context'>,
    { after = null, filter = {} }: { readonly after?: SeenFlushes | null; readonly filter?: SeriesFilter } = {},
  ): Promise<Follower> {
    const stream = await openStream<SeenFlushes, StoredFlush, SeriesFilter, ShownPart>(feeds, {
      domainId: context.domain.id,
      topic: 'datapoints',
      after: after === null ? null : () => after,
      filter,
      keep: (flush, seen) => (seen?.has(flush.generation) === true ? null : flushOf(flush, filter)),
      count: ({ count }) => count,
      weigh: ({ count }) => count,
      account: 'tester',
      show: (delivery) => partsOf(delivery, { items: 7, text: Infinity }),
      most: 1_000_000,
      ending: () => undefined,
      closed: () => undefined,
    })
    return new Follower(stream)
  }

  async #read(): Promise<void> {
    for await (const { points, position } of this.#stream) {
      this.points.push(...points)
      this.position = position
    }
  }

  /** With all that was given to it. */
  async end(): Promise<void> {
    // What was delivered is read without waiting for anything else.
    await new Promise((resolve) => setTimeout(resolve))
    await this.#stream.return()
    await this.#reading
  }
}
