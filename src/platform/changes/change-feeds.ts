import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../db/sql.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { fetchChangeStatus } from '../../store/change-status.ts'
import type { ChangeSignals, Topic } from '../change-signals.ts'
import { Beginnings } from './beginnings.ts'
import { type PollStatus, Feed, lostPosition } from './feed.ts'
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

interface Followed {
  readonly domainId: number
  readonly topic: Topic
}

interface ChangeFeedsParts {
  readonly database: Database
  readonly changes: ChangeSignals
  now(): Date
  readonly mostBegun?: SlotLimits
  /** Called with each error. The work is tried again. */
  failed(error: unknown): void
}

/** The polls of a turn, by feed. */
type Polls = ReadonlyMap<unknown, Promise<void>>

/** The longest time until changes of other processes are seen, plus the duration of a poll. */
const EVERY_MS = 1_000
/** A turn waits no longer for slow polls, so that the other feeds are polled again. */
const TURN_MS = 300
/** Turns take at most a third of the time. */
const REST_MS = 20
const REST_FACTOR = 2

/** The feeds of the domains that have listeners. Without listeners nothing is polled. */
export class ChangeFeeds {
  readonly beginnings: Beginnings
  readonly #parts: ChangeFeedsParts
  #refreshing: PromiseWithResolvers<Polls> | null = null
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

  /** Passes a feed to `use`, and whether it begins now. If `use` does not listen at once, the feed is forgotten. */
  async use<T extends Topic, R>(
    domainId: number,
    topic: T,
    use: (feed: TopicFeeds[T], isNew: boolean) => R,
  ): Promise<R> {
    for (;;) {
      const isNew = !this.#entries.has(keyOf({ domainId, topic }))
      const entry = this.#entry(domainId, topic)
      const feed = await entry.feed
      // The feed may have been forgotten meanwhile.
      if (this.#entries.get(keyOf(entry)) === entry) return use(feed as TopicFeeds[T], isNew)
    }
  }

  /** A text that identifies the database. Each database has its own. */
  async identity(): Promise<string> {
    return (this.#status ?? (await this.#fetchStatus([]))).identity
  }

  /** Resolves when all feeds, or this one, have seen everything that is visible now. */
  async refresh(feed?: unknown): Promise<void> {
    if (this.#isClosed) throw stopping()
    this.#refreshing ??= Promise.withResolvers()
    this.#pollWithin(0)
    const polls = await this.#refreshing.promise
    const wanted = feed === undefined ? [...polls.values()] : [polls.get(feed)]
    for (const poll of wanted)
      await poll?.catch((error: unknown) => {
        throw errorOf(error)
      })
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
    const entry = new Entry({ domainId, topic }, begin(), (error) => this.#fail(entry, error))
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
  async #fetchStatus(followed: readonly Followed[]): Promise<PollStatus> {
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
    try {
      const polls = await this.#poll(refreshing !== null)
      refreshing?.resolve(polls)
      await Promise.race([Promise.allSettled(polls.values()), wait(TURN_MS, undefined, { ref: false })])
    } catch (error) {
      this.#parts.failed(error)
      refreshing?.reject(error)
    }
    this.#isPolling = false
    if (this.#isClosed || (this.#entries.size === 0 && this.#refreshing === null)) return this.#rest()
    const end = performance.now()
    const rest = Math.max(REST_MS, (end - begin) * REST_FACTOR)
    this.#dueAt = Math.max(end + rest, Math.min(this.#dueAt, end + EVERY_MS))
    this.#setTimer()
  }

  /** Begins to poll all feeds, except for those whose poll still runs. A refresh polls these after it. */
  async #poll(isRefresh: boolean): Promise<Polls> {
    const busy = this.#busy().filter(({ isPolling }) => isRefresh || !isPolling)
    if (busy.length === 0) return new Map()
    const status = await this.#fetchStatus(busy).catch((error: unknown) => {
      if (isFinal(error)) for (const one of busy) this.#end(one, error)
      throw error
    })
    return new Map(busy.map((entry) => [entry.begun, entry.poll(status)]))
  }

  #fail(entry: Entry, error: unknown): void {
    if (isFinal(error)) this.#end(entry, error)
    else this.#parts.failed(error)
  }

  #end(entry: Entry, error: unknown): void {
    this.#forget(entry)
    entry.begun?.fail(error)
  }

  /** The entries with listeners. The others are forgotten. */
  #busy(): Entry[] {
    const begun = [...this.#entries.values()].filter((entry) => entry.begun !== null)
    for (const entry of begun) if (entry.begun?.isIdle === true) this.#forget(entry)
    return begun.filter((entry) => entry.begun?.isIdle === false)
  }

  #rest(): void {
    clearTimeout(this.#timer)
    this.#dueAt = Infinity
    this.#status = null
    this.#stopListening?.()
    this.#stopListening = null
  }
}

/** A feed, and its polls one after the other. */
class Entry implements Followed {
  readonly domainId: number
  readonly topic: Topic
  readonly feed: Promise<AnyFeed>
  /** The feed; null until it has begun. */
  begun: AnyFeed | null = null
  readonly #failed: (error: unknown) => void
  #polling: Promise<void> | null = null
  /** The poll after the present one, and its status. */
  #next: Promise<void> | null = null
  #status: PollStatus | null = null

  constructor({ domainId, topic }: Followed, feed: Promise<AnyFeed>, failed: (error: unknown) => void) {
    this.domainId = domainId
    this.topic = topic
    this.#failed = failed
    this.feed = feed.then((begun) => (this.begun = begun))
  }

  get isPolling(): boolean {
    return this.#polling !== null
  }

  /** Polls with this status or a later one. It reports an error, and rejects with it. */
  poll(status: PollStatus): Promise<void> {
    this.#status = status
    // Between two polls there is a moment when none runs, but the next one is about to begin.
    if (this.#next !== null) return this.#next
    if (this.#polling === null) return this.#begin()
    return (this.#next = this.#polling.catch(() => undefined).then(() => this.#begin()))
  }

  #begin(): Promise<void> {
    this.#next = null
    const polling = this.#run().finally(() => (this.#polling = null))
    this.#polling = polling
    polling.catch((error: unknown) => this.#failed(error))
    return polling
  }

  async #run(): Promise<void> {
    if (this.#status !== null) await this.begun?.poll(this.#status)
  }
}

function stopping(): HoldfastError {
  return new HoldfastError('UNAVAILABLE', 'the server is stopping')
}

function keyOf({ domainId, topic }: Followed): string {
  return `${domainId} ${topic}`
}

/** Tells whether a retry is useless: it is another database, or the changes are no longer kept. */
function isFinal(error: unknown): boolean {
  return error instanceof HoldfastError && (error.code === 'CONFLICT' || error.code === 'LIMIT_EXCEEDED')
}

/** The error for a client that waited for a failed feed. */
function errorOf(failure: unknown): unknown {
  if (!isFinal(failure)) return failure
  return lostPosition(failure)
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
