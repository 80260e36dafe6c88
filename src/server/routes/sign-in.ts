import type { Context, Hono } from 'hono'
import type { AppEnv } from '../app-env.ts'
import { accessContext } from '../access-context.ts'
import { clientAddress, proxyList } from '../requests/client-address.ts'
import type { Logger } from '../process/logger.ts'
import { LOGIN_PATHS, loginRoutes } from '../login/login-routes.ts'
import { sameBrowser } from '../login/same-browser.ts'
import { Throttle } from '../login/guard/throttle.ts'
import { issuerOf } from '../oidc/issuer.ts'
import type { Platform } from '../process/platform.ts'
import { OIDC_PATHS, oidcRoutes, RESUME_PATH } from './oidc.ts'

export interface SignInRouteOptions {
  readonly platform: () => Platform
  readonly logger: Logger
  readonly trustedProxies: readonly string[]
}

/** The paths of fixed name and the methods that they have, as an Allow header says them. */
export const SIGN_IN_PATHS: readonly (readonly [path: string, allow: string])[] = Object.entries({
  ...OIDC_PATHS,
  ...LOGIN_PATHS,
}).map(([path, methods]) => [path, (path === '/authenticate' ? [...methods, 'POST'] : methods).join(', ')])

/** Everything by which somebody signs in: the OpenID provider and the pages for people. */
export function signInRoutes(app: Hono<AppEnv>, options: SignInRouteOptions): void {
  const { platform, logger } = options
  const trusted = proxyList(options.trustedProxies)
  const ports = {
    logger,
    throttle: new Throttle(() => performance.now()),
    access: (context: Context<AppEnv>) => accessContext(platform(), context.get('domain')),
    provider: (context: Context<AppEnv>) => providerFor(context, platform()),
    clientAddress: ({ env, req }: Context<AppEnv>) =>
      clientAddress(env.incoming?.socket.remoteAddress, req.header('x-forwarded-for'), trusted),
  }
  app.get(RESUME_PATH, sameBrowser(ports))
  oidcRoutes(app, ports)
  loginRoutes(app, ports)
}

/** The provider that a request is for: its domain's, under the address by which it came. */
async function providerFor(context: Context<AppEnv>, platform: Platform) {
  const { providerOf } = await import('../oidc/provider.ts')
  const domain = context.get('domain')
  const host = context.req.header('host') ?? new URL(context.req.url).host
  return providerOf(accessContext(platform, domain), issuerOf(platform.baseUrl, domain, host))
}
