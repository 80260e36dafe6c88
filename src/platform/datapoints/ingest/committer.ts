import type { Database } from '../../../db/sql.ts'
import { mayBeKept, sqlState } from '../../../db/sql-error.ts'
import { joinPoints, type PointColumns } from '../../../datapoints/chunks/flush.ts'
import { packFlush, type PackedFlush } from '../../../datapoints/segments/packed-flush.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { present } from '../../../lib/present.ts'
import { storeFlush, type Draw } from '../../../store/datapoints/arriving/hot-rows.ts'
import { LOCK_NOT_AVAILABLE, UNDEFINED_TABLE } from '../../../store/datapoints/packed/partitions.ts'
import type { ChangeSignals } from '../../changes/change-signals.ts'
import { FlushNumbers } from './flush-numbers.ts'
import type { FilledBuffer, HotBuffers } from '../folding/hot-buffers.ts'
import { LockedDomains } from './locked-domains.ts'

/**
 * The result of a commit: the points were written by the flush with this number; or they were checked by rules that
 * have changed since, or of a database that was taken back since (`stale`); or some account's rights were changed since the
 * sender was looked up, perhaps the sender's (`outdated`).
 */
export type Commit = { readonly generation: number } | 'stale' | 'outdated'

/** The versions of model and access that the points were checked with, and of which database. */
export interface CheckedBy {
  readonly modelVersion: number
  /** The identity of the database in which the series have these numbers. */
  readonly identity: string
  /** Null for a sender whose rights cannot be taken away. */
  readonly accessVersion: number | null
}

interface Job extends CheckedBy {
  readonly domainId: number
  readonly points: PointColumns
  /** When it was added, in milliseconds of the process. */
  readonly since: number
  resolve(commit: Commit): void
  reject(error: unknown): void
}

/** The most points of one flush, so that others do not wait long for the next one. */
const MOST_IN_FLUSH = 100_000

/**
 * A group commit: everything that waits when no flush is under way goes into the next one. So nothing waits for a
 * timer, and the cost of a batch falls as the load rises. Points are durable when their promise resolves.
 */
export class Committer {
  readonly #database: Database
  readonly #buffers: HotBuffers
  readonly #changes: ChangeSignals | undefined
  readonly #longestLockMs: number
  readonly numbers = new FlushNumbers()
  #waiting: Job[] = []
  #running: Promise<void> | null = null
  /** The number of waiting points. */
  #points = 0

  /** `changes` is signalled for what is written. `longestLockMs`: how long a batch waits while the model is being changed. */
  constructor(database: Database, buffers: HotBuffers, longestLockMs: number, changes?: ChangeSignals) {
    this.#database = database
    this.#buffers = buffers
    this.#changes = changes
    this.#longestLockMs = longestLockMs
  }

  /** The number of points written so far. */
  get writtenPoints(): number {
    return this.#written
  }
  #written = 0

  get waitingPoints(): number {
    return this.#points
  }

  /** The latest access version of a domain that this process knows; null where it knows none. */
  accessVersion(domainId: number): number | null {
    return this.#accessVersions.get(domainId) ?? null
  }
  readonly #accessVersions = new Map<number, number>()

  add(domainId: number, points: PointColumns, by: CheckedBy): Promise<Commit> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ domainId, points, ...by, since: performance.now(), resolve, reject })
      this.#points += points.count
      this.#wake()
      this.#running ??= this.#run()
    })
  }

  /** Resolves when the present flush has ended. */
  async flushed(): Promise<void> {
    await this.#flushing
  }
  #flushing: Promise<void> = Promise.resolve()

  /** Resolves when nothing is waiting. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running
  }

  async #run(): Promise<void> {
    // Requests that arrive together are flushed together.
    await new Promise(setImmediate)
    while (this.#waiting.length > 0) {
      const jobs = this.#take()
      this.#flushing = jobs.length === 0 ? this.#rest() : this.#flush(jobs)
      await this.#flushing
    }
    this.#running = null
  }

  /** Waits until a locked domain is to be tried again, or something new comes. */
  async #rest(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    const timer = setTimeout(resolve, this.#locked.nextMs(performance.now()))
    await promise
    clearTimeout(timer)
    await new Promise(setImmediate)
  }
  #wake = (): void => undefined
  readonly #locked = new LockedDomains()

  /**
   * The jobs of the next flush: of each domain that is not locked those that were checked by the same versions, all of them of
   * one database.
   */
  #take(): Job[] {
    const taken: Job[] = []
    const left: Job[] = []
    const checked = new Map<number, string>()
    let points = 0
    const now = performance.now()
    for (const job of this.#waiting) {
      const versions = `${job.modelVersion} ${job.accessVersion}`
      const isFull = taken.length > 0 && points + job.points.count > MOST_IN_FLUSH
      const isElsewhere = job.identity !== (taken[0] ?? job).identity
      const isOther = isElsewhere || (checked.get(job.domainId) ?? versions) !== versions
      if (isFull || isOther || this.#locked.isResting(job.domainId, now)) left.push(job)
      else {
        checked.set(job.domainId, versions)
        taken.push(job)
        points += job.points.count
      }
    }
    this.#waiting = left
    this.#points -= points
    return taken
  }

  /**
   * Writes jobs and tells each its result; it never rejects. Jobs that failed together are tried again by domain, and then
   * one by one, so that no job fails because of another.
   * Where the database could not do the work, jobs of one domain are tried again once and fail together: there is one
   * connection, and each attempt may take long.
   */
  async #flush(jobs: readonly Job[], before: unknown = null): Promise<void> {
    try {
      await this.#write(jobs)
    } catch (error) {
      // What was tried before may be stored, whatever hindered the second attempt.
      const told = before !== null && mayBeKept(before) && isUnavailable(error) ? before : error
      if (jobs.length === 1 || (before !== null && isUnavailable(error))) for (const job of jobs) job.reject(told)
      else for (const part of smallerParts(jobs, error)) await this.#flush(part, told)
    }
  }

  async #write(jobs: readonly Job[]): Promise<void> {
    const { identity } = present(jobs[0])
    if (identity !== this.#identity) this.#beginIn(identity)
    const filled = await this.#buffers.active()
    this.numbers.begin()
    try {
      const commits = await this.#store(filled, jobs)
      this.#answer(jobs, commits)
      const written = new Set(jobs.filter((_, index) => isWritten(commits[index])).map(({ domainId }) => domainId))
      for (const domainId of written) this.#changes?.signal(domainId, 'datapoints')
    } catch (error) {
      if (sqlState(error) !== UNDEFINED_TABLE) throw unstorable(error)
      // The buffer is gone: this process was silent for so long that another one took it for dead.
      this.#buffers.lose(filled.slot)
      await this.#write(jobs)
    } finally {
      this.numbers.end()
    }
  }

  /** Slots and numbers of another database are not those of this one. */
  #beginIn(identity: string): void {
    this.#identity = identity
    this.numbers.forget()
    this.#buffers.leave()
  }
  #identity = ''

  /** Tells the jobs what became of them. Those of a locked domain go to the head of those that wait, or have waited enough. */
  #answer(jobs: readonly Job[], commits: readonly (Commit | 'locked')[]): void {
    const now = performance.now()
    const locked = jobs.filter((_, index) => commits[index] === 'locked')
    for (const [index, job] of jobs.entries()) {
      const commit = commits[index] ?? 'stale'
      if (commit !== 'locked') job.resolve(commit)
      else if (now - job.since >= this.#longestLockMs) job.reject(new HoldfastError('UNAVAILABLE', LOCKED))
    }
    const left = locked.filter(({ since }) => now - since < this.#longestLockMs)
    this.#waiting = [...left, ...this.#waiting]
    this.#points += left.reduce((sum, { points }) => sum + points.count, 0)
    const lockedDomains = new Set(locked.map(({ domainId }) => domainId))
    for (const { domainId } of jobs) if (!lockedDomains.has(domainId)) this.#locked.end(domainId)
    for (const domainId of lockedDomains) this.#locked.rest(domainId, now)
  }

  async #store(filled: FilledBuffer, jobs: readonly Job[]): Promise<readonly (Commit | 'locked')[]> {
    const byDomain = [...Map.groupBy(jobs, ({ domainId }) => domainId)].sort(([a], [b]) => a - b)
    const flush = packFlush(new Map(byDomain.map(([id, own]) => [id, joinPoints(own.map(({ points }) => points))])))
    const checked = byDomain.flatMap(([, [first]]) => first ?? [])
    const at = { buffer: filled.buffer, identity: this.#identity }
    const draw = await storeFlush(this.#database, at, checked, flush).catch((error: unknown) => {
      if (mayBeKept(error)) this.numbers.noteLostAnswer()
      throw error
    })
    if (draw === null) return jobs.map(() => 'stale' as const)
    this.numbers.note(draw.generation)
    for (const [domainId, { accessVersion }] of draw.versions) this.#accessVersions.set(domainId, accessVersion)
    const commits = jobs.map((job) => commitOf(job, draw))
    const current = new Set(jobs.filter((_, index) => isWritten(commits[index])).map(({ domainId }) => domainId))
    this.#note(filled, onlyOf(flush, current), draw.generation)
    return commits
  }

  #note(filled: FilledBuffer, flush: PackedFlush, generation: number): void {
    if (flush.count === 0) return
    if (filled.points === 0) filled.since = performance.now()
    filled.flushes.push({ ...flush, generation })
    filled.points += flush.count
    filled.rows += flush.pieces.length
    this.#written += flush.count
  }
}

/** Rights are checked first, because the model must not tell anything to a sender who may not read it any more. */
function commitOf({ domainId, modelVersion, accessVersion }: Job, { generation, versions }: Draw): Commit | 'locked' {
  const present = versions.get(domainId)
  if (present?.modelVersion === 'locked') return 'locked'
  if (accessVersion !== null && present?.accessVersion !== accessVersion) return 'outdated'
  return present?.modelVersion === modelVersion ? { generation } : 'stale'
}

function isWritten(commit: Commit | 'locked' | undefined): boolean {
  return typeof commit === 'object'
}

/** The flush without the domains that were left out. */
function onlyOf(flush: PackedFlush, domains: ReadonlySet<number>): PackedFlush {
  if (flush.pieces.every(({ domainId }) => domains.has(domainId))) return flush
  const pieces = flush.pieces.filter(({ domainId }) => domains.has(domainId))
  return { ...flush, pieces, count: pieces.reduce((sum, { count }) => sum + count, 0) }
}

/** The jobs of each domain; each job where all are of one and it may be one of them that cannot be stored. */
function smallerParts(jobs: readonly Job[], error: unknown): (readonly Job[])[] {
  const domains = [...Map.groupBy(jobs, ({ domainId }) => domainId).values()]
  return domains.length > 1 || isUnavailable(error) ? domains : jobs.map((job) => [job])
}

function isUnavailable(error: unknown): boolean {
  return error instanceof HoldfastError && error.code === 'UNAVAILABLE'
}

const LOCKED =
  'the model of this domain is being changed, which takes longer than usual; nothing of the batch was stored; try again in a moment'

const BUSY =
  'what this server stores is being put in order, which takes longer than usual; nothing of the batch was stored; try again in a moment'

/** Explains that a lock was not free in time, and the refusal of U+0000, which the checks of values should have found. */
function unstorable(error: unknown): unknown {
  const state = sqlState(error)
  if (state === LOCK_NOT_AVAILABLE) return new HoldfastError('UNAVAILABLE', BUSY, { cause: error })
  return state === '22021'
    ? new HoldfastError('BAD_USER_INPUT', 'a text holds a character that cannot be stored: U+0000', { cause: error })
    : error
}
