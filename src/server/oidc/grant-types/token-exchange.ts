import { errors, type Client, type TokenEndpointGrantContext } from 'oidc-provider'
import { commonScopes } from '../../../auth/scopes.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import type { AccessContext } from '../../../platform/access/access-context.ts'
import type { DelegatedSignIn } from '../../../platform/access/delegated/delegated-sign-in.ts'
import { signInDelegated } from '../../../platform/access/delegated/delegated.ts'
import { identityStamp } from '../../../platform/access/sessions/security-stamp.ts'
import { logProviderSignIn } from '../../login/sign-in-log.ts'
import { TOKEN_EXCHANGE } from '../clients/clients.ts'
import { stateOf } from '../request-state.ts'
import { plainText } from '../answers/failures.ts'
import { makeTokens, scopesOfClient, scopesToGive, type Allowed } from '../answers/token-answer.ts'

export const TOKEN_EXCHANGE_PARAMETERS = [
  'subject_token',
  'subject_token_type',
  'requested_token_type',
  'actor_token',
  'audience',
  'resource',
  'scope',
]

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
const SUBJECT_TYPES = [
  'urn:ietf:params:oauth:token-type:jwt',
  'urn:ietf:params:oauth:token-type:id_token',
  ACCESS_TOKEN,
]

interface Parameters {
  readonly subject_token?: string
  readonly subject_token_type?: string
  readonly requested_token_type?: string
  readonly actor_token?: string
  readonly audience?: string
  readonly resource?: string
}

/**
 * Exchanges a token of another provider for one of this platform (RFC 8693), which the specification (section 5) calls
 * an internal token. The client is a consumer that authenticates and whose scopes limit the token, or this platform's
 * client id at the provider. There is no refresh token, and the new token expires with the exchanged one, because only
 * that proves the person's identity.
 */
export function tokenExchangeGrant(access: AccessContext) {
  return async (context: TokenEndpointGrantContext<Parameters>): Promise<void> => {
    const { client, params } = context.oidc
    refuseOtherTargets(params, context.oidc.provider.issuer)
    const signedIn = await signIn(access, context, subjectToken(params))
    if (isOfMethod(client) && signedIn.method.configuration.clientId !== client.clientId)
      throw new errors.InvalidRequest('client_id is not the audience of the subject_token')
    const allowed = {
      accountUuid: signedIn.account.uuid,
      scopes: scopesToGive(client, params.scope, scopesFor(client, signedIn.scopes)),
      ...behind(access, signedIn),
      grantType: TOKEN_EXCHANGE,
      mostSeconds: secondsUntil(signedIn.expiresAt, access.now()),
    }
    context.body = { ...(await makeTokens(context, allowed)), issued_token_type: ACCESS_TOKEN }
  }
}

/** Returns the scopes that both the method's rules and the consumer allow. */
function scopesFor(client: Client, scopes: readonly string[]): readonly string[] {
  if (isOfMethod(client)) return scopes
  return commonScopes(scopesOfClient(client), scopes)
}

/** Returns the seconds until a time, but at least one: a token is still accepted one minute after it has expired. */
function secondsUntil(end: Date, now: Date): number {
  return Math.max(1, Math.floor((end.getTime() - now.getTime()) / 1_000))
}

function isOfMethod({ clientAuthMethod }: Client): boolean {
  return clientAuthMethod === 'none'
}

/**
 * Returns the proof and the fitting grants of an exchange. The grants count only for the new token. Otherwise an old
 * token could restore grants in a browser that a newer sign-in removed.
 */
function behind(
  access: AccessContext,
  { method, identity, rule, fits }: DelegatedSignIn,
): Pick<Allowed, 'proof' | 'fits'> {
  const stamp = identity === null ? null : identityStamp(method, identity)
  const signedIn = { rule, at: Math.floor(access.now().getTime() / 1_000), authentication: {} }
  const proof = { methodUuid: method.uuid, stamp, provider: signedIn }
  return { proof, fits }
}

function subjectToken({ subject_token, subject_token_type, requested_token_type, actor_token }: Parameters): string {
  if (!subject_token) throw new errors.InvalidRequest('subject_token is needed')
  if (!SUBJECT_TYPES.includes(subject_token_type ?? ''))
    throw new errors.InvalidRequest(`subject_token_type must be one of ${SUBJECT_TYPES.join(', ')}`)
  if (requested_token_type !== undefined && requested_token_type !== ACCESS_TOKEN)
    throw new errors.InvalidRequest(`requested_token_type can only be ${ACCESS_TOKEN}`)
  if (actor_token !== undefined) throw new errors.InvalidRequest('actor_token is not supported')
  return subject_token
}

/** Rejects other targets, because the new token is only for this platform (RFC 8693, section 2.2.2). */
function refuseOtherTargets({ audience, resource }: Parameters, issuer: string): void {
  const isOurs = (target: string) => URL.canParse(target) && new URL(target).origin === new URL(issuer).origin
  const other = [audience, resource].find((target) => target !== undefined && !isOurs(target))
  if (other !== undefined) throw new errors.InvalidTarget(`tokens are only given for ${issuer}`)
}

/** Signs in. If the token is rejected, the answer gives the reason, which tells nothing to others than its holder. */
async function signIn(access: AccessContext, context: TokenEndpointGrantContext, token: string) {
  try {
    const signedIn = await signInDelegated(access, token)
    logExchange(access, context, signedIn)
    return signedIn
  } catch (error) {
    logExchange(access, context, null)
    if (!(error instanceof HoldfastError) || error.code !== 'UNAUTHENTICATED') throw error
    throw new errors.InvalidRequest(plainText(error.message))
  }
}

function logExchange(
  access: AccessContext,
  context: TokenEndpointGrantContext,
  signedIn: DelegatedSignIn | null,
): void {
  const { logger, traceId, address } = stateOf(context)
  logProviderSignIn(logger, access, {
    traceId,
    outcome: signedIn === null ? 'failed' : 'succeeded',
    account: signedIn?.account.uuid ?? null,
    authenticationMethod: signedIn?.method.uuid ?? null,
    address,
    clientId: context.oidc.client.clientId,
  })
}
