import { isUuid } from '../lib/uuid.ts'
import { microsoftTenant } from './microsoft-tenant.ts'
import { STRANGERS_EVENT, isGithubActions } from './github-actions.ts'
import type { FederationRule } from './token-rules.ts'

// These providers sign tokens for everybody who registers. The list is not complete, so an issuer that is absent from
// it may still do so. Holdfast uses the list for advice, to find rules that accept strangers, and to refuse to match
// users of the model by address alone.

interface SharedIssuer {
  isIt(issuer: URL): boolean
  /** A description of the people who can get tokens there. */
  readonly tenants: string
  /** A rule must check one of these claims, or it accepts strangers. */
  readonly tenantClaims: readonly string[]
}

const SHARED: readonly SharedIssuer[] = [
  {
    isIt: ({ href }) => isGithubActions(href),
    tenants: 'every repository on GitHub',
    tenantClaims: ['repository_id', 'repository_owner_id', 'enterprise_id'],
  },
  {
    // Any server of Gitea or Forgejo.
    isIt: ({ pathname }) => pathname.endsWith('/api/actions'),
    tenants: 'every repository on that server',
    tenantClaims: ['repository', 'repository_id', 'repository_owner', 'repository_owner_id'],
  },
  {
    isIt: hostIs('gitlab.com'),
    tenants: 'every project and user on GitLab.com',
    tenantClaims: ['project_id', 'namespace_id', 'user_id', 'sub'],
  },
  {
    isIt: hostIs('accounts.google.com'),
    tenants: 'everybody with a Google account',
    tenantClaims: ['hd', 'sub'],
  },
  {
    // This is the tenant of personal accounts
    // (https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference).
    isIt: (issuer) => microsoftTenant(issuer) === '9188040d-6c67-4c5b-b112-36a304b66dad',
    tenants: 'everybody with a personal Microsoft account',
    tenantClaims: ['oid', 'sub'],
  },
  {
    isIt: hostIs('agent.buildkite.com', 'app.terraform.io', 'oauth2.sigstore.dev', 'oidc.vercel.com'),
    tenants: 'everybody who has an account there',
    tenantClaims: [],
  },
  {
    isIt: hostIs('appleid.apple.com', 'slack.com', 'www.linkedin.com', 'www.facebook.com', 'id.twitch.tv'),
    tenants: 'everybody who has an account there',
    tenantClaims: [],
  },
  {
    isIt: hostIs('github.com', 'gitea.com', 'codeberg.org', 'discord.com', 'www.paypal.com', 'login.salesforce.com'),
    tenants: 'everybody who has an account there',
    tenantClaims: [],
  },
]

/** The reason why a stranger's token would fit one of these rules; null if none would. */
export function strangersProblem(issuer: string, rules: readonly FederationRule[]): string | null {
  const shared = find(issuer)
  const open = shared && rules.find(({ claims }) => !isPinned(shared, Object.keys(claims)))
  if (shared === undefined || open === undefined) return null
  const needed = shared.tenantClaims.join(', ')
  return `the rule ${JSON.stringify(open.name)} would let in strangers, since ${issuer} signs tokens for ${shared.tenants}: it must look at one of the claims ${needed}`
}

/** Returns why addresses of the issuer prove nothing: strangers can have them and fit the rules. Null if unknown. */
export function signsForStrangers(issuer: string, rules: readonly FederationRule[]): string | null {
  const shared = find(issuer)
  if (shared === undefined || (rules.length > 0 && strangersProblem(issuer, rules) === null)) return null
  return `${issuer} signs tokens for ${shared.tenants}, so rules must say who is let in`
}

/** Advice for an issuer without rules; null if nothing is known about the issuer. */
export function sharedIssuerAdvice(issuer: string, emailDomains: readonly string[]): string | null {
  const shared = find(issuer)
  if (shared === undefined) return null
  const who = `${issuer} signs tokens for ${shared.tenants}, and all of these can sign in here`
  const claims = shared.tenantClaims.length === 0 ? '' : `, on one of the claims ${shared.tenantClaims.join(', ')}`
  const rules = `Rules say who is let in${claims}.`
  return emailDomains.length === 0
    ? `${who}, and have no rights until they are granted some. ${rules}`
    : `${who}, and act as a user of this domain where they have ever verified such an address. ${rules}`
}

function isPinned({ tenantClaims }: SharedIssuer, claims: readonly string[]): boolean {
  return tenantClaims.length === 0 || claims.some((claim) => tenantClaims.includes(claim))
}

/** Returns what is wrong with a rule for tokens of GitHub Actions, in addition to the checks of every rule. */
export function githubRuleProblem(issuer: string, { name, claims }: FederationRule): string | null {
  if (!isGithubActions(issuer)) return null
  const events = [claims['event_name'] ?? []].flat()
  if (events.length > 0 && !events.includes(STRANGERS_EVENT)) return null
  return `the rule ${JSON.stringify(name)} must name the events it is for in event_name, and ${STRANGERS_EVENT} cannot be one of them: strangers can trigger it`
}

/** Warns about Microsoft's issuers for several tenants or with the name of a tenant, because no token contains them. */
export function neverIssues(issuer: string): string | null {
  const tenant = URL.canParse(issuer) ? microsoftTenant(new URL(issuer)) : null
  if (tenant === null || isUuid(tenant)) return null
  return 'No token names this address as its issuer, so nobody can sign in; use the one of your tenant, https://login.microsoftonline.com/<tenant id>/v2.0'
}

function find(issuer: string): SharedIssuer | undefined {
  return URL.canParse(issuer) ? SHARED.find(({ isIt }) => isIt(new URL(issuer))) : undefined
}

function hostIs(...hosts: readonly string[]) {
  return ({ host }: URL) => hosts.includes(host)
}
