import type { Right } from '../auth/scopes.ts'
import type { Streams } from '../server/graphql/subscriptions/subscriptions.ts'
import type { Visit } from './page.ts'

/** Something that a page of the console asks for: data, a file, a stream. Its right is checked like that of a page. */
export interface ConsoleRoute {
  readonly path: `/${string}`
  readonly right: Right
  /** Whether a role within an organization is enough, because nothing outside of it is answered. */
  readonly keepsWithin: boolean
  answer(visit: RouteVisit): Promise<Response>
}

export interface RouteVisit extends Visit {
  /** The session goes on while somebody follows what it has asked for. */
  noteInUse(): void
  /** Opens streams that this request's connection answers. */
  streams(): Promise<Streams>
}

export function declareRoute(route: ConsoleRoute): ConsoleRoute {
  return route
}
