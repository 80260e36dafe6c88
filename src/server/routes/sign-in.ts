import type { Context, Hono } from 'hono'
import type { AccessContext } from '../../platform/access/access-context.ts'
import type { AppEnv } from '../app-env.ts'
import { madeKeyLog } from '../access-log.ts'
import { accessContext } from '../request-context.ts'
import type { AddressOf } from '../middleware/observed.ts'
import type { Logger } from '../logger.ts'
import { LOGIN_PATHS, loginRoutes } from '../login/login-routes.ts'
import { sameBrowser } from '../login/open-interaction.ts'
import { Throttle } from '../login/guard/throttle.ts'
import { issuerFor } from '../oidc/issuer.ts'
import type { Platform } from '../platform.ts'
import type { PageServices } from '../page-services.ts'
import { OIDC_PATHS, oidcRoutes, requestStateOf, RESUME_PATH, type OidcPorts } from './oidc.ts'

export interface SignInRouteOptions {
  readonly platform: () => Platform
  readonly logger: Logger
  readonly addressOf: AddressOf
}

/** The services that other routes need as well. */
type SignInServices = OidcPorts & Pick<PageServices, 'issuer' | 'requestState'>

/** The paths without variable parts, with their methods in the form of an Allow header. */
export const SIGN_IN_PATHS: readonly (readonly [path: string, allow: string])[] = Object.entries({
  ...OIDC_PATHS,
  ...LOGIN_PATHS,
}).map(([path, methods]) => [path, (path === '/authenticate' ? [...methods, 'POST'] : methods).join(', ')])

/** The routes for signing in: the OpenID provider and the pages for people. */
export function signInRoutes(app: Hono<AppEnv>, options: SignInRouteOptions): SignInServices {
  const { platform, logger, addressOf } = options
  const ports = {
    logger,
    throttle: new Throttle(() => performance.now()),
    access: (context: Context<AppEnv>) => noted(accessContext(platform(), context.get('domain')), logger),
    issuer: (context: Context<AppEnv>) => issuerFor(context, platform()),
    provider: (context: Context<AppEnv>) => providerFor(context, platform(), logger),
    clientAddress: ({ env, req }: Context<AppEnv>) =>
      addressOf(env.incoming?.socket.remoteAddress, req.header('x-forwarded-for')),
  }
  app.get(RESUME_PATH, sameBrowser(ports))
  oidcRoutes(app, ports)
  loginRoutes(app, ports)
  return { ...ports, requestState: (context) => requestStateOf(context, ports) }
}

/** Returns the OpenID provider for the domain of a request, with the address that the request used. */
async function providerFor(context: Context<AppEnv>, platform: Platform, logger: Logger) {
  const { providerOf } = await import('../oidc/provider.ts')
  return providerOf(noted(accessContext(platform, context.get('domain')), logger), issuerFor(context, platform))
}

function noted(access: AccessContext, logger: Logger): AccessContext {
  return { ...access, noteMadeKey: madeKeyLog(logger, access.domain) }
}
