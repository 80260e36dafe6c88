import type { Right } from '../auth/scopes.ts'
import type { Streams } from '../server/graphql/subscriptions/subscriptions.ts'
import type { Visit } from './page.ts'

/**
 * A route that scripts of a page fetch: data, a file or a stream. Its right is checked in the same way as the right of
 * a page.
 */
export interface ConsoleRoute {
  readonly path: `/${string}`
  readonly right: Right
  /** Whether a role within an organization is enough, because the answer has only the person's organizations. */
  readonly keepsWithin: boolean
  /** Whether the route is a POST with the token that the forms of the session carry. Left out: a GET. */
  readonly isSent?: boolean
  answer(visit: RouteVisit): Promise<Response>
}

export interface RouteVisit extends Visit {
  /** Keeps the session alive while the person follows a stream. */
  noteInUse(): void
  /** Opens the streams that this connection serves. */
  streams(): Promise<Streams>
}

export function declareRoute(route: ConsoleRoute): ConsoleRoute {
  return route
}
