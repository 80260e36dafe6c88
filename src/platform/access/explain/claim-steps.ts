import type { Claims } from '../../../auth/token-rules.ts'
import { rightsOf } from '../../../auth/scopes.ts'
import type { Sql } from '../../../db/sql.ts'
import { recordId } from '../../../records/record-id.ts'
import { findPrincipalByKey, type Principal } from '../../../store/access/principals.ts'
import type { AccessContext } from '../access-context.ts'
import { keyOfLogin, toAccount } from '../accounts/accounts.ts'
import { admit, letIn, type Admission } from '../delegated/identity/admit-by-rules.ts'
import { whoseIdentity } from '../delegated/identity/external-identity.ts'
import { sightingOf } from '../delegated/identity/told-identity.ts'
import { IdentityRefusal } from '../delegated/refusal.ts'
import { rightsAllowedBy } from '../grants/method-scopes.ts'
import { termsOf, type AuthenticationMethod, type DelegatedMethod } from '../methods/method.ts'
import { accountStep, type ComesIn, type ExplainedStep } from './explained-step.ts'
import { quoted } from '../../../lib/quoted.ts'

interface AskedClaims {
  readonly login: string
  readonly principal: Principal | null
  readonly methods: readonly AuthenticationMethod[]
  readonly claims: Claims
}

/** Explains how the platform judges a token with these claims: the method, the rule, the identity and the scopes. */
export async function stepsOfClaims(sql: Sql, context: AccessContext, asked: AskedClaims): Promise<ComesIn> {
  const { methods, claims } = asked
  const method = methods.find((one) => one.kind === 'openid-delegated' && isFor(one, claims))
  if (method?.kind !== 'openid-delegated') return { steps: [noMethod(methods, claims)], who: null }
  const trusted = `the method ${JSON.stringify(method.name)} trusts the issuer and the audience, and is ${method.status}`
  const steps: ExplainedStep[] = [{ about: 'method', passes: method.status === 'ACTIVATED', text: trusted }]
  if (method.status !== 'ACTIVATED') return { steps, who: null }
  const admission = admitted(method, claims)
  if (admission instanceof IdentityRefusal)
    return { steps: [...steps, { about: 'rule', passes: false, text: admission.detail }], who: null }
  const by =
    admission.ruleName === null ? 'the method has no rules' : `the rule ${JSON.stringify(admission.ruleName)} fits`
  const passed: ExplainedStep[] = [...steps, { about: 'rule', passes: true, text: by }]
  return admission.machineUser === null
    ? personBy(sql, context, { method, admission, asked, steps: passed })
    : machineBy(sql, context.domain.id, admission.machineUser, admission, passed)
}

function isFor({ configuration: { issuer, clientId } }: DelegatedMethod, { iss, aud }: Claims): boolean {
  return iss === issuer && [aud].flat().includes(clientId)
}

function noMethod(methods: readonly AuthenticationMethod[], { iss, aud }: Claims): ExplainedStep {
  const ofIssuer = methods.filter((one) => one.kind === 'openid-delegated' && one.configuration.issuer === iss)
  const text =
    ofIssuer.length === 0
      ? `no method trusts the issuer ${quoted(iss ?? null)}`
      : `no method of this issuer has an audience (clientId) among ${[aud ?? null].flat().map(quoted).join(', ')}`
  return { about: 'method', passes: false, text }
}

function admitted(method: DelegatedMethod, claims: Claims): Admission | IdentityRefusal {
  try {
    return admit(method, claims)
  } catch (error) {
    if (error instanceof IdentityRefusal) return error
    throw error
  }
}

async function machineBy(
  sql: Sql,
  domainId: number,
  machineUser: string,
  { scopes }: Admission,
  steps: readonly ExplainedStep[],
): Promise<ComesIn> {
  const principal = await findPrincipalByKey(sql, domainId, keyOfLogin('machine', machineUser))
  const account = accountStep(principal, machineUser)
  const found = [...steps, account, scopesStep(scopes, 'the rule')]
  if (principal === null || !account.passes) return { steps: found, who: null }
  return { steps: found, who: { principal, fits: [], allowed: rightsOf(scopes), isByRule: true } }
}

interface Person {
  readonly method: DelegatedMethod
  readonly admission: Admission
  readonly asked: AskedClaims
  readonly steps: readonly ExplainedStep[]
}

async function personBy(
  sql: Sql,
  context: AccessContext,
  { method, admission, asked, steps }: Person,
): Promise<ComesIn> {
  const { id } = context.domain
  const { decision, address } = await whoseIdentity(sql, id, method, sightingOf(method, asked.claims, context.now()))
  if ('refused' in decision)
    return { steps: [...steps, { about: 'identity', passes: false, text: decision.refused.detail }], who: null }
  const { principal } = decision
  const isVouched = principal?.isOfModel === true || address !== null
  const { scopes, fits } = await letIn(sql, id, method, asked.claims, { admission, isVouched })
  const given = { ...method, configuration: termsOf(method) }
  return {
    steps: [
      ...steps,
      identityStep(asked, principal),
      scopesStep(scopes, admission.ruleName === null ? 'the method' : 'the rule'),
    ],
    who: { principal, fits, allowed: rightsAllowedBy(given, scopes), isByRule: false },
  }
}

/** The claims may belong to another person than the one in the question. */
function identityStep({ login, principal: meant }: AskedClaims, principal: Principal | null): ExplainedStep {
  if (principal === null)
    return { about: 'identity', passes: true, text: 'the claims belong to a new person, who would be created' }
  const isOther = principal.uuid !== meant?.uuid
  const name = `${recordId(principal)}, ${toAccount(principal).status}`
  const text = `the claims belong to ${name}${isOther ? `, and not of ${quoted(login)}` : ''}`
  return { about: 'identity', passes: true, text }
}

function scopesStep(scopes: readonly string[], whose: string): ExplainedStep {
  return { about: 'scopes', passes: true, text: `${whose} allows at most ${scopes.join(', ') || 'nothing'}` }
}
