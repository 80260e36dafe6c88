import { activationProblems, configurationProblems } from '../../../auth/method-configuration.ts'
import type { Sql } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { fetchMethods } from '../../../store/access/authentication-methods.ts'
import type { AccessContext } from '../access-context.ts'
import { toMethod, type AuthenticationMethod, type DelegatedMethod } from './method.ts'

/** Refuses a method that cannot work or would accept strangers. The error lists all problems. */
export function checkMethod({ external }: AccessContext, method: AuthenticationMethod): void {
  const problems = [...nameProblems(method.name), ...termProblems(method, external.allowedOrigins)]
  if (problems.length === 0) return
  const message = `the authentication method cannot be used: ${problems.join('; ')}`
  throw new HoldfastError('BAD_USER_INPUT', message, { details: problems })
}

function nameProblems(name: string): string[] {
  const isName = /^[^\p{Cc}\p{Cs}]{1,200}$/u.test(name) && name.trim() !== ''
  return isName ? [] : ['name must have 1 to 200 characters, and no control characters']
}

/** The problems of an activation are reported only if the configuration is valid. */
function termProblems(method: AuthenticationMethod, allowedOrigins: readonly string[]): string[] {
  if (method.kind === 'internal') return []
  const problems = configurationProblems(method.configuration, allowedOrigins)
  return problems.length === 0 && method.status === 'ACTIVATED' ? activationProblems(method.configuration) : problems
}

/** Allows only one method for an issuer and an audience, because with two, it is unclear which accepts a token. */
export async function refuseTwin(sql: Sql, { domain }: AccessContext, method: DelegatedMethod): Promise<void> {
  const { clientId, issuer } = method.configuration
  const isTwin = (other: AuthenticationMethod) =>
    other.kind === 'openid-delegated' &&
    other.uuid !== method.uuid &&
    other.configuration.issuer === issuer &&
    other.configuration.clientId === clientId
  const twin = (await fetchMethods(sql, domain.id)).map(toMethod).find(isTwin)
  if (twin === undefined) return
  throw new HoldfastError('CONFLICT', `the method ${twin.uuid} has this issuer and clientId already; change that one`)
}
