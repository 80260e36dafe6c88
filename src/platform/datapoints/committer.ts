import type { Database } from '../../db/sql.ts'
import { sqlState } from '../../db/sql-error.ts'
import { joinPoints, type Flush, type PointColumns } from '../../datapoints/chunks/flush.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { BinaryRows } from '../../store/datapoints/binary-rows.ts'
import { drawGeneration, type Draw } from '../../store/datapoints/generations.ts'
import { encodeHotRows } from '../../store/datapoints/hot-rows.ts'
import { UNDEFINED_TABLE } from '../../store/datapoints/partitions.ts'
import type { ChangeSignals } from '../changes/change-signals.ts'
import type { FilledBuffer, HotBuffers } from './folding/hot-buffers.ts'

/**
 * The result of a commit: the points were written by the flush with this number; or they were checked by rules that
 * have changed since (`stale`); or some account's rights were changed since the sender was looked up, perhaps the
 * sender's (`outdated`).
 */
export type Commit = { readonly generation: number } | 'stale' | 'outdated'

/** The versions of model and access that the points were checked with. */
export interface CheckedBy {
  readonly modelVersion: number
  /** Null for a sender whose rights cannot be taken away. */
  readonly accessVersion: number | null
}

interface Job extends CheckedBy {
  readonly domainId: number
  readonly points: PointColumns
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
  readonly #rows = new BinaryRows(1_048_576)
  #waiting: Job[] = []
  #running: Promise<void> | null = null
  /** The number of waiting points. */
  #points = 0

  /** `changes` is signalled for what is written. */
  constructor(database: Database, buffers: HotBuffers, changes?: ChangeSignals) {
    this.#database = database
    this.#buffers = buffers
    this.#changes = changes
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
      this.#waiting.push({ domainId, points, ...by, resolve, reject })
      this.#points += points.count
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
      this.#flushing = this.#flush(this.#take())
      await this.#flushing
    }
    this.#running = null
  }

  #take(): Job[] {
    let points = 0
    const end = this.#waiting.findIndex((job) => (points += job.points.count) > MOST_IN_FLUSH)
    const jobs = this.#waiting.splice(0, end === -1 ? this.#waiting.length : Math.max(1, end))
    for (const job of jobs) this.#points -= job.points.count
    return jobs
  }

  /**
   * Writes jobs and tells each its result; it never rejects. Jobs that failed together are tried again one by one, so
   * that no job fails because of another.
   */
  async #flush(jobs: readonly Job[]): Promise<void> {
    try {
      await this.#write(jobs)
    } catch (error) {
      if (jobs.length === 1) jobs[0]?.reject(error)
      else for (const job of jobs) await this.#flush([job])
    }
  }

  /** Writes the jobs with a number that is only drawn after the slot exists, which `settledUpTo` relies on. */
  async #write(jobs: readonly Job[]): Promise<void> {
    const filled = await this.#buffers.active()
    const domains = [...new Set(jobs.map(({ domainId }) => domainId))]
    this.#onItsWay = 'drawing'
    try {
      const draw = await drawGeneration(this.#database, domains)
      const { generation } = draw
      this.#onItsWay = generation
      for (const [domainId, version] of draw.accessVersions) this.#accessVersions.set(domainId, version)
      const commits = jobs.map((job) => commitOf(job, draw))
      const current = jobs.filter((_, index) => isWritten(commits[index]))
      await this.#copy(filled, { ...joinPoints(current.map(({ points }) => points)), generation })
      for (const [index, job] of jobs.entries()) job.resolve(commits[index] ?? 'stale')
      const written = new Set(current.map(({ domainId }) => domainId))
      for (const domainId of written) this.#changes?.signal(domainId, 'datapoints')
    } catch (error) {
      if (sqlState(error) !== UNDEFINED_TABLE) throw unstorable(error)
      // The buffer is gone: this process was silent for so long that another one took it for dead.
      this.#buffers.lose(filled.slot)
      await this.#write(jobs)
    } finally {
      this.#onItsWay = null
    }
  }

  async #copy(filled: FilledBuffer, flush: Flush & { readonly generation: number }): Promise<void> {
    if (flush.count === 0) return
    const { text, data } = encodeHotRows(this.#rows, filled.buffer, flush)
    await this.#database.copyIn(text, data).catch((error: unknown) => {
      if (error instanceof HoldfastError) this.#uncertain = { generation: flush.generation, until: later() }
      throw error
    })
    if (filled.points === 0) filled.since = performance.now()
    filled.flushes.push(flush)
    filled.points += flush.count
    this.#written += flush.count
  }

  #onItsWay: number | 'drawing' | null = null
  /** The flush whose connection was lost while it was written, so that it may still be committed. */
  #uncertain = { generation: Infinity, until: 0 }

  /**
   * The number up to which this process will write no more flushes. `drawn` is the last number that any process had
   * drawn a moment ago. Flushes follow each other, so the present one is the last of this process.
   */
  readonly settledUpTo = (drawn: number): number => {
    if (this.#onItsWay === 'drawing') return 0
    const uncertain = performance.now() < this.#uncertain.until ? this.#uncertain.generation : Infinity
    return Math.min(drawn, (this.#onItsWay ?? Infinity) - 1, uncertain - 1)
  }
}

/** Rights are checked first, because the model must not tell anything to a sender who may not read it any more. */
function commitOf({ domainId, modelVersion, accessVersion }: Job, draw: Draw): Commit {
  if (accessVersion !== null && draw.accessVersions.get(domainId) !== accessVersion) return 'outdated'
  return draw.modelVersions.get(domainId) === modelVersion ? { generation: draw.generation } : 'stale'
}

function isWritten(commit: Commit | undefined): boolean {
  return typeof commit === 'object'
}

/** No server continues the work of a lost connection for this long. */
const later = () => performance.now() + 60_000

/** Explains PostgreSQL's refusal of U+0000, which the checks of values should have found. */
function unstorable(error: unknown): unknown {
  return sqlState(error) === '22021'
    ? new HoldfastError('BAD_USER_INPUT', 'a text holds a character that cannot be stored: U+0000', { cause: error })
    : error
}
