import type { Claims } from '../../../auth/token-rules.ts'
import { readDomain } from '../../../store/domains.ts'
import type { AccessContext } from '../access-context.ts'
import type { Account } from '../accounts/account.ts'
import { findAccountByLogin } from '../accounts/accounts.ts'
import { admit, letIn } from './identity/admit-by-rules.ts'
import type { DelegatedSignIn } from './delegated-sign-in.ts'
import { meetPerson } from './identity/external-identity.ts'
import { audienceOf } from './provider/provider-claims.ts'
import { checkToken, readToken, type CheckedToken } from './provider/provider-token.ts'
import type { DelegatedMethod } from '../methods/method.ts'
import { listMethods } from '../methods/methods.ts'
import { notingRefusals } from './identity/refused-identities.ts'
import { IdentityRefusal, refusal } from './refusal.ts'
import { rememberToken } from '../sessions/store-provider-token.ts'

/** A token's signature is checked again after this time, because providers withdraw keys. */
const LONGEST_MS = 24 * 3_600_000

/**
 * Signs in with a token of another provider (specification, section 5: OpenID delegated authentication). It fails as
 * UNAUTHENTICATED with the fault of the token, or as UNAVAILABLE if the provider's keys cannot be read.
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
  const method = methodFor(methods, checked.claims, context.now())
  const signIn = await signInBy(context, method, checked)
  await rememberToken(context, jwt, signIn)
  return signIn
}

async function methodsOf(context: AccessContext, issuer: string): Promise<DelegatedMethod[]> {
  const methods = await listMethods(context)
  return methods.filter(
    (method): method is DelegatedMethod =>
      method.kind === 'openid-delegated' && method.status === 'ACTIVATED' && method.configuration.issuer === issuer,
  )
}

function methodFor(methods: readonly DelegatedMethod[], claims: Claims, moment: Date): DelegatedMethod {
  const clientIds = methods.map(({ configuration }) => configuration.clientId)
  const audience = audienceOf(claims, clientIds, moment)
  const method = methods.find(({ configuration }) => configuration.clientId === audience)
  if (method === undefined) throw new Error('an audience that no method has')
  return method
}

function signInBy(
  context: AccessContext,
  method: DelegatedMethod,
  { claims, expiresAt }: CheckedToken,
): Promise<DelegatedSignIn> {
  return notingRefusals(context, method, claims, async () => {
    const who = await whoComes(context, method, claims)
    return {
      ...who,
      claims,
      method,
      expiresAt: new Date(Math.min(expiresAt.getTime(), context.now().getTime() + LONGEST_MS)),
    }
  })
}

/** Finds the machine user or person of the token, and their rights and records. */
async function whoComes(
  context: AccessContext,
  method: DelegatedMethod,
  claims: Claims,
): Promise<Pick<DelegatedSignIn, 'account' | 'identity' | 'scopes' | 'rule' | 'fits'>> {
  const { database, domain } = context
  const admission = admit(method, claims)
  const { machineUser, scopes, rule } = admission
  if (machineUser !== null)
    return { account: await findMachineUser(context, machineUser), identity: null, scopes, rule, fits: [] }
  const { isVouched, ...person } = await meetPerson(context, method, claims, new Date(Number(claims['iat']) * 1_000))
  const given = await readDomain(database, domain.id, (sql) =>
    letIn(sql, domain.id, method, claims, { admission, isVouched }),
  )
  return { ...person, ...given }
}

/** Finds the machine user that a rule names. It must be ACTIVATED. */
async function findMachineUser(context: AccessContext, login: string): Promise<Account> {
  const account = await findAccountByLogin(context, 'machine', login)
  const who = `the machine user ${JSON.stringify(login)}`
  if (account === null) throw new IdentityRefusal('no-machine-user', `a rule names ${who}, and it does not exist`)
  if (account.status !== 'ACTIVATED') throw new IdentityRefusal('not-activated', `${who} is ${account.status}`)
  return account
}
