import type { Database } from '../../db/sql.ts'
import { sqlState } from '../../db/sql-error.ts'
import { joinPoints, type Flush, type PointColumns } from '../../datapoints/flush.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { BinaryRows } from '../../store/datapoints/binary-rows.ts'
import { drawGeneration } from '../../store/datapoints/generations.ts'
import { encodeHotRows } from '../../store/datapoints/hot-rows.ts'
import { BUFFER_IS_GONE } from '../../store/datapoints/partitions.ts'
import type { HotBuffers } from './hot-buffers.ts'

/** What became of points: written, by a flush of this number, or checked by rules that have changed since. */
export type Commit = { readonly generation: number } | 'stale'

interface Job {
  readonly domainId: number
  readonly points: PointColumns
  /** Of the model that they were checked by. */
  readonly modelVersion: number
  resolve(commit: Commit): void
  reject(error: unknown): void
}

/** One flush takes no more, so that whoever waits for the next one does not wait long. */
const MOST_IN_FLUSH = 100_000

/**
 * Group commit: whatever is waiting when no flush is on its way goes into the next one, so nothing waits for a timer and
 * the more there is the less each costs. Points are durable when their promise resolves.
 */
export class Committer {
  readonly #database: Database
  readonly #buffers: HotBuffers
  readonly #rows = new BinaryRows(1_048_576)
  #waiting: Job[] = []
  #running: Promise<void> | null = null
  /** Points of all that is waiting. */
  #points = 0

  constructor(database: Database, buffers: HotBuffers) {
    this.#database = database
    this.#buffers = buffers
  }

  get waitingPoints(): number {
    return this.#points
  }

  add(domainId: number, points: PointColumns, modelVersion: number): Promise<Commit> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ domainId, points, modelVersion, resolve, reject })
      this.#points += points.count
      this.#running ??= this.#run()
    })
  }

  /** Resolves when the flush that is on its way now has ended. */
  async settled(): Promise<void> {
    await this.#flushing
  }
  #flushing: Promise<void> = Promise.resolve()

  /** Resolves when nothing is waiting. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running
  }

  async #run(): Promise<void> {
    // Requests that arrive together go together.
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

  /** Never rejects: each job is told. What fails is tried again job by job, so that nobody fails with another one. */
  async #flush(jobs: readonly Job[]): Promise<void> {
    try {
      await this.#write(jobs)
    } catch (error) {
      if (jobs.length === 1) jobs[0]?.reject(error)
      else for (const job of jobs) await this.#flush([job])
    }
  }

  async #write(jobs: readonly Job[]): Promise<void> {
    const domains = [...new Set(jobs.map(({ domainId }) => domainId))]
    const { generation, modelVersions } = await drawGeneration(this.#database, domains)
    const isCurrent = ({ domainId, modelVersion }: Job) => modelVersions.get(domainId) === modelVersion
    const current = jobs.filter(isCurrent)
    if (current.length > 0) await this.#copy({ ...joinPoints(current.map(({ points }) => points)), generation })
    for (const job of jobs) job.resolve(isCurrent(job) ? { generation } : 'stale')
  }

  async #copy(flush: Flush): Promise<void> {
    if (flush.count === 0) return
    const filled = await this.#buffers.active()
    const { text, data } = encodeHotRows(this.#rows, filled.buffer, flush)
    try {
      await this.#database.copyIn(text, data)
    } catch (error) {
      if (sqlState(error) !== BUFFER_IS_GONE) throw unstorable(error)
      // This process was silent for so long that another one took it for dead.
      this.#buffers.lose(filled.slot)
      return this.#copy(flush)
    }
    if (filled.points === 0) filled.since = performance.now()
    filled.flushes.push(flush)
    filled.points += flush.count
  }
}

/** PostgreSQL stores no U+0000; whoever checks the values should have said so before. */
function unstorable(error: unknown): unknown {
  return sqlState(error) === '22021'
    ? new HoldfastError('BAD_USER_INPUT', 'a text holds a character that cannot be stored: U+0000', { cause: error })
    : error
}
