import type { Context, MiddlewareHandler } from 'hono'
import type { AppEnv } from '../app-env.ts'

/** Is told of each request that is answered, with the time that it took. */
export type Observer = (context: Context<AppEnv>, milliseconds: number) => void

export function observed(observers: readonly Observer[], now: () => number): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const begin = now()
    await next()
    const milliseconds = now() - begin
    for (const observe of observers) observe(context, milliseconds)
  }
}
