import type { Claims } from '../../../auth/token-rules.ts'
import type { HeldRole } from '../../../auth/roles.ts'
import { RIGHTS, type Right } from '../../../auth/scopes.ts'
import type { Sql } from '../../../db/sql.ts'
import type { Grantee } from '../../../records/types/grant.ts'
import { GrantBook } from '../../../records/types/grant-book.ts'
import { grantSentence } from '../../../records/types/grant-text.ts'
import { organizationOf } from '../../../records/types/user.ts'
import { fetchMethods } from '../../../store/access/authentication-methods.ts'
import { fetchGrants } from '../../../store/access/grants.ts'
import { findPrincipalByKey, type Principal } from '../../../store/access/principals.ts'
import { readDomain } from '../../../store/domains.ts'
import type { AccessContext } from '../access-context.ts'
import { keyOfLogin, toAccount } from '../accounts/accounts.ts'
import { ADMINISTRATOR, isStandingOperator, rightsHeld } from '../grants/make-actor.ts'
import { toMethod } from '../methods/method.ts'
import { stepsOfAccount } from './account-steps.ts'
import { stepsOfClaims } from './claim-steps.ts'
import type { ComesIn, ExplainedStep } from './explained-step.ts'

export interface AccessExplanation {
  readonly steps: readonly ExplainedStep[]
  readonly roles: readonly HeldRole[]
  /** The rights in the whole domain that both the roles and the way of signing in allow. */
  readonly rights: readonly Right[]
  /** The rights that apply only within organizations and units, with the keys of these. */
  readonly rightsWithin: readonly { readonly right: Right; readonly units: readonly string[] }[]
}

/**
 * Explains which rule, grant and scope decides what an account may do. With the claims of a token of another provider,
 * it explains how the platform would judge that token now. Without claims, it explains how the account can sign in, and
 * which rights it has at most. It changes nothing.
 */
export async function explainAccess(
  context: AccessContext,
  login: string,
  claims: Claims | null,
): Promise<AccessExplanation> {
  const { database, domain } = context
  return readDomain(database, domain.id, async (sql) => {
    const principal = await findByLogin(sql, domain.id, login)
    const methods = (await fetchMethods(sql, domain.id)).map(toMethod)
    const found =
      claims === null
        ? await stepsOfAccount(sql, domain.id, { login, principal, methods })
        : await stepsOfClaims(sql, context, { login, principal, methods, claims })
    return withRoles(sql, domain.id, found)
  })
}

async function findByLogin(sql: Sql, domainId: number, login: string): Promise<Principal | null> {
  for (const kind of ['person', 'machine'] as const) {
    const found = await findPrincipalByKey(sql, domainId, keyOfLogin(kind, login))
    if (found !== null) return found
  }
  return null
}

async function withRoles(sql: Sql, domainId: number, { steps, who }: ComesIn): Promise<AccessExplanation> {
  if (who === null) return { steps, roles: [], rights: [], rightsWithin: [] }
  const { principal, fits, allowed, isByRule } = who
  if (isByRule) return { steps, roles: [], rights: RIGHTS.filter((right) => allowed.has(right)), rightsWithin: [] }
  const grantee = granteeOf(principal, fits)
  const given = new GrantBook(await fetchGrants(sql, domainId)).givenTo(grantee)
  const isOperator = isStandingOperator(grantee, grantee.isOfModel)
  const roles = isOperator ? ADMINISTRATOR : given.map(({ role, within }) => ({ role, within }))
  const { rights, rightsWithin } = await rightsHeld(roles, allowed, (keys) => Promise.resolve(keys))
  return {
    steps: [...steps, ...(isOperator ? [OPERATOR_STEP] : grantSteps(given))],
    roles,
    rights: RIGHTS.filter((right) => rights.has(right)),
    rightsWithin: [...rightsWithin].map(([right, units]) => ({ right, units })),
  }
}

const OPERATOR_STEP: ExplainedStep = {
  about: 'grant',
  passes: true,
  text: "the platform's own operator is administrator without a grant",
}

function grantSteps(given: ReturnType<GrantBook['givenTo']>): ExplainedStep[] {
  if (given.length === 0) return [{ about: 'grant', passes: false, text: 'no grant is for it' }]
  return given.map(({ grant }) => ({ about: 'grant', passes: true, text: grantSentence(grant, 'is') }))
}

function granteeOf(principal: Principal | null, fits: readonly string[]): Grantee {
  if (principal === null) return { kind: 'person', login: '', isOfModel: false, organization: null, fits }
  const { kind, login } = toAccount(principal)
  return { kind, login, isOfModel: principal.isOfModel, organization: organizationOf(principal.body), fits }
}
