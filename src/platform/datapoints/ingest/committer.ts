import { isPresent } from '../../../db/database-identity.ts'
import type { Database } from '../../../db/sql.ts'
import { isNodeAway, mayBeKept, sqlState } from '../../../db/sql-error.ts'
import type { PointColumns } from '../../../datapoints/chunks/flush.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { present } from '../../../lib/present.ts'
import type { KeyedBatch } from '../../../store/datapoints/arriving/hot-rows.ts'
import { UNDEFINED_TABLE } from '../../../store/datapoints/packed/partitions.ts'
import type { ChangeSignals } from '../../change-signals.ts'
import type { HotBuffers } from '../folding/hot-buffers.ts'
import { AwayDomains } from './away-domains.ts'
import { isUnavailable, nodeAway, unstorable } from './commit-errors.ts'
import { RestingLocks, type Lock } from './resting-locks.ts'
import {
  databaseOf,
  isWaiting,
  isWritten,
  LOCKED,
  writeJobs,
  type CheckedBy,
  type Commit,
  type Job,
  type Outcome,
} from './write-jobs.ts'

/** The maximum number of points of one flush, so that other batches do not wait long for the next one. */
export const MOST_IN_FLUSH = 100_000
/**
 * The maximum number of characters of texts, unless a single batch has more. A shorter batch overtakes longer ones that
 * do not fit.
 */
export const MOST_CHARACTERS = 8_388_608
/**
 * The maximum number of advisory locks of one flush: one for each domain and each key. PostgreSQL has some thousand for
 * all sessions together (max_locks_per_transaction), and without them every transaction fails.
 */
const MOST_LOCKS = 500
/** The longest time that a batch waits for nodes that answer now and then. */
const LONGEST_MS = 60_000

/**
 * A group commit: all batches that wait while no flush is running go into the next flush. So no batch waits for a
 * timer, and the cost of a batch falls as the load rises. Points are durable when their promise resolves.
 */
export class Committer {
  readonly #database: Database
  readonly #buffers: HotBuffers
  readonly #away: AwayDomains
  readonly #changes: ChangeSignals | undefined
  readonly #longestLockMs: number
  #waiting: Job[] = []
  #running: Promise<void> | null = null
  /** The number of waiting points, and the characters of their texts. */
  #points = 0
  #characters = 0

  /**
   * `changes` is signalled for each write. `longestLockMs`: the time that a batch waits while the model is being
   * changed.
   */
  constructor(database: Database, buffers: HotBuffers, longestLockMs: number, changes?: ChangeSignals) {
    this.#database = database
    this.#buffers = buffers
    this.#away = new AwayDomains(database, () => this.#wake())
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

  get waitingCharacters(): number {
    return this.#characters
  }

  /** The latest access version of a domain that this process knows; null if it knows none. */
  accessVersion(domainId: number): number | null {
    return this.#accessVersions.get(domainId) ?? null
  }
  readonly #accessVersions = new Map<number, number>()

  /** Notes an access version that was found in the database. */
  noteAccess(domainId: number, version: number): void {
    this.#accessVersions.set(domainId, version)
  }

  add(domainId: number, points: PointColumns, by: CheckedBy, keyed?: KeyedBatch): Promise<Commit> {
    return new Promise((resolve, reject) => {
      const key = keyed === undefined ? null : `${domainId} ${keyed.actor} ${keyed.key}`
      const characters = charactersOf(points)
      this.#waiting.push({ domainId, points, characters, keyed, key, ...by, since: performance.now(), resolve, reject })
      this.#points += points.count
      this.#characters += characters
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
    // Let requests that arrive together join one flush.
    await new Promise(setImmediate)
    while (this.#waiting.length > 0) {
      const jobs = this.#take()
      this.#flushing = jobs.length === 0 ? this.#rest() : this.#flush(jobs)
      await this.#flushing
    }
    this.#running = null
  }

  /** Waits until a locked job is due again, or a new job arrives. */
  async #rest(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    const timer = setTimeout(resolve, this.#locked.nextMs(performance.now()))
    await promise
    clearTimeout(timer)
    await new Promise(setImmediate)
  }
  #wake = (): void => undefined
  readonly #locked = new RestingLocks()

  /**
   * Takes the jobs of the next flush. All of them are of one database. Of each domain that is not locked, it takes jobs
   * that were checked by the same versions. Each key occurs once. It leaves out domains whose node is away, and rejects
   * their jobs after a while.
   */
  #take(): Job[] {
    const taken: Job[] = []
    const left: Job[] = []
    const checked = new Map<number, string>()
    const keys = new Set<string>()
    let [points, characters] = [0, 0]
    const now = performance.now()
    for (const job of this.#withoutOverdue(now)) {
      const versions = `${job.modelVersion} ${job.accessVersion} ${job.identity}`
      const isMuch = points + job.points.count > MOST_IN_FLUSH || characters + job.characters > MOST_CHARACTERS
      const locks = Number(!checked.has(job.domainId)) + Number(job.key !== null)
      const isFull = taken.length > 0 && (isMuch || checked.size + keys.size + locks > MOST_LOCKS)
      const isElsewhere = databaseOf(job) !== databaseOf(taken[0] ?? job)
      const isOther = isElsewhere || (checked.get(job.domainId) ?? versions) !== versions
      const isTwice = job.key !== null && (keys.has(job.key) || this.#locked.isResting(job.key, now))
      const isResting = this.#locked.isResting(job.domainId, now) || this.#away.since(job.domainId) !== undefined
      if (isFull || isOther || isTwice || isResting) left.push(job)
      else {
        checked.set(job.domainId, versions)
        if (job.key !== null) keys.add(job.key)
        taken.push(job)
        points += job.points.count
        characters += job.characters
      }
    }
    this.#waiting = left
    this.#points -= points
    this.#characters -= characters
    return taken
  }

  /**
   * Writes jobs and resolves each with its result; it never rejects. If jobs fail together, they are tried again by
   * domain, and then one by one, so that no job fails because of another. If the database was unavailable, the jobs of
   * one domain are tried again once and then fail together, because there is only one connection and each attempt may
   * take long. If a node of the database is away, nothing of the flush was stored. Then the jobs wait until their nodes
   * answer, which they do at once if only another node is away.
   */
  async #flush(jobs: readonly Job[], before: unknown = null): Promise<void> {
    const isHanging = (): boolean => jobs.some(({ domainId }) => this.#database.away?.().has(domainId))
    if (isHanging()) return this.#waitForNodes(jobs)
    try {
      await this.#write(jobs)
    } catch (error) {
      const isAway = isNodeAway(error) && (before === null || !mayBeKept(before))
      if (isAway || isHanging()) return this.#waitForNodes(jobs)
      // Even if the second attempt failed with another error, the first attempt may be stored.
      const told = before !== null && mayBeKept(before) && isUnavailable(error) ? before : error
      if (jobs.length === 1 || (before !== null && isUnavailable(error))) for (const job of jobs) job.reject(told)
      else for (const part of smallerParts(jobs, error)) await this.#flush(part, told)
    }
  }

  async #waitForNodes(jobs: readonly Job[]): Promise<void> {
    await this.#away.note([...new Set(jobs.map(({ domainId }) => domainId))])
    this.#putBack(jobs)
  }

  async #write(jobs: readonly Job[]): Promise<void> {
    const identity = databaseOf(present(jobs[0]))
    if (identity !== this.#identity && !(await this.#beginsIn(identity)))
      return this.#answer(new Map(jobs.map((job) => [job, 'stale'])))
    const filled = await this.#buffers.active()
    const { numbers, slot } = filled
    numbers.begin()
    try {
      const { outcomes, versions, points } = await writeJobs(this.#database, identity, filled, jobs)
      numbers.end()
      this.#written += points
      for (const [domainId, { accessVersion }] of versions) this.noteAccess(domainId, accessVersion)
      this.#answer(outcomes)
      const written = new Set(jobs.filter((job) => isWritten(outcomes.get(job))).map(({ domainId }) => domainId))
      for (const domainId of written) this.#changes?.signal(domainId, 'datapoints')
    } catch (error) {
      // The server that takes over the slot folds everything that may still be stored. Until then, readers expect it.
      if (mayBeKept(error)) this.#buffers.leave()
      else numbers.end()
      if (sqlState(error) !== UNDEFINED_TABLE) throw unstorable(error)
      // The buffer no longer exists: this process was silent for so long that another process considered it dead.
      this.#buffers.lose(slot)
      await this.#write(jobs)
    }
  }

  /** Slots and numbers belong to one database, so another database begins anew. False if the identity is outdated. */
  async #beginsIn(identity: string): Promise<boolean> {
    if (this.#identity !== '' && !(await isPresent(this.#database, identity))) return false
    this.#identity = identity
    this.#buffers.leave()
    return true
  }
  #identity = ''

  /**
   * Resolves the jobs with their outcomes. Locked jobs return to the head of the queue, or fail if they waited too
   * long.
   */
  #answer(outcomes: ReadonlyMap<Job, Outcome>): void {
    const now = performance.now()
    const rests = new Set<Lock>()
    const left: Job[] = []
    for (const [job, outcome] of outcomes) {
      const hasTime = now - job.since < this.#longestLockMs
      if (outcome === 'model locked') rests.add(job.domainId)
      if (outcome === 'key locked' && hasTime && job.key !== null) rests.add(job.key)
      if (!isWaiting(outcome)) job.resolve(outcome)
      else if (hasTime) left.push(job)
      else job.reject(new HoldfastError('UNAVAILABLE', LOCKED[outcome]))
    }
    this.#putBack(left)
    for (const { domainId, key } of outcomes.keys())
      for (const lock of [domainId, key]) if (lock !== null && !rests.has(lock)) this.#locked.end(lock)
    for (const lock of rests) this.#locked.rest(lock, now)
  }

  /** Returns jobs to the head of the queue. */
  #putBack(jobs: readonly Job[]): void {
    this.#waiting = [...jobs, ...this.#waiting]
    this.#count(jobs, 1)
  }

  #count(jobs: readonly Job[], sign: 1 | -1): void {
    for (const { points, characters } of jobs) {
      this.#points += sign * points.count
      this.#characters += sign * characters
    }
  }

  /** The waiting jobs, except for those that have waited too long for a node, which it rejects. */
  #withoutOverdue(now: number): readonly Job[] {
    const isOverdue = ({ domainId, since }: Job): boolean => {
      const asked = this.#away.since(domainId)
      // A flush that waits for another node takes long, so only the time since the question counts; but not for ever.
      return asked !== undefined && (now - Math.max(asked, since) >= this.#longestLockMs || now - since >= LONGEST_MS)
    }
    const overdue = this.#waiting.filter(isOverdue)
    for (const job of overdue) job.reject(nodeAway())
    this.#count(overdue, -1)
    return overdue.length === 0 ? this.#waiting : this.#waiting.filter((job) => !isOverdue(job))
  }
}

function charactersOf({ others }: PointColumns): number {
  let characters = 0
  for (const value of others.values()) if (typeof value === 'string') characters += value.length
  return characters
}

/**
 * Splits jobs by domain. If all are of one domain and one of them may be the cause of the error, splits them one by
 * one.
 */
function smallerParts(jobs: readonly Job[], error: unknown): (readonly Job[])[] {
  const domains = [...Map.groupBy(jobs, ({ domainId }) => domainId).values()]
  return domains.length > 1 || isUnavailable(error) ? domains : jobs.map((job) => [job])
}
