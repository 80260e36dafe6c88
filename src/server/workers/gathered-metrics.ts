import type { Worker } from 'node:cluster'
import { type Family, counter, gauge, joined } from '../metrics/exposition.ts'
import { sendTo } from './messages.ts'

/** A worker that does not answer within this time is left out, so graphs show a gap. */
const PATIENCE_MS = 2_000

/** The metrics of all workers, each with the label `worker`, and the number of workers. */
export class GatheredMetrics {
  readonly #waiting = new Map<number, (families: readonly Family[]) => void>()
  #asked = 0
  /** The number of workers that replaced others. */
  restarts = 0

  /** Sends the metrics of all workers to the worker that asks. */
  async answer(asking: Worker, id: number, workers: readonly Worker[]): Promise<void> {
    const reports = await Promise.all(workers.map((worker) => this.#ask(worker)))
    const own = [
      gauge('holdfast_workers', 'Workers that take requests.', workers.length),
      counter('holdfast_worker_restarts_total', 'Workers that were started because one had died.', this.restarts),
    ]
    sendTo(asking, { kind: 'metrics', id, families: joined([...own, ...reports.flat()]) })
  }

  /** Takes the report of a worker. */
  settle(id: number, families: readonly Family[]): void {
    this.#waiting.get(id)?.(families)
  }

  async #ask(worker: Worker): Promise<readonly Family[]> {
    this.#asked += 1
    const id = this.#asked
    const { promise, resolve } = Promise.withResolvers<readonly Family[]>()
    const timer = setTimeout(resolve, PATIENCE_MS, [])
    this.#waiting.set(id, resolve)
    sendTo(worker, { kind: 'report', id })
    const families = await promise
    clearTimeout(timer)
    this.#waiting.delete(id)
    return families
  }
}
