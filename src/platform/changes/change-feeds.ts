import type { Database } from '../../db/sql.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { fetchChangeStatus } from '../../store/change-status.ts'
import type { ChangeSignals, Topic } from '../change-signals.ts'
import { Beginnings } from './beginnings.ts'
import { type PollStatus, Feed } from './feed.ts'
import { fetchAppliesOf, type ApplyRow } from '../../store/model/applies.ts'
import type { SeriesFilter } from '../../store/datapoints/series/readable-series.ts'
import { fetchEvents, type StoredEvent } from '../../store/systems/events.ts'
import { fetchSetpoints, type StoredSetpoint } from '../../store/setpoints/setpoints.ts'
import { bytesOf, withValues } from '../setpoints/setpoint.ts'
import type { SlotLimits } from '../shared-slots.ts'
import { DatapointSource } from './datapoint-source.ts'
import type { StoredFlush } from './flush-reader.ts'
import { RowSource, someAtATime, type RowTable } from './row-source.ts'
import type { SeenFlushes } from './seen-flushes.ts'

type AnyFeed = Pick<TopicFeeds[Topic], 'poll' | 'fail' | 'isIdle'>

interface Entry {
  readonly domainId: number
  readonly topic: Topic
  readonly feed: Promise<AnyFeed>
}

interface BegunEntry {
  readonly entry: Entry
  readonly feed: AnyFeed
}

interface ChangeFeedsParts {
  readonly database: Database
  readonly changes: ChangeSignals
  now(): Date
  readonly mostBegun?: SlotLimits
  /** Called with each error. The work is tried again. */
  failed(error: unknown): void
}

/** The errors of feeds that could not be polled. */
type Failures = ReadonlyMap<unknown, unknown>

/** The longest time until changes of other processes are seen, plus the duration of a poll. */
const EVERY_MS = 1_000
/** Polls take at most a third of the time. */
const REST_MS = 20
const REST_FACTOR = 2

/** The feeds of the domains that have listeners. Without listeners nothing is polled. */
export class ChangeFeeds {
  readonly beginnings: Beginnings
  readonly #parts: ChangeFeedsParts
  #refreshing: PromiseWithResolvers<Failures> | null = null
  readonly #entries = new Map<string, Entry>()
  #status: PollStatus | null = null
  #isPolling = false
  #timer: NodeJS.Timeout | undefined
  #dueAt = Infinity
  #stopListening: (() => void) | null = null
  #isClosed = false

  constructor(parts: ChangeFeedsParts) {
    this.#parts = parts
    this.beginnings = new Beginnings(parts.mostBegun)
  }

  /** Passes a feed to `use`. If `use` does not listen at once, the feed is forgotten. */
  async use<T extends Topic, R>(domainId: number, topic: T, use: (feed: TopicFeeds[T]) => R): Promise<R> {
    for (;;) {
      const entry = this.#entry(domainId, topic)
      const feed = await entry.feed
      // The feed may have been forgotten meanwhile.
      if (this.#entries.get(keyOf(entry)) === entry) return use(feed as TopicFeeds[T])
    }
  }

  /** A text that identifies the database. Each database has its own. */
  async identity(): Promise<string> {
    return (this.#status ?? (await this.#fetchStatus([]))).identity
  }

  /** Resolves when all feeds have seen everything that is visible now. With `feed`, only errors of that feed count. */
  async refresh(feed?: unknown): Promise<void> {
    if (this.#isClosed) throw stopping()
    this.#refreshing ??= Promise.withResolvers()
    this.#pollWithin(0)
    const failures = await this.#refreshing.promise
    const failed = feed === undefined ? [...failures.keys()] : [feed].filter((one) => failures.has(one))
    for (const one of failed) throw errorOf(failures.get(one))
  }

  close(): void {
    this.#isClosed = true
    this.#refreshing?.reject(stopping())
    this.#rest()
  }

  #entry(domainId: number, topic: Topic): Entry {
    const known = this.#entries.get(keyOf({ domainId, topic }))
    if (known !== undefined) return known
    const { database, now } = this.#parts
    const begin = async (): Promise<AnyFeed> =>
      beginFeed({ database, domainId, topic, now }, await this.#fetchStatus([{ domainId, topic }]))
    const entry = { domainId, topic, feed: begin() }
    this.#entries.set(keyOf(entry), entry)
    entry.feed.catch(() => this.#forget(entry))
    this.#stopListening ??= this.#parts.changes.listen((domain, what) => {
      if (this.#entries.has(keyOf({ domainId: domain, topic: what }))) this.#pollWithin(0)
    })
    this.#pollWithin(EVERY_MS)
    return entry
  }

  #forget(entry: Entry): void {
    if (this.#entries.get(keyOf(entry)) === entry) this.#entries.delete(keyOf(entry))
  }

  /** Reads the status. If no process writes datapoints, all flushes with earlier numbers are finished. */
  async #fetchStatus(followed: readonly Pick<Entry, 'domainId' | 'topic'>[]): Promise<PollStatus> {
    const { database } = this.#parts
    const ofRows = followed.filter(({ topic }) => topic !== 'datapoints')
    const domainIds = [...new Set(ofRows.map(({ domainId }) => domainId))]
    const before = this.#status ?? (await fetchChangeStatus(database, []))
    const status = await fetchChangeStatus(database, domainIds)
    if (status.identity === before.identity)
      return (this.#status = { ...status, settled: status.settled ?? before.drawn })
    this.#status = null
    throw new HoldfastError('CONFLICT', 'the database was replaced, as by a restore; subscribe again')
  }

  #pollWithin(ms: number): void {
    const at = performance.now() + ms
    if (this.#isClosed || at >= this.#dueAt) return
    this.#dueAt = at
    if (!this.#isPolling) this.#setTimer()
  }

  #setTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#turn(), Math.max(0, this.#dueAt - performance.now()))
  }

  async #turn(): Promise<void> {
    this.#dueAt = Infinity
    this.#isPolling = true
    const begin = performance.now()
    const refreshing = this.#refreshing
    this.#refreshing = null
    await this.#poll().then(refreshing?.resolve, (error: unknown) => {
      this.#parts.failed(error)
      refreshing?.reject(error)
    })
    this.#isPolling = false
    if (this.#isClosed || (this.#entries.size === 0 && this.#refreshing === null)) return this.#rest()
    const end = performance.now()
    const rest = Math.max(REST_MS, (end - begin) * REST_FACTOR)
    this.#dueAt = Math.max(end + rest, Math.min(this.#dueAt, end + EVERY_MS))
    this.#setTimer()
  }

  async #poll(): Promise<Failures> {
    const failures = new Map<unknown, unknown>()
    const busy = await this.#busy()
    if (busy.length === 0) return failures
    const status = await this.#fetchStatus(busy.map(({ entry }) => entry)).catch((error: unknown) => {
      if (isFinal(error)) for (const one of busy) this.#end(one, error)
      throw error
    })
    const poll = ({ feed }: BegunEntry) => feed.poll(status).catch((error: unknown) => failures.set(feed, error))
    await Promise.all(busy.map(poll))
    for (const one of busy.filter(({ feed }) => failures.has(feed))) this.#fail(one, failures.get(one.feed))
    return failures
  }

  #fail(one: BegunEntry, error: unknown): void {
    if (isFinal(error)) this.#end(one, error)
    else this.#parts.failed(error)
  }

  #end({ entry, feed }: BegunEntry, error: unknown): void {
    this.#forget(entry)
    feed.fail(error)
  }

  /** The entries with listeners. The others are forgotten. */
  async #busy() {
    const all = [...this.#entries.values()].map(async (entry) => ({ entry, feed: await entry.feed }))
    const begun = (await Promise.allSettled(all)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    for (const { entry, feed } of begun) if (feed.isIdle) this.#forget(entry)
    return begun.filter(({ feed }) => !feed.isIdle)
  }

  #rest(): void {
    clearTimeout(this.#timer)
    this.#dueAt = Infinity
    this.#status = null
    this.#stopListening?.()
    this.#stopListening = null
  }
}

function stopping(): HoldfastError {
  return new HoldfastError('UNAVAILABLE', 'the server is stopping')
}

function keyOf({ domainId, topic }: Pick<Entry, 'domainId' | 'topic'>): string {
  return `${domainId} ${topic}`
}

/** Tells whether a retry is useless: it is another database, or the changes are no longer kept. */
function isFinal(error: unknown): boolean {
  return error instanceof HoldfastError && (error.code === 'CONFLICT' || error.code === 'LIMIT_EXCEEDED')
}

/** The error for a client that waited for a failed feed. If the feed has ended, the next one may know the cursor. */
function errorOf(failure: unknown): unknown {
  if (!isFinal(failure)) return failure
  const message = 'this server lost its position in these changes; subscribe again'
  return new HoldfastError('UNAVAILABLE', message, { cause: failure })
}

interface TopicFeeds {
  readonly datapoints: Feed<SeenFlushes, StoredFlush, SeriesFilter>
  readonly setpoints: Feed<number, StoredSetpoint, null>
  readonly events: Feed<number, StoredEvent, null>
  readonly applies: Feed<number, ApplyRow, null>
}

interface FeedContext {
  readonly database: Database
  readonly domainId: number
  readonly topic: Topic
  now(): Date
}

function beginFeed({ database, domainId, topic, now }: FeedContext, status: PollStatus) {
  if (topic === 'datapoints') return Feed.begin(new DatapointSource(database, domainId, now), status)
  const rows = <Row extends { readonly uuid: string }>(fetch: RowTable<Row>['fetch']) =>
    Feed.begin(new RowSource(database, domainId, { topic, fetch }), status)
  if (topic === 'events') return rows(someAtATime(fetchEvents))
  if (topic === 'applies') return rows(someAtATime(fetchAppliesOf))
  return rows(async (sql, of, uuids, mostBytes) => {
    const found = await fetchSetpoints(sql, of, uuids, now())
    return found.length > 1 && bytesOf(found) > mostBytes ? null : withValues(sql, of, found)
  })
}
