import type { Context } from 'hono'
import type Provider from 'oidc-provider'
import type { AccessContext } from '../../platform/access/access-context.ts'
import type { AppEnv } from '../app-env.ts'
import type { Logger } from '../logger.ts'
import type { Throttle } from './guard/throttle.ts'

export type RequestContext = Context<AppEnv>

/** The parts of the server that the login pages use. */
export interface LoginPorts {
  access(request: RequestContext): AccessContext
  /** The OpenID provider of the request's domain and issuer. */
  provider(request: RequestContext): Promise<Provider>
  /** The address that the request really came from. It does not trust headers that anybody can set. */
  clientAddress(request: RequestContext): string
  readonly throttle: Throttle
  readonly logger: Logger
}
