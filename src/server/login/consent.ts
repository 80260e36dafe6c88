import { findAccount } from '../../platform/access/accounts/accounts.ts'
import { isObject } from '../../lib/json.ts'
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

/**
 * The scopes that were not agreed to before, or all scopes where the application asks for consent again
 * (`prompt=consent`).
 */
function askedScopes({ interaction }: OpenInteraction): readonly string[] {
  const { oidc, resources } = missingOf(interaction.prompt.details)
  const missing = new Set([...oidc, ...[...resources.values()].flat()])
  return missing.size > 0
    ? [...missing]
    : String(interaction.params['scope'] ?? '')
        .split(' ')
        .filter(Boolean)
}

/** Grants what was asked for. The form cannot change what that is. */
export async function answerConsent(open: OpenInteraction, form: Form): Promise<Response> {
  const { provider, interaction } = open
  const accountId = interaction.session?.accountId
  if (form('decision') !== 'allow' || accountId === undefined) return notOpen(new URLSearchParams())
  const earlier = interaction.grantId === undefined ? undefined : await provider.Grant.find(interaction.grantId)
  const grant = earlier ?? new provider.Grant({ accountId, clientId: String(interaction.params['client_id']) })
  const { oidc, claims, resources } = missingOf(interaction.prompt.details)
  if (oidc.length > 0) grant.addOIDCScope(oidc.join(' '))
  if (claims.length > 0) grant.addOIDCClaims([...claims])
  for (const [resource, scopes] of resources) grant.addResourceScope(resource, scopes.join(' '))
  return endInteraction(open, { consent: { grantId: await grant.save() } })
}

interface Missing {
  readonly oidc: readonly string[]
  readonly claims: readonly string[]
  readonly resources: ReadonlyMap<string, readonly string[]>
}

/**
 * Reads what is missing in the form of oidc-provider's prompt `consent`
 * (lib/helpers/interaction_policy/prompts/consent.js).
 */
function missingOf(details: { readonly [name: string]: unknown }): Missing {
  const resources = isObject(details['missingResourceScopes']) ? details['missingResourceScopes'] : {}
  return {
    oidc: texts(details['missingOIDCScope']),
    claims: texts(details['missingOIDCClaims']),
    resources: new Map(Object.entries(resources).map(([resource, scopes]) => [resource, texts(scopes)])),
  }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
