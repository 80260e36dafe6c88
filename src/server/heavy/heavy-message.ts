import type { ErrorCode } from '../../lib/errors.ts'
import type { Actor } from '../../platform/access/grants/actor.ts'
import type { ApplyOutcome } from '../../platform/imports/applying/apply-outcome.ts'
import type { Topic } from '../../platform/change-signals.ts'
import type { ImportOrder } from '../import/import-order.ts'
import type { PagesOrder } from '../import/plan-for-pages.ts'
import type { ConnectionLoad } from '../../db/sql.ts'
import type { Domain } from '../../store/domains.ts'

// The messages between the thread that answers heavy requests and the thread that owns the sockets.

/** The settings with which the thread opens the platform. */
export interface HeavySetup {
  readonly databaseUrl: string
  /** The number of connections of the thread to the database, and the name of their sessions. */
  readonly maxConnections: number
  readonly name: string
  readonly key: Uint8Array
  readonly allowedIssuers: readonly string[]
}

/** The request of an actor: an import document with its order, a plan for a page, or a GraphQL request. */
export interface HeavyRequest {
  readonly body: Uint8Array
  readonly domain: Domain
  readonly actor: Actor
  /** The hash of the request's access token. */
  readonly tokenHash: Uint8Array
  readonly traceId: string
  /** The time when the request arrived, before it waited for the thread. */
  readonly at: Date
  readonly accept?: string | undefined
  readonly order?: ImportOrder
  /** The order of a plan for a page. */
  readonly pages?: PagesOrder
}

/** A message to the thread. */
export type HeavyOrder =
  | { readonly id: number; readonly request: HeavyRequest }
  /** The client of this request has disconnected. */
  | { readonly left: number }
  | 'end'

export interface HeavyAnswer {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: ArrayBuffer
}

/** An HttpError as a message. */
export interface HeavyRefusal {
  readonly code: ErrorCode
  readonly status: number
  readonly title: string
  readonly message: string
  readonly headers: { readonly [name: string]: string }
}

/** Another HoldfastError as a message. */
export interface HeavyFailure {
  readonly code: ErrorCode
  readonly message: string
  readonly details: readonly unknown[]
}

/** The load of the thread: sent once a second, and with each answer. */
export interface HeavyLoad {
  readonly heapBytes: number
  /** Absent until the thread has opened its database. */
  readonly connections?: ConnectionLoad
}

/** A message from the thread. */
export type HeavyReport =
  | { readonly id: number; readonly answer: HeavyAnswer }
  | { readonly id: number; readonly refusal: HeavyRefusal }
  | { readonly id: number; readonly refused: HeavyFailure }
  | { readonly id: number; readonly failure: Error }
  | { readonly load: HeavyLoad }
  | { readonly changed: { readonly domainId: number; readonly topic: Topic } }
  | { readonly applied: ApplyOutcome }
  | { readonly logged: { readonly level: 'info' | 'error'; readonly fields: object; readonly message: string } }
