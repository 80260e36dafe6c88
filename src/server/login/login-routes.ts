import type { Hono } from 'hono'
import type { AppEnv } from '../app-env.ts'
import { fontRoutes } from '../fonts/fonts.ts'
import { externalRoutes } from './external/external-routes.ts'
import type { LoginPorts } from './login-ports.ts'
import { passwordRoutes } from './password-routes.ts'
import { signInRoutes } from './sign-in-routes.ts'

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
