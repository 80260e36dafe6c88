import type { Context } from 'hono'
import type { AppEnv } from '../app-env.ts'

/** Whether a client waits until it is asked for its body (`Expect: 100-continue`, RFC 9110, section 10.1.1). */
export function waitsToBeAsked({ env: { incoming } }: Context<AppEnv>): boolean {
  return incoming?.headers['expect']?.toLowerCase() === '100-continue'
}

/** A body is asked for once its token, rights and announced length were looked at: a refused one is never sent. */
export function askForBody(context: Context<AppEnv>): void {
  const { outgoing } = context.env
  if (waitsToBeAsked(context) && outgoing !== undefined && 'writeContinue' in outgoing) outgoing.writeContinue()
}
