import type { AccessContext } from './access-context.ts'
import { findAccountByLogin } from './accounts.ts'
import { admit } from './admission.ts'
import type { DelegatedSignIn } from './delegated-sign-in.ts'
import { accountOfPerson } from './external-identity.ts'
import { checkToken, readToken, type CheckedToken } from './foreign-token.ts'
import type { DelegatedMethod } from './method.ts'
import { listMethods } from './methods.ts'
import { refusal } from './refusal.ts'
import { rememberToken } from './token-cache.ts'

/** However long a token is good for, its signature is checked again after this time: keys are withdrawn. */
const LONGEST_MS = 24 * 3_600_000

/**
 * Signs in by a token of another provider (specification, section 5: OpenID delegated authentication). Fails as
 * UNAUTHENTICATED with what is wrong with the token, and as UNAVAILABLE where its provider cannot be asked for its keys.
 */
export async function signInDelegated(context: AccessContext, jwt: string): Promise<DelegatedSignIn> {
  const token = readToken(jwt)
  const methods = await methodsOf(context, token.issuer)
  if (methods.length === 0) {
    throw refusal(
      `no ACTIVATED authentication method of this domain has the issuer ${JSON.stringify(token.issuer.slice(0, 200))}`,
    )
  }
  const checked = await checkToken(context, token)
  const method = methodFor(methods, checked)
  const signIn = await signInBy(context, method, checked)
  await rememberToken(context, jwt, signIn, method)
  return signIn
}

async function methodsOf(context: AccessContext, issuer: string): Promise<DelegatedMethod[]> {
  const methods = await listMethods(context)
  return methods.filter(
    (method): method is DelegatedMethod =>
      method.kind === 'openid-delegated' && method.status === 'ACTIVATED' && method.configuration.issuer === issuer,
  )
}

/** Only a token that was made for this platform counts: any other one was given to somebody else. */
function methodFor(methods: readonly DelegatedMethod[], { audiences, authorizedParty }: CheckedToken): DelegatedMethod {
  const method = methods.find(({ configuration: { clientId } }) => audiences.includes(clientId))
  if (method === undefined) {
    const expected = methods.map(({ configuration }) => configuration.clientId).join(' or ')
    throw refusal(`it is for the audience ${JSON.stringify(audiences).slice(0, 200)}, and ${expected} is needed (aud)`)
  }
  const { clientId } = method.configuration
  // OpenID Connect Core 1.0, section 3.1.3.7.
  if (audiences.length > 1 && authorizedParty !== clientId) {
    throw refusal(`it is for several audiences, and of another one than ${clientId} (azp)`)
  }
  return method
}

async function signInBy(
  context: AccessContext,
  method: DelegatedMethod,
  { claims, expiresAt }: CheckedToken,
): Promise<DelegatedSignIn> {
  const { machineUser, scopes, rule } = admit(method, claims)
  const account =
    machineUser === null
      ? await accountOfPerson(context, method, claims)
      : await findAccountByLogin(context, 'machine', machineUser)
  const who = machineUser === null ? 'the account it is for' : `the machine user ${JSON.stringify(machineUser)}`
  if (account === null) throw refusal(`the rule ${JSON.stringify(rule)} needs ${who}, and there is none`)
  if (account.status !== 'ACTIVATED') throw refusal(`${who} is ${account.status}`)
  return {
    account,
    scopes,
    methodUuid: method.uuid,
    clientId: method.configuration.clientId,
    expiresAt: new Date(Math.min(expiresAt.getTime(), context.now().getTime() + LONGEST_MS)),
  }
}
