import { BY_HAND, githubActionsRules } from '../../auth/github-actions.ts'
import type { FederationRule } from '../../auth/token-rules.ts'
import type { GithubRepository } from './github-repository.ts'
import type { Trust, TrustedRule } from './ensure-rules.ts'

interface GithubTrustOptions {
  /** The address of the platform, without a slash at its end. */
  readonly audience: string
  readonly issuer: string
  readonly environment: string
  readonly jobWorkflowRef: string | null
  /** Whether runs that somebody starts by hand may apply. */
  readonly runsByHand: boolean
}

/**
 * Describes the rights of one repository. Each repository has its own machine users and rules, so that several
 * repositories can share a platform and the history distinguishes them. Another environment of the same repository
 * adds one rule.
 */
export function githubTrust(repository: GithubRepository, options: GithubTrustOptions): Trust {
  const { issuer, audience } = options
  return {
    name: 'GitHub Actions',
    issuer,
    audience,
    repository: { repository_id: repository.id, repository_owner_id: repository.ownerId },
    rules: rulesFor(repository, options),
  }
}

function rulesFor({ name, id, ownerId, defaultBranch }: GithubRepository, options: GithubTrustOptions): TrustedRule[] {
  const { environment, jobWorkflowRef, runsByHand } = options
  const login = loginOf(name)
  const rules = githubActionsRules({
    repositoryId: id,
    repositoryOwnerId: ownerId,
    ref: `refs/heads/${defaultBranch}`,
    environment,
    planMachineUser: `${login}-plan`,
    applyMachineUser: `${login}-apply`,
    jobWorkflowRef,
    selfHostedRunners: false,
    runsByHand,
  })
  const place = (rule: string) => (rule === 'apply' ? `, in ${environment}` : '')
  // The default branch may have been renamed. The other claims stay unchanged unless an option names them.
  const asked = ['ref', ...(jobWorkflowRef === null ? [] : ['job_workflow_ref']), ...(runsByHand ? ['event_name'] : [])]
  return rules.map((rule) => ({
    rule: { ...rule, name: `${name}: ${rule.name}${place(rule.name)}` },
    asked: rule.name === 'apply' ? asked : [],
  }))
}

/** A dot is between owner and name, because owners have none. With a hyphen, a-b/c and a/b-c would get one login. */
function loginOf(name: string): string {
  return name.replace('/', '.').toLowerCase()
}

export function letsInRunsByHand(rules: readonly FederationRule[]): boolean {
  return rules.some(
    ({ claims, scopes }) =>
      scopes.includes('model:apply') && [claims['event_name'] ?? BY_HAND].flat().includes(BY_HAND),
  )
}
