import type { Hono } from 'hono'
import type { AppEnv } from '../app-env.ts'
import { fontRoutes } from '../fonts/fonts.ts'
import type { LoginPorts } from './login-ports.ts'
import { passwordRoutes } from './password-routes.ts'
import { signInRoutes } from './sign-in-routes.ts'
import { SHARED_CALLBACK } from '../../platform/access/methods/callback.ts'
import { withFailurePage } from './failure-page.ts'

/** All pages of the login UI with their methods. */
export const LOGIN_PATHS: { readonly [path: string]: readonly string[] } = {
  '/login': ['GET', 'POST'],
  '/login/external': ['GET'],
  '/login/callback': ['GET'],
  '/login/password': ['GET', 'POST'],
}

/** The pages for signing in. They need no script. */
export function loginRoutes(app: Hono<AppEnv>, ports: LoginPorts): void {
  fontRoutes(app)
  signInRoutes(app, ports)
  externalRoutes(app, ports)
  passwordRoutes(app, ports)
}

const external = () => import('./external/external-sign-in.ts')

/** The routes to another provider and back. Their code is loaded on first use. */
function externalRoutes(app: Hono<AppEnv>, ports: LoginPorts): void {
  app.get(
    '/login/external',
    withFailurePage(ports, async (...request) => (await external()).leave(...request)),
  )
  for (const path of [SHARED_CALLBACK, `${SHARED_CALLBACK}/:method`] as const) {
    app.get(
      path,
      withFailurePage(ports, async (...request) => (await external()).comeBack(...request)),
    )
  }
}
