import type { HttpBindings } from '@hono/node-server'
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
  }
}
