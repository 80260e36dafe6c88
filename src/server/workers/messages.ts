import type { Worker } from 'node:cluster'
import type { ErrorCode } from '../../lib/errors.ts'
import type { Family } from '../metrics/exposition.ts'

// The messages between the workers of a server and the process that started them.

export type ToWorker =
  | { readonly kind: 'stop' }
  /** Asks for the worker's own metrics. */
  | { readonly kind: 'report'; readonly id: number }
  /** The metrics of all workers, for the one that asked. */
  | { readonly kind: 'metrics'; readonly id: number; readonly families: readonly Family[] }

export type FromWorker =
  | { readonly kind: 'told'; readonly text: string }
  | { readonly kind: 'ready' }
  /** It could not start, and ends. */
  | {
      readonly kind: 'failed'
      readonly code: ErrorCode
      readonly message: string
      readonly details: readonly unknown[]
    }
  | { readonly kind: 'reported'; readonly id: number; readonly families: readonly Family[] }
  /** Asks for the metrics of all workers. */
  | { readonly kind: 'gather'; readonly id: number }

/** The place of a worker among those of a server, from 1 on. A worker that is started for another one has its place. */
export const PLACE_VARIABLE = 'HOLDFAST_WORKER'

/** Set for a worker that is started while others take requests, or after one that already did. */
export const BESIDE_VARIABLE = 'HOLDFAST_BESIDE_WORKERS'

export function sendTo(worker: Worker, message: ToWorker): void {
  // A worker that has just died is noticed by its exit.
  if (worker.isConnected()) worker.send(message, () => undefined)
}
