import type { Hono } from 'hono'
import type { AppEnv } from '../app-env.ts'
import { ERRORS_PATH } from '../requests/error-kinds.ts'

/** Serves the page to which the `type` of a problem leads. No token, domain or database: each may be the problem. */
export function errorsRoute(app: Hono<AppEnv>): void {
  app.get(ERRORS_PATH, async () => (await import('./errors-page.ts')).errorsPage())
}
