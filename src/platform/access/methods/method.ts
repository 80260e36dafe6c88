import { rulesOf, storedConfiguration, type DelegatedConfiguration } from '../../../auth/method-configuration.ts'
import type { JsonObject } from '../../../lib/json.ts'
import type { StoredMethod } from '../../../store/access/authentication-methods.ts'

type CommonMethod = Pick<StoredMethod, 'uuid' | 'name' | 'status'>

/** The method that asks for a user name and a password. Every domain has one. */
export interface InternalMethod extends CommonMethod {
  readonly kind: 'internal'
}

/** A method that trusts another OpenID provider. */
export interface DelegatedMethod extends CommonMethod {
  readonly kind: 'openid-delegated'
  readonly configuration: DelegatedConfiguration
  /** Whether this platform has a secret at the other provider, or is a public client there. */
  readonly hasClientSecret: boolean
  /** Whether an earlier release made it, when all methods shared one redirect URI: see callback.ts. */
  readonly sharesCallback: boolean
}

/** A way in which people or programs prove who they are. */
export type AuthenticationMethod = InternalMethod | DelegatedMethod

/** Tells whether people can sign in by the method. Not if all rules name machine users, as for GitHub Actions. */
export function isForPeople(method: AuthenticationMethod): boolean {
  if (method.kind === 'internal') return true
  const rules = rulesOf(method.configuration)
  return rules.length === 0 || rules.some(({ machineUser }) => machineUser === null)
}

/**
 * The stored configuration of a method, which is a part of security stamps. A method of an earlier release keeps its
 * configuration without `matchesUsers`, so that its stamps stay valid.
 */
export function termsOf(method: AuthenticationMethod): JsonObject {
  if (method.kind === 'internal') return {}
  const { matchesUsers, ...terms } = method.configuration
  return JSON.parse(JSON.stringify({ ...terms, ...(matchesUsers && { matchesUsers }) })) as JsonObject
}

export function toMethod({
  uuid,
  kind,
  name,
  status,
  configuration,
  hasClientSecret,
  sharesCallback,
}: StoredMethod): AuthenticationMethod {
  const common = { uuid, name, status }
  if (kind === 'internal') return { ...common, kind }
  return { ...common, kind, hasClientSecret, sharesCallback, configuration: storedConfiguration(configuration) }
}
