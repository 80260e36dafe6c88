import type { HttpBindings } from '@hono/node-server'
import type { HoldfastError } from '../lib/errors.ts'
import type { Domain } from '../store/domains.ts'
import type { Actor } from '../platform/access/grants/actor.ts'

/** The variables that Hono carries along with a request. */
export interface AppEnv {
  /** Empty if the app is called within a process, without a socket. */
  Bindings: Partial<HttpBindings>
  Variables: {
    traceId: string
    domain: Domain
    /** The time when the bearer token was looked up, by `performance.now()`. */
    identifiedAt: number
    /** The actor that the bearer token identifies. */
    caller: Actor
    /** The same actor, restricted to the organizations in which it has the right that the route needs. */
    actor: Actor
    /** The person whom the session of the console identifies. */
    visitor: Actor
    /** Must be called before a change whose answer may be long (unread-answers.ts). */
    beginChange: (actor: Actor) => void
    /** Counts the messages of the stream that answers the request (unread-answers.ts). */
    holdMessages: (actor: Actor) => HoldMessage
  }
}

/** Counts a message until its client has read it. If too much is unread, it returns the error that ends the stream. */
export type HoldMessage = (bytes: number) => HoldfastError | null
