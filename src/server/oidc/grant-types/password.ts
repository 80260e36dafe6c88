import { errors, type TokenEndpointGrantContext } from 'oidc-provider'
import type { AccessContext } from '../../../platform/access/access-context.ts'
import type { Account } from '../../../platform/access/accounts/account.ts'
import type { PasswordSignIn } from '../../../platform/access/accounts/accounts.ts'
import { listMethods } from '../../../platform/access/methods/methods.ts'
import { guardedPassword } from '../../login/guard/password-guard.ts'
import { logSignIn, outcomeOf } from '../../login/sign-in-log.ts'
import { tooMany } from '../answers/failures.ts'
import { stateOf } from '../request-state.ts'
import { makeTokens, scopesOfClient, scopesToGive } from '../answers/token-answer.ts'

export const PASSWORD_PARAMETERS = ['username', 'password', 'scope']

interface Parameters {
  readonly username?: string
  readonly password?: string
}

/**
 * The Resource Owner Password Credentials (RFC 6749, section 4.3). Today they are discouraged (RFC 9700, section 2.4),
 * but the specification contains them, so consumers may use them if they list them.
 */
export function passwordGrant(access: AccessContext) {
  return async (context: TokenEndpointGrantContext<Parameters>): Promise<void> => {
    const { client, params } = context.oidc
    const { username, password } = params
    if (!username || !password) throw new errors.InvalidRequest('username and password are needed')
    const scopes = scopesToGive(client, params.scope, scopesOfClient(client))
    const { account, methodUuid } = await signIn(access, context, username, password)
    const proof = { methodUuid, stamp: account.stamp, provider: null }
    const allowed = { accountUuid: account.uuid, scopes, proof, grantType: 'password' }
    context.body = await makeTokens(context, allowed)
  }
}

/** Returns the same answer for every problem, so that it does not reveal which accounts exist. */
function wrong(): Error {
  const error = new errors.InvalidGrant('username or password')
  error.error_description = 'the username or the password is wrong'
  return error
}

async function signIn(
  access: AccessContext,
  context: TokenEndpointGrantContext,
  login: string,
  password: string,
): Promise<{ readonly account: PasswordSignIn; readonly methodUuid: string | null }> {
  const { throttle, address, logger, traceId } = stateOf(context)
  const attempt = { domain: access.domain.uuid, login, address, clientId: context.oidc.client.clientId, device: null }
  const done = await guardedPassword(access, throttle, attempt, password)
  const methodUuid = done.state === 'right' ? await methodFor(access, done.account) : undefined
  const isOff = done.state === 'right' && methodUuid === undefined
  logSignIn(logger, access, { traceId, attempt, ...outcomeOf(isOff ? { state: 'wrong' } : done) })
  if (done.state === 'throttled') throw tooMany(context, done.retryAfterSeconds, 'wrong passwords')
  if (done.state === 'wrong' || methodUuid === undefined) throw wrong()
  return { account: done.account, methodUuid }
}

/**
 * Returns the method by which an account signs in. For people it is the internal method, or undefined if that is not
 * ACTIVATED. It is null for machine users, which need no method.
 */
async function methodFor(access: AccessContext, { kind }: Account): Promise<string | null | undefined> {
  if (kind === 'machine') return null
  const methods = await listMethods(access)
  return methods.find((method) => method.kind === 'internal' && method.status === 'ACTIVATED')?.uuid
}
