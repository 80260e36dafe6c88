import { isMicrosoftTenant } from './microsoft-tenant.ts'

/**
 * Tells whether the provider has verified the address in `email`. Microsoft Entra never sends `email_verified`. An
 * optional claim of it says whether the tenant owns the domain of the address
 * (https://learn.microsoft.com/entra/identity-platform/optional-claims-reference).
 */
export function saysVerified(
  issuer: string,
  { email_verified: verified, xms_edov: ownsDomain }: { readonly [claim: string]: unknown },
): boolean {
  if (verified !== undefined || !isMicrosoftTenant(issuer)) return verified === true
  return [true, 1, '1', 'true'].some((yes) => yes === ownsDomain)
}
