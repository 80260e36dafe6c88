import { createHmac } from 'node:crypto'
import type { AccessContext } from '../../platform/access/access-context.ts'
import type { Logger } from '../logger.ts'
import { shownNetworkOf } from './guard/network.ts'
import type { PasswordAttempt } from './guard/password-guard.ts'
import { loginOf, type Attempt } from './guard/throttle.ts'

export interface Outcome {
  readonly outcome: 'succeeded' | 'failed' | 'throttled'
  /** The uuid of the account that signed in. */
  readonly account: string | null
}

export interface SignInByPassword extends Outcome {
  readonly traceId: string
  readonly attempt: Attempt
}

export function outcomeOf(done: PasswordAttempt): Outcome {
  if (done.state === 'right') return { outcome: 'succeeded', account: done.account.uuid }
  return { outcome: done.state === 'wrong' ? 'failed' : 'throttled', account: null }
}

/** An attempt to sign in at another provider, or with a token of one. */
export interface SignInAtProvider extends Outcome {
  readonly traceId: string
  /** The uuid of the authentication method; null if the token belongs to none. */
  readonly authenticationMethod: string | null
  readonly address: string
  /** The client_id of the application that sent a token; null in the login UI. */
  readonly clientId: string | null
}

/** Logs each attempt to sign in at another provider. It omits the name, which only the provider vouches for. */
export function logProviderSignIn(
  logger: Logger,
  { domain }: Pick<AccessContext, 'domain'>,
  { address, ...attempt }: SignInAtProvider,
): void {
  const fields = { domain: domain.slug, method: 'provider', ...attempt, network: shownNetworkOf(address) }
  logger.info(fields, 'sign-in')
}

/**
 * Logs each attempt to sign in by password. People sometimes type a password as the login, so the log has a keyed hash
 * of the login. It is equal for all attempts on one account, and useless without the platform's key.
 */
export function logSignIn(
  logger: Logger,
  { domain, key }: Pick<AccessContext, 'domain' | 'key'>,
  { traceId, attempt, outcome, account }: SignInByPassword,
): void {
  const login = createHmac('sha256', key.derive(`holdfast sign-in log ${domain.uuid}`))
    .update(loginOf(attempt))
    .digest('base64url')
    .slice(0, 22)
  logger.info(
    {
      traceId,
      domain: domain.slug,
      method: 'password',
      outcome,
      account,
      loginHash: login,
      network: shownNetworkOf(attempt.address),
      clientId: attempt.clientId,
    },
    'sign-in',
  )
}
