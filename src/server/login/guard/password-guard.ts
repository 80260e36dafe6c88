import type { AccessContext } from '../../../platform/access/access-context.ts'
import { checkPassword, type PasswordSignIn } from '../../../platform/access/accounts/accounts.ts'
import {
  comesFromKnownPlace,
  countAttempt,
  countKnownFailure,
  noteSuccess,
  waitOfKnown,
  type Guess,
} from '../../../platform/access/sessions/guessing.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { Semaphore } from '../../../platform/semaphore.ts'
import { networkOf, wideNetworkOf } from './network.ts'
import { loginOf, type Attempt, type Throttle } from './throttle.ts'

/** The result of an attempt to sign in by password. */
export type PasswordAttempt =
  | { readonly state: 'right'; readonly account: PasswordSignIn }
  | { readonly state: 'wrong' }
  | { readonly state: 'throttled'; readonly retryAfterSeconds: number }

/**
 * The number of strangers' attempts that are checked at once, so that a flood of them leaves the database to others.
 */
const strangers = new Semaphore(4)
/** Further attempts are refused and should be repeated. */
const MOST_WAITING = 256

/**
 * Checks a password, unless there were too many wrong ones, first by the memory of this process and then by the
 * counts of all processes. The answer is the same for accounts that do not exist.
 */
export async function guardedPassword(
  access: AccessContext,
  throttle: Throttle,
  attempt: Attempt,
  password: string,
): Promise<PasswordAttempt> {
  const { allowed, retryAfterSeconds } = throttle.attempt(attempt)
  if (!allowed) return { state: 'throttled', retryAfterSeconds }
  const guess = guessOf(attempt)
  const look = (isKnown: boolean) => lookAt(access, { throttle, attempt, guess, password, isKnown })
  if (throttle.knows(attempt)) return look(true)
  if (strangers.waiting >= MOST_WAITING)
    throw new HoldfastError('UNAVAILABLE', 'too many are signing in at once; try again in a moment')
  return strangers.run(async () => look(await comesFromKnownPlace(access, guess)))
}

interface Looked {
  readonly throttle: Throttle
  readonly attempt: Attempt
  readonly guess: Guess
  readonly password: string
  readonly isKnown: boolean
}

async function lookAt(access: AccessContext, looked: Looked): Promise<PasswordAttempt> {
  const { throttle, attempt, guess, password, isKnown } = looked
  const retryAfterSeconds = await (isKnown ? waitOfKnown(access, guess) : countAttempt(access, guess))
  if (retryAfterSeconds > 0) return { state: 'throttled', retryAfterSeconds }
  const account = await checkPassword(access, attempt.login, password, { isKnown })
  if (account === null) {
    if (isKnown) await countKnownFailure(access, guess)
    return { state: 'wrong' }
  }
  throttle.succeeded(attempt)
  await noteSuccess(access, guess, { isKnown })
  return { state: 'right', account }
}

/** The guess for the counts. A browser that signed in before counts as a place of its own, wherever it is now. */
function guessOf(attempt: Attempt): Guess {
  const { address, device } = attempt
  return {
    of: 'password',
    name: loginOf(attempt),
    network: device === null ? networkOf(address) : `device ${device}`,
    wideNetwork: wideNetworkOf(address),
  }
}
