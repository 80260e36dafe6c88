import type { Context } from 'hono'
import type { AppEnv } from '../app-env.ts'

/**
 * Tells whether a client waits to be asked for its body (`Expect: 100-continue`, RFC 9110, section 10.1.1). A client
 * with HTTP/1.0 would mistake the question for the answer.
 */
export function waitsToBeAsked({ env: { incoming } }: Context<AppEnv>): boolean {
  return incoming?.httpVersion !== '1.0' && incoming?.headers['expect']?.toLowerCase() === '100-continue'
}

/** Asks for a body once its token, rights and announced length were checked, so that a refused body is never sent. */
export function askForBody(context: Context<AppEnv>): void {
  const { outgoing } = context.env
  if (waitsToBeAsked(context) && outgoing !== undefined && 'writeContinue' in outgoing) outgoing.writeContinue()
}
