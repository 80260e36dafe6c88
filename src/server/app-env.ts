import type { HttpBindings } from '@hono/node-server'
import type { Domain } from '../store/domains.ts'
import type { Actor } from '../platform/access/grants/actor.ts'

/** What Hono carries along with a request. */
export interface AppEnv {
  /** Empty where the app is called inside of a process, without a socket. */
  Bindings: Partial<HttpBindings>
  Variables: {
    traceId: string
    domain: Domain
    /** When the bearer token was looked up; of `performance.now()`. */
    identifiedAt: number
    /** On whose behalf, as the bearer token says. */
    caller: Actor
    /** The same, bound to where they have the right that the route needs. */
    actor: Actor
  }
}
