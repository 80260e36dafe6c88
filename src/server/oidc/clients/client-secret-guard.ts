import { Provider } from 'oidc-provider'
import type { AccessContext } from '../../../platform/access/access-context.ts'
import { checkClientSecret } from '../../../platform/access/clients/clients.ts'
import {
  comesFromKnownPlace,
  countAttempt,
  countKnownFailure,
  noteSuccess,
  waitFor,
  waitOfKnown,
  type Guess,
} from '../../../platform/access/sessions/guessing.ts'
import { networkOf, wideNetworkOf } from '../../login/guard/network.ts'
import { stateOf } from '../request-state.ts'
import { tooMany } from '../answers/failures.ts'
import { recentlyUsed } from '../../../lib/recently-used.ts'

const REMEMBERED_MS = 3_600_000
const MOST_REMEMBERED = 10_000

/** The places where an application has signed in, looked up once an hour, unless a secret is wrong. */
const known = recentlyUsed<true>(MOST_REMEMBERED, REMEMBERED_MS)

/** Tells whether this is the secret of an ACTIVATED application consumer. It throws after too many wrong ones. */
export async function guardedClientSecret(access: AccessContext, clientId: string, secret: string): Promise<boolean> {
  const context = Provider.ctx
  if (context === undefined) return false
  const guess = guessOf(clientId, stateOf(context).address)
  const name = JSON.stringify([access.domain.uuid, clientId, guess.network])
  const isKnown = known.has(name) || (await comesFromKnownPlace(access, guess))
  const wait = isKnown ? 0 : await waitFor(access, guess)
  if (wait > 0) throw tooMany(context, wait, WHAT)
  const isRight = await checkClientSecret(access, clientId, secret)
  if (isRight && !known.has(name)) {
    await noteSuccess(access, guess, { isKnown })
    known.set(name, true)
  }
  if (!isRight) await countWrong(access, guess, { isKnown, context })
  return isRight
}

/**
 * Counts a wrong secret after the check, because a server may send a hundred requests at once. At a known place, one
 * server of the application may repeat an old secret without pause, and its other servers must not wait for that. So a
 * known place always accepts the right secret, and only wrong ones have to wait.
 */
async function countWrong(
  access: AccessContext,
  guess: Guess,
  { isKnown, context }: { readonly isKnown: boolean; readonly context: Parameters<typeof tooMany>[0] },
): Promise<void> {
  const wait = isKnown ? await waitOfKnown(access, guess) : (await countAttempt(access, guess)).seconds
  if (wait > 0) throw tooMany(context, wait, WHAT)
  if (isKnown) await countKnownFailure(access, guess)
}

function guessOf(name: string, address: string): Guess {
  return { of: 'client secret', name, network: networkOf(address), wideNetwork: wideNetworkOf(address) }
}

const WHAT = 'wrong client secrets'
