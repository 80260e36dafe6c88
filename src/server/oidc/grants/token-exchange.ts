import { errors, type TokenEndpointGrantContext } from 'oidc-provider'
import { HoldfastError } from '../../../lib/errors.ts'
import type { AccessContext } from '../../../platform/access/access-context.ts'
import { signInDelegated } from '../../../platform/access/delegated.ts'
import { TOKEN_EXCHANGE } from '../clients.ts'
import { makeTokens, scopesToGive } from '../token-answer.ts'

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
}

/** A token of another provider for one of ours (RFC 8693). The client is what that provider calls us. */
export function tokenExchangeGrant(access: AccessContext) {
  return async (context: TokenEndpointGrantContext<Parameters>): Promise<void> => {
    const { client, params } = context.oidc
    const { account, scopes, methodUuid, clientId } = await signIn(access, subjectToken(params))
    if (clientId !== client.clientId)
      throw new errors.InvalidRequest('client_id is not the audience that the subject_token is for')
    const given = scopesToGive(params.scope, scopes)
    const proof = { methodUuid, mark: null }
    const allowed = { accountUuid: account.uuid, scopes: given, proof, grantType: TOKEN_EXCHANGE }
    context.body = { ...(await makeTokens(context, allowed)), issued_token_type: ACCESS_TOKEN }
  }
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

/** Why a token is not taken helps whoever holds it, and says nothing to anybody else. */
async function signIn(access: AccessContext, token: string) {
  try {
    return await signInDelegated(access, token)
  } catch (error) {
    if (!(error instanceof HoldfastError) || error.code !== 'UNAUTHENTICATED') throw error
    throw new errors.InvalidRequest(plain(error.message))
  }
}

/** The characters that an error_description can have (RFC 6749, section 5.2). */
function plain(text: string): string {
  return text.replaceAll('"', `'`).replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')
}
