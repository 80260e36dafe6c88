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

/** Limits the strangers' attempts that are checked at once, so that a flood of them spares the database. */
const strangers = new Semaphore(4)
/** The maximum number of attempts that wait. More are rejected, and clients should try again. */
const MOST_WAITING = 256

/** Limits the look-ups of places at once. They are cheap, and come before the queue of strangers. */
const places = new Semaphore(4)

/**
 * Checks a password, unless all processes together have counted too many wrong ones. It first looks up whether the
 * account has signed in from this place. So a known owner never waits for strangers, not even after a restart. The
 * answer is the same for accounts that do not exist.
 */
export async function guardedPassword(
  access: AccessContext,
  throttle: Throttle,
  attempt: Attempt,
  password: string,
): Promise<PasswordAttempt> {
  const looked = { throttle, attempt, guess: guessOf(attempt), password }
  if (throttle.knows(attempt)) return lookAtKnown(access, looked)
  const wait = throttle.waitOfPlace(attempt)
  if (wait > 0) return throttled(wait)
  if (await places.run(() => comesFromKnownPlace(access, looked.guess))) {
    throttle.remember(attempt)
    return lookAtKnown(access, looked)
  }
  const networkWait = throttle.waitOfNetwork(attempt)
  if (networkWait > 0) return throttled(networkWait)
  if (strangers.waiting >= MOST_WAITING)
    throw new HoldfastError('UNAVAILABLE', 'too many are signing in at once; try again in a moment')
  return strangers.run(() => lookAtStranger(access, looked))
}

interface Looked {
  readonly throttle: Throttle
  readonly attempt: Attempt
  readonly guess: Guess
  readonly password: string
}

async function lookAtKnown(access: AccessContext, looked: Looked): Promise<PasswordAttempt> {
  const { throttle, attempt, guess } = looked
  const done = await throttle.runKnown(attempt, async () => {
    const seconds = await waitOfKnown(access, guess)
    if (seconds > 0) return throttled(seconds)
    const answer = await answerTo(access, looked, true)
    if (answer.state === 'wrong') {
      throttle.noteWrong(attempt)
      await countKnownFailure(access, guess)
    }
    return answer
  })
  return done ?? throttled(1)
}

async function lookAtStranger(access: AccessContext, looked: Looked): Promise<PasswordAttempt> {
  const { throttle, attempt, guess } = looked
  const wait = await countAttempt(access, guess)
  if (wait.seconds === 0) return answerTo(access, looked, false)
  throttle.refuse(attempt, wait)
  return throttled(wait.seconds)
}

async function answerTo(
  access: AccessContext,
  { throttle, attempt, guess, password }: Looked,
  isKnown: boolean,
): Promise<PasswordAttempt> {
  const account = await checkPassword(access, attempt.login, password, { isKnown })
  if (account === null) return { state: 'wrong' }
  throttle.remember(attempt)
  await noteSuccess(access, guess, { isKnown })
  return { state: 'right', account }
}

function throttled(retryAfterSeconds: number): PasswordAttempt {
  return { state: 'throttled', retryAfterSeconds }
}

/** Returns the key of the attempt for the counts. A known browser counts as its own place, wherever it is now. */
function guessOf(attempt: Attempt): Guess {
  const { address, device } = attempt
  return {
    of: 'password',
    name: loginOf(attempt),
    network: device === null ? networkOf(address) : `device ${device}`,
    wideNetwork: wideNetworkOf(address),
  }
}
