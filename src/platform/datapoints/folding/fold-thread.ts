import type { Worker } from 'node:worker_threads'
import type { StoredChunk } from '../../../store/datapoints/packed/chunks.ts'
import type { SeriesTime } from '../../../store/datapoints/packed/sparse-chunks.ts'
import { startThread } from '../../start-thread.ts'
import { DamagedPoints } from '../damaged-points.ts'
import type { BlockPlace, FoldedPoints, FoldingFlushes, MergingBlock, Raised } from './fold-points.ts'

export type FoldWork =
  | FoldingFlushes
  | { readonly block: MergingBlock; readonly place: BlockPlace & Raised }
  /** `staying` is for chunks that are joined over days: the beginnings of the other chunks of their series. */
  | ({ readonly chunks: readonly StoredChunk[]; readonly staying?: readonly SeriesTime[] } & Raised)

export interface FoldRequest {
  readonly id: number
  readonly work: FoldWork
}

export interface FoldAnswer {
  readonly id: number
  readonly folded?: FoldedPoints
  readonly error?: Error
  /** Says what is damaged; the kind of an error is lost between threads. */
  readonly damaged?: string
}

/** A thread that rests for this time is ended, because it never frees the memory of its largest fold. */
const RESTS_MS = 30_000

/**
 * Folds points into blocks and chunks on a thread. It starts the thread when it is first needed, and again if it has
 * ended.
 */
export class FoldThread {
  #worker: Worker | null = null
  #rest: NodeJS.Timeout | undefined
  #asked = 0
  readonly #waiting = new Map<number, { resolve(folded: FoldedPoints): void; reject(error: Error): void }>()

  flushes(flushes: FoldingFlushes): Promise<FoldedPoints> {
    return this.#ask(flushes)
  }

  block(block: MergingBlock, place: BlockPlace & Raised): Promise<FoldedPoints> {
    return this.#ask({ block, place })
  }

  chunks(chunks: readonly StoredChunk[], raised: number): Promise<FoldedPoints> {
    return this.#ask({ chunks, raised })
  }

  /** Joins chunks of days with few points, if no other chunk lies between them. */
  joined(chunks: readonly StoredChunk[], staying: readonly SeriesTime[], raised: number): Promise<FoldedPoints> {
    return this.#ask({ chunks, staying, raised })
  }

  /** Ends the thread. The next work starts another one. */
  async close(): Promise<void> {
    clearTimeout(this.#rest)
    const worker = this.#worker
    if (this.#waiting.size === 0) this.#worker = null
    await worker?.terminate()
  }

  #ask(work: FoldWork): Promise<FoldedPoints> {
    const worker = (this.#worker ??= this.#start())
    const id = ++this.#asked
    return new Promise((resolve, reject) => {
      // It throws if there is no memory for a copy.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage({ id, work })
      clearTimeout(this.#rest)
      this.#waiting.set(id, { resolve, reject })
      // The process must stay alive while the thread works.
      worker.ref()
    })
  }

  #start(): Worker {
    const worker = startThread(new URL('./fold-worker.ts', import.meta.url), {
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
    })
    worker.on('message', ({ id, folded, error, damaged }: FoldAnswer) => {
      const asked = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (this.#waiting.size === 0) this.#letRest(worker)
      if (folded !== undefined) asked?.resolve(folded)
      else if (damaged !== undefined) asked?.reject(new DamagedPoints(damaged))
      else asked?.reject(error ?? new Error('the thread gave no answer'))
    })
    worker.on('error', (error: Error) => this.#fail(worker, error))
    worker.on('exit', () => this.#fail(worker, new Error('the thread that folds points has ended')))
    this.#letRest(worker)
    return worker
  }

  #letRest(worker: Worker): void {
    worker.unref()
    clearTimeout(this.#rest)
    this.#rest = setTimeout(() => void this.close(), RESTS_MS).unref()
  }

  #fail(worker: Worker, error: Error): void {
    // A thread that fails also ends. The next thread may already be working then.
    if (this.#worker !== worker) return
    this.#worker = null
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
