import { seeOther } from '../../see-other.ts'
import { AuthorizationResponseError } from 'openid-client'
import { HoldfastError } from '../../../lib/errors.ts'
import type { Account } from '../../../platform/access/accounts/account.ts'
import { personOfIdentity } from '../../../platform/access/delegated/identity/external-identity.ts'
import { authenticationOf, StaleAuthentication } from '../../../platform/access/delegated/provider/authentication.ts'
import { audienceOf } from '../../../platform/access/delegated/provider/provider-claims.ts'
import { UnreachableError } from '../../../platform/access/delegated/provider/guarded-fetch.ts'
import { callbackOf } from '../../../platform/access/methods/callback.ts'
import {
  findMethod,
  listLoginMethods,
  listMethods,
  type DelegatedMethod,
} from '../../../platform/access/methods/methods.ts'
import { identityStamp } from '../../../platform/access/sessions/security-stamp.ts'
import { errorFields } from '../../logger.ts'
import {
  finishExternalLogin,
  findPending,
  startExternalLogin,
  usePending,
  type PendingLogin,
} from './external-login.ts'
import type { LoginPorts, RequestContext } from '../login-ports.ts'
import { endSignIn, notOpen, openInteraction, type OpenInteraction } from '../open-interaction.ts'
import type { ProblemWord } from '../problem-text.ts'
import { logProviderSignIn, type Outcome } from '../sign-in-log.ts'

// These handlers take the browser to another provider and back.

/** Sends the browser to the chosen provider. */
export async function leave(ports: LoginPorts, request: RequestContext): Promise<Response> {
  const open = await openInteraction(ports, request, request.req.query('interaction'))
  if (open === null || open.interaction.prompt.name !== 'login') return notOpen(new URLSearchParams())
  const wanted = request.req.query('method')
  const method = (await listLoginMethods(open.access)).find(({ uuid }) => uuid === wanted)
  return method?.kind === 'openid-delegated' ? goTo(ports, request, open, method) : backToLogin(open, 'inactive')
}

/** Sends the browser to the provider of a method. If that fails, the login page shows the problem. */
export async function goTo(
  { logger }: LoginPorts,
  request: RequestContext,
  open: OpenInteraction,
  method: DelegatedMethod,
): Promise<Response> {
  const { access, provider, interaction } = open
  try {
    return seeOther(await startExternalLogin(access, method, interaction, provider.issuer))
  } catch (error) {
    logger.error({ traceId: request.get('traceId'), method: method.uuid, ...errorFields(error) }, 'external sign-in')
    return backToLogin(open, problemOf(error))
  }
}

/**
 * Handles the return from the provider. The answer counts only once, in the browser that left, and at the callback path
 * of the provider to which it was sent.
 */
export async function comeBack(ports: LoginPorts, request: RequestContext): Promise<Response> {
  const state = request.req.query('state') ?? ''
  const access = ports.access(request)
  const pending = await findPending(access, state)
  const open = pending === null ? null : await openInteraction(ports, request, pending.interaction)
  if (pending === null || open === null || !(await usePending(access, state))) return notOpen(new URLSearchParams())
  const method = await findMethod(access, pending.method)
  if (method?.kind !== 'openid-delegated' || method.status !== 'ACTIVATED') return backToLogin(open, 'inactive')
  const log = (outcome: Outcome): void => {
    const [traceId, address] = [request.get('traceId'), ports.clientAddress(request)]
    const attempt = { ...outcome, traceId, address, authenticationMethod: method.uuid, clientId: null }
    logProviderSignIn(ports.logger, access, attempt)
  }
  try {
    const { account, answer } = await signIn(request, open, { method, pending, state })
    log({ outcome: 'succeeded', account: account.uuid })
    return answer
  } catch (error) {
    log({ outcome: 'failed', account: null })
    ports.logger.error(
      { traceId: request.get('traceId'), method: method.uuid, ...errorFields(error) },
      'external sign-in',
    )
    return backToLogin(open, problemOf(error))
  }
}

async function signIn(
  request: RequestContext,
  open: OpenInteraction,
  { method, pending, state }: { method: DelegatedMethod; pending: PendingLogin; state: string },
): Promise<{ readonly account: Account; readonly answer: Response }> {
  const { access } = open
  const url = await answeredAt(request, open, { method, pending })
  const claims = await finishExternalLogin(access, method, { pending, url, state })
  audienceOf(claims, [method.configuration.clientId], access.now())
  const authentication = authenticationOf(claims, pending.demanded, access.now())
  const { account, identity, rule } = await personOfIdentity(access, method, claims)
  const stamp = identityStamp(method, identity)
  await leaveEndedSession(open)
  const signedIn = { rule, at: Math.floor(access.now().getTime() / 1_000), authentication }
  const answer = await endSignIn(open, account, { methodUuid: method.uuid, stamp, provider: signedIn })
  return { account, answer }
}

/**
 * Removes the browser's session from the interaction if this sign-in has ended it, because another rule applied.
 * Otherwise oidc-provider would refuse to continue without that session.
 */
async function leaveEndedSession({ provider, interaction }: OpenInteraction): Promise<void> {
  const uid = interaction.session?.uid
  if (uid !== undefined && (await provider.Session.findByUid(uid)) === undefined) interaction.session = undefined
}

/**
 * Returns the address at which the answer arrived. It must be the callback address of the provider to which the browser
 * was sent. Otherwise another provider has answered, and its code must not be sent to this one (RFC 9700, section 4.4).
 */
async function answeredAt(
  request: RequestContext,
  { access, provider }: OpenInteraction,
  { method, pending }: { readonly method: DelegatedMethod; readonly pending: PendingLogin },
): Promise<URL> {
  const { pathname, search } = new URL(request.req.url)
  const callback = callbackOf(method, await listMethods(access))
  if (pathname === pending.callback && pathname === callback) return new URL(callback + search, provider.issuer)
  throw new Error(`the answer came to ${pathname}, and ${callback} is the redirect path of ${method.name}`)
}

function backToLogin({ url }: OpenInteraction, problem: ProblemWord): Response {
  return seeOther(`${url}&problem=${problem}`)
}

function problemOf(error: unknown): ProblemWord {
  if (error instanceof AuthorizationResponseError) return error.error === 'access_denied' ? 'denied' : 'failed'
  if (isUnreachable(error)) return 'unreachable'
  if (error instanceof StaleAuthentication) return 'stale'
  return error instanceof HoldfastError && error.code !== 'INTERNAL' ? 'refused' : 'failed'
}

/** Also checks the causes of the error, because openid-client wraps the errors of its fetch. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error instanceof UnreachableError || error.name === 'TimeoutError' || isUnreachable(error.cause)
}
