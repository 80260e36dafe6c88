import type { Hono } from 'hono'
import { SHARED_CALLBACK } from '../../../platform/access/methods/callback.ts'
import type { AppEnv } from '../../app-env.ts'
import { withFailurePage } from '../failure-page.ts'
import type { LoginPorts } from '../login-ports.ts'

const load = () => import('./external-sign-in.ts')

/** The routes to another provider and back. Their code is loaded on first use. */
export function externalRoutes(app: Hono<AppEnv>, ports: LoginPorts): void {
  app.get(
    '/login/external',
    withFailurePage(ports, async (...request) => (await load()).leave(...request)),
  )
  for (const path of [SHARED_CALLBACK, `${SHARED_CALLBACK}/:method`] as const) {
    app.get(
      path,
      withFailurePage(ports, async (...request) => (await load()).comeBack(...request)),
    )
  }
}
