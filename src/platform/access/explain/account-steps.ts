import { rulesOf } from '../../../auth/method-configuration.ts'
import { RIGHTS } from '../../../auth/scopes.ts'
import type { Sql } from '../../../db/sql.ts'
import { fetchIdentitiesOf } from '../../../store/access/external-identities.ts'
import type { Principal } from '../../../store/access/principals.ts'
import { toAccount } from '../accounts/accounts.ts'
import type { AuthenticationMethod } from '../methods/method.ts'
import { accountStep, type ComesIn, type ExplainedStep } from './explained-step.ts'

interface AskedAccount {
  readonly login: string
  readonly principal: Principal | null
  readonly methods: readonly AuthenticationMethod[]
}

/** Explains the ways in which an account can sign in: its password, identities of providers, and rules that name it. */
export async function stepsOfAccount(
  sql: Sql,
  domainId: number,
  { login, principal, methods }: AskedAccount,
): Promise<ComesIn> {
  const account = accountStep(principal, login)
  if (principal === null) return { steps: [account], who: null }
  const steps = [
    account,
    passwordStep(principal, methods),
    ...(await identitySteps(sql, domainId, principal, methods)),
    ...ruleSteps(principal, methods),
  ]
  if (!account.passes) return { steps, who: null }
  return { steps, who: { principal, fits: [], allowed: new Set(RIGHTS), isByRule: false } }
}

function passwordStep({ hash }: Principal, methods: readonly AuthenticationMethod[]): ExplainedStep {
  const status = methods.find(({ kind }) => kind === 'internal')?.status ?? 'ACTIVATED'
  const has = hash === null ? 'it has no password' : 'it has a password'
  const closed = status === 'ACTIVATED' ? '' : `; signing in by password is ${status}`
  return { about: 'method', passes: hash !== null && status === 'ACTIVATED', text: `${has}${closed}` }
}

async function identitySteps(
  sql: Sql,
  domainId: number,
  principal: Principal,
  methods: readonly AuthenticationMethod[],
): Promise<ExplainedStep[]> {
  const identities = await fetchIdentitiesOf(sql, domainId, [principal.uuid])
  return identities.flatMap(({ issuer, subject }) => {
    const identity = `it is ${JSON.stringify(subject)} at ${issuer}`
    const ways = methods.filter(
      (method) => method.kind === 'openid-delegated' && method.configuration.issuer === issuer,
    )
    if (ways.length === 0)
      return [{ about: 'identity' as const, passes: false, text: `${identity}, which no method trusts` }]
    return ways.map(({ name, status }) => ({
      about: 'identity' as const,
      passes: status === 'ACTIVATED',
      text: `${identity}, by the method ${JSON.stringify(name)} (${status}); add --claims to see what its token may do`,
    }))
  })
}

/** Tokens by such a rule have the rights of its scopes, and no role. */
function ruleSteps(principal: Principal, methods: readonly AuthenticationMethod[]): ExplainedStep[] {
  const { kind, login } = toAccount(principal)
  if (kind === 'person') return []
  return methods.flatMap((method) => {
    if (method.kind === 'internal') return []
    return rulesOf(method.configuration)
      .filter(({ machineUser }) => machineUser === login)
      .map(({ name, scopes }) => ({
        about: 'rule' as const,
        passes: method.status === 'ACTIVATED',
        text: `the rule ${JSON.stringify(name)} of ${JSON.stringify(method.name)} (${method.status}) lets tokens act for it, with ${scopes.join(', ')} and without its roles`,
      }))
  })
}
