import { findAccount } from '../../platform/access/accounts/accounts.ts'
import type { Form } from './form.ts'
import { applicationName, endInteraction, notOpen, type OpenInteraction } from './open-interaction.ts'
import { pageResponse } from './page.ts'
import { consentPage } from './pages/consent-page.ts'

export async function showConsent(open: OpenInteraction): Promise<Response> {
  const { access, interaction, url, csrf } = open
  const account = await findAccount(access, interaction.session?.accountId ?? '')
  if (account === null) return notOpen(new URLSearchParams())
  const page = consentPage({
    application: await applicationName(open),
    login: account.email ?? account.name ?? account.login,
    scopes: askedScopes(open),
    action: url,
    interaction: interaction.uid,
    csrf,
  })
  return pageResponse({ ...page, domain: access.domain.name })
}

/** Returns the scopes without consent so far; all of them if the application asks again (`prompt=consent`). */
function askedScopes({ interaction }: OpenInteraction): readonly string[] {
  const missing = missingScopes(interaction.prompt.details)
  return missing.length > 0
    ? missing
    : String(interaction.params['scope'] ?? '')
        .split(' ')
        .filter(Boolean)
}

/** Grants the requested scopes. The form cannot change them. */
export async function answerConsent(open: OpenInteraction, form: Form): Promise<Response> {
  const { provider, interaction } = open
  const accountId = interaction.session?.accountId
  if (form('decision') !== 'allow' || accountId === undefined) return notOpen(new URLSearchParams())
  const earlier = interaction.grantId === undefined ? undefined : await provider.Grant.find(interaction.grantId)
  const grant = earlier ?? new provider.Grant({ accountId, clientId: String(interaction.params['client_id']) })
  const missing = missingScopes(interaction.prompt.details)
  if (missing.length > 0) grant.addOIDCScope(missing.join(' '))
  return endInteraction(open, { consent: { grantId: await grant.save() } })
}

/**
 * Reads the missing scopes from oidc-provider's prompt `consent` (lib/helpers/interaction_policy/prompts/consent.js).
 * Applications cannot ask for single claims and resources here.
 */
function missingScopes({ missingOIDCScope: missing }: { readonly [name: string]: unknown }): readonly string[] {
  return Array.isArray(missing) ? missing.filter((item) => typeof item === 'string') : []
}
