import type { Hono } from 'hono'
import type { AppEnv } from '../app-env.ts'
import { HttpError } from './error-response.ts'

/** Refuses other methods of a path that exists. It comes after the routes, which answer all others. */
export function refuseOtherMethods(app: Hono<AppEnv>, path: string, allow: string): void {
  app.all(path, ({ req }) => {
    const message = `${req.method} is not possible here; use ${allow}`
    throw new HttpError('BAD_USER_INPUT', 405, 'Method not allowed', message, { allow })
  })
}
