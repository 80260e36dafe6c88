import type { OpenIdDelegatedConfigurationPatch } from '../../../../generated/entities.ts'
import { completeConfiguration } from '../../../auth/method-configuration.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import type { AuthenticationMethod, DelegatedMethod } from './method.ts'
import type { Status } from '../accounts/status.ts'

/** A patch of a method. Members that are left out do not change. */
export interface MethodPatch {
  readonly status?: Status | null
  readonly name?: string | null
  readonly configuration?: Readonly<OpenIdDelegatedConfigurationPatch> | null
}

/** Applies a patch to a method. `clientSecret` is the new secret; undefined if it stays. */
export function patchMethod(
  before: AuthenticationMethod,
  { status, name, configuration }: MethodPatch,
): { readonly method: AuthenticationMethod; readonly clientSecret?: string | null } {
  const common = { status: status ?? before.status, name: name ?? before.name }
  if (before.kind === 'openid-delegated') return patchDelegated({ ...before, ...common }, configuration ?? {})
  if (configuration == null) return { method: { ...before, ...common } }
  throw new HoldfastError('BAD_USER_INPUT', 'the internal method has no configuration: only its status and name change')
}

function patchDelegated(
  method: DelegatedMethod,
  {
    clientSecret: given,
    clientId,
    issuer,
    scopes,
    matchesUsers,
    ...terms
  }: Readonly<OpenIdDelegatedConfigurationPatch>,
): { readonly method: DelegatedMethod; readonly clientSecret?: string | null } {
  const before = method.configuration
  const isOther = (issuer ?? before.issuer) !== before.issuer
  const configuration = completeConfiguration({
    ...before,
    // The trusted domains belong to one provider, so another issuer clears them.
    ...(isOther && { emailDomains: [] }),
    ...terms,
    clientId: clientId ?? before.clientId,
    issuer: issuer ?? before.issuer,
    // Null does not select the default scopes, because these allow more than most methods do.
    scopes: scopes ?? before.scopes,
    matchesUsers: matchesUsers ?? before.matchesUsers,
  })
  // A secret belongs to one provider, and must not be sent to another one.
  const clientSecret = given === undefined && isOther ? null : given
  if (clientSecret === undefined) return { method: { ...method, configuration } }
  return { method: { ...method, configuration, hasClientSecret: Boolean(clientSecret) }, clientSecret }
}
