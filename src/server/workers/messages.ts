import type { Worker } from 'node:cluster'
import type { ErrorCode } from '../../lib/errors.ts'
import type { Family } from '../metrics/exposition.ts'

// Messages between the workers of a server and the process that started them.

export type ToWorker =
  | { readonly kind: 'stop' }
  /** Asks for the worker's own metrics. */
  | { readonly kind: 'report'; readonly id: number }
  /** The metrics of all workers, for the worker that asked. */
  | { readonly kind: 'metrics'; readonly id: number; readonly families: readonly Family[] }

export type FromWorker =
  | { readonly kind: 'told'; readonly text: string }
  | { readonly kind: 'ready' }
  /** The worker could not start, and ends. */
  | {
      readonly kind: 'failed'
      readonly code: ErrorCode
      readonly message: string
      readonly details: readonly unknown[]
    }
  | { readonly kind: 'reported'; readonly id: number; readonly families: readonly Family[] }
  /** Asks for the metrics of all workers. */
  | { readonly kind: 'gather'; readonly id: number }

/** The number of a worker in its server, from 1. A replacement gets the number of the worker that it replaces. */
export const PLACE_VARIABLE = 'HOLDFAST_WORKER'

/** `yes` for a worker that is started while others take requests, or after one already did. */
export const BESIDE_VARIABLE = 'HOLDFAST_BESIDE_WORKERS'

export function sendTo(worker: Worker, message: ToWorker): void {
  // The exit event reports a worker that has just died.
  if (worker.isConnected()) worker.send(message, () => undefined)
}
