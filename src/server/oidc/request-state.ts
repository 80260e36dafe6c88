import type { IncomingMessage } from 'node:http'
import type { Logger } from '../logger.ts'
import type { Throttle } from '../login/guard/throttle.ts'

/** The data of one request while oidc-provider handles it. */
export interface RequestState {
  readonly traceId: string
  readonly arrivedAt: Date
  readonly logger: Logger
  readonly throttle: Throttle
  /** The address of the client, or the nearest address that can be trusted. */
  readonly address: string
}

const states = new WeakMap<IncomingMessage, RequestState>()

export function keepState(request: IncomingMessage, state: RequestState): void {
  states.set(request, state)
}

export function stateOf({ req }: { readonly req: IncomingMessage }): RequestState {
  const state = states.get(req)
  if (state === undefined) throw new Error('a request reached oidc-provider without its route')
  return state
}
