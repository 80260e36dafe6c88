import type { Database } from '../../db/sql.ts'
import { Attempts } from '../../lib/attempts.ts'
import { ENOUGH_POINTS } from '../../datapoints/segments/divide-points.ts'
import { DEFAULT_AHEAD_MICROSECONDS, microsecondsOf } from '../../datapoints/wire/timestamp.ts'
import { forgetKeys } from '../../store/datapoints/arriving/idempotency-keys.ts'
import { forgetEndedBuffers } from '../../store/datapoints/arriving/domains-of-buffers.ts'
import { countDamagedRows } from '../../store/datapoints/arriving/buffer-rows.ts'
import { dropRetiredBuffers } from '../../store/datapoints/packed/partitions.ts'
import { eraseDatapoints } from './erasing/erase.ts'
import { expireDatapoints } from './retention/expire.ts'
import type { ChangeSignals } from '../change-signals.ts'
import { ArrivalClock } from './ingest/arrival-clock.ts'
import { BlockMerger } from './folding/block-merger.ts'
import { ChunkJoiner } from './folding/chunk-joiner.ts'
import { ChunkMerger } from './folding/chunk-merger.ts'
import { ChunkPartitions } from './folding/chunk-partitions.ts'
import { Committer } from './ingest/committer.ts'
import { Compactor } from './folding/compactor.ts'
import { Exports } from './export/exports.ts'
import { BYTES_OF_FOLD } from './folding/fold-buffer.ts'
import { FoldThread } from './folding/fold-thread.ts'
import { HotBuffers } from './folding/hot-buffers.ts'
import { Ingest } from './ingest/ingest.ts'
import { RefusedDatapoints } from './refused/refused-datapoints.ts'
import { ReportedSettings } from './ingest/reported-settings.ts'
import { SeriesCache } from './series/series-cache.ts'
import { SystemArrivals } from './ingest/count-arrivals.ts'
import { takeOver, type TakeoverParts } from './folding/takeover.ts'

export interface DatapointOptions {
  readonly database: Database
  /** The same database with longer time limits, for folding, merging, deleting and exporting. */
  readonly patient?: Database
  now(): Date
  newId(): string
  /** Whether no other process has the database open. Then every other slot belongs to a dead process. */
  readonly isAlone: boolean
  /** Signalled when datapoints are stored; left out if nothing waits for them. */
  readonly changes?: ChangeSignals
  readonly limits?: Partial<DatapointLimits>
}

export interface DatapointLimits {
  /**
   * The maximum number of points that may wait to be folded, and of their bytes. Beyond these, new points are refused
   * for a while.
   */
  readonly mostHotPoints: number
  readonly mostHotBytes: number
  /** A buffer is folded when it has this many points, rows or bytes, or when its first point is this old. */
  readonly foldAtPoints: number
  readonly foldAtRows: number
  readonly foldAtBytes: number
  readonly foldAfterMs: number
  /** This many rows of one level of a block become one row of the next. */
  readonly rowsOfLevel: number
  /** A series with this many old points leaves its block for chunks. With fewer points it stays in the block. */
  readonly leastOfChunk: number
  /** The time that a batch waits while the model of its domain is being changed. */
  readonly longestLockMs: number
  /** The time that a timestamp may be ahead of the server. */
  readonly aheadMicroseconds: number
  readonly deadAfterSeconds: number
}

export const DATAPOINT_LIMITS: DatapointLimits = {
  mostHotPoints: 4_000_000,
  mostHotBytes: 67_108_864,
  foldAtPoints: 200_000,
  foldAtRows: 20_000,
  foldAtBytes: BYTES_OF_FOLD,
  foldAfterMs: 10_000,
  rowsOfLevel: 32,
  leastOfChunk: ENOUGH_POINTS,
  longestLockMs: 5_000,
  aheadMicroseconds: DEFAULT_AHEAD_MICROSECONDS,
  deadAfterSeconds: 15,
}

interface DatapointLoad {
  /** The number of points that this process has stored. */
  readonly stored: number
  /** The number of stored points that wait to be folded, and their bytes. */
  readonly hot: number
  readonly hotBytes: number
  readonly oldestHotSeconds: number
  /** Rows of the database that could not be folded, as of the last count by this process. */
  readonly damagedRows: number
}

/** The time for which the key of a request is remembered. */
const KEY_HOURS = 24

/** The datapoints of all domains, in this process. */
export class Datapoints {
  readonly ingest: Ingest
  readonly exports: Exports
  readonly compactor: Compactor
  readonly merger: ChunkMerger
  readonly blockMerger: BlockMerger
  readonly joiner: ChunkJoiner
  /** Counts what `ingest` refuses. */
  readonly refused: RefusedDatapoints
  /** Counts what `ingest` stores, by system. */
  readonly arrived: SystemArrivals
  readonly #takeover: TakeoverParts
  readonly #options: DatapointOptions
  readonly #buffers: HotBuffers
  readonly #committer: Committer
  readonly #foldThread = new FoldThread()

  constructor(options: DatapointOptions) {
    const { database, patient = database, now, isAlone } = options
    const limits = { ...DATAPOINT_LIMITS, ...options.limits }
    const buffers = new HotBuffers(database, () => options.newId())
    const committer = new Committer(database, buffers, limits.longestLockMs, options.changes)
    const partitions = new ChunkPartitions(patient)
    const merger = new ChunkMerger(patient, this.#foldThread)
    const folding = { database: patient, foldThread: this.#foldThread, partitions, merger }
    const blockMerger = new BlockMerger({ ...limits, ...folding })
    const shared = { ...folding, blockMerger, now: () => microsecondsOf(now()) }
    const { foldAtPoints: atPoints, foldAtRows: atRows, foldAtBytes: atBytes, foldAfterMs: afterMs } = limits
    this.#options = options
    this.#buffers = buffers
    this.#committer = committer
    this.#takeover = { ...shared, deadAfterSeconds: isAlone ? 0 : limits.deadAfterSeconds }
    this.merger = merger
    this.blockMerger = blockMerger
    this.joiner = new ChunkJoiner(patient, this.#foldThread)
    this.exports = new Exports(patient)
    this.compactor = new Compactor({ ...shared, buffers, committer, atPoints, atRows, atBytes, afterMs })
    const { aheadMicroseconds, longestLockMs } = limits
    const arrivals = new ArrivalClock({ database, owner: buffers.owner, now, aheadMicroseconds })
    const reported = new ReportedSettings({ ...options, longestLockMs })
    const cache = new SeriesCache()
    const refused = new RefusedDatapoints(options)
    this.refused = refused
    const arrived = new SystemArrivals(options)
    this.arrived = arrived
    this.ingest = new Ingest({
      database,
      cache,
      committer,
      buffers,
      arrivals,
      reported,
      refused,
      arrived,
      now,
      ...limits,
    })
  }

  get load(): DatapointLoad {
    const { points: hot, bytes: hotBytes, oldestMs } = this.#buffers
    const [stored, damagedRows] = [this.#committer.writtenPoints, this.#damagedRows]
    return { stored, hot, hotBytes, oldestHotSeconds: oldestMs / 1_000, damagedRows }
  }
  #damagedRows = 0

  /** The access version. As long as it stays the same, remembered rights are valid. Null if none is known yet. */
  accessVersion(domainId: number): number | null {
    return this.#committer.accessVersion(domainId)
  }

  /** Folds the points that dead processes left. */
  takeOver(): Promise<void> {
    return takeOver(this.#takeover, this.#buffers.owner)
  }

  /**
   * Makes partitions ahead, finds unmerged blocks and chunks of dead processes, counts damaged rows, and deletes old keys
   * of batches and retired buffers.
   */
  async tidy(): Promise<void> {
    const { database, patient = database } = this.#options
    const now = this.#options.now().getTime()
    const attempts = new Attempts()
    await attempts.make(() => this.#takeover.partitions.ensureAhead(now * 1_000))
    await attempts.make(async () => (this.#damagedRows = await countDamagedRows(database)))
    await attempts.make(() => forgetKeys(patient, KEY_HOURS))
    await attempts.make(() => dropRetiredBuffers(database))
    await attempts.make(() => forgetEndedBuffers(database))
    await attempts.make(() => this.blockMerger.sweep(now * 1_000))
    await attempts.make(() => this.merger.sweep())
    await attempts.make(() => this.joiner.sweep(now * 1_000))
    attempts.end()
  }

  /** Deletes expired points of all domains until the signal fires. `failed` gets each error at once. */
  expire(signal?: AbortSignal, failed?: (error: unknown) => void): Promise<void> {
    const { database, patient = database } = this.#options
    return expireDatapoints(patient, microsecondsOf(this.#options.now()), signal, failed)
  }

  /** Removes points that were deleted on request, until the signal fires. */
  erase(signal?: AbortSignal): Promise<void> {
    const { database, patient = database } = this.#options
    return eraseDatapoints(patient, signal)
  }

  /**
   * Merges blocks, and merges or joins chunks. If one of these fails, the others still run. Tells whether there may be
   * more to do.
   */
  async merge(): Promise<boolean> {
    const now = microsecondsOf(this.#options.now())
    const attempts = new Attempts()
    const hasGathered = await attempts.make(() => this.blockMerger.merge(now))
    const hasMerged = await attempts.make(() => this.merger.merge(now))
    const hasJoined = hasMerged !== true && (await attempts.make(() => this.joiner.join(now)))
    attempts.end()
    return hasGathered === true || hasMerged === true || hasJoined === true
  }

  /** Folds the points that this process has stored, and releases its slot. The database must still be open. */
  async close(): Promise<void> {
    const attempts = new Attempts()
    await attempts.make(() => this.#committer.idle())
    await attempts.make(() => this.compactor.end())
    await attempts.make(() => this.refused.flush())
    await attempts.make(() => this.arrived.flush(Infinity))
    await attempts.make(() => this.#foldThread.close())
    attempts.end()
  }
}
