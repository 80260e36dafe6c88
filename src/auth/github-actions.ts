import type { GithubActionsTrust as Trust } from '../../generated/entities.ts'
import type { FederationRule } from './token-rules.ts'

// Jobs of GitHub Actions sign in with their own OpenID token, so that no secret is stored
// (https://docs.github.com/en/actions/reference/security/oidc). Every repository in the world gets such tokens, for
// any audience that it asks for. These rules accept one repository.

/** The repository that may plan and apply, by its decimal id. GitHub reuses names after a rename, but no id. */
export type GithubActionsTrust = Readonly<Trust>

export const DEFAULT_REF = 'refs/heads/main'

/** This event runs code that strangers propose, and with the rights of the repository. So it is never accepted. */
export const STRANGERS_EVENT = 'pull_request_target'

const PUSH = 'push'

/** A person starts this run on the present state of the branch: to apply an earlier merge again, or to remove drift. */
export const BY_HAND = 'workflow_dispatch'

const PLANNING_EVENTS = ['pull_request', 'merge_group', 'schedule', PUSH, BY_HAND]

export function githubActionsRules(trust: GithubActionsTrust): FederationRule[] {
  // The claim `sub` is not used, because each repository can choose its format.
  const repository = { repository_id: trust.repositoryId, repository_owner_id: trust.repositoryOwnerId }
  return [
    {
      name: 'apply',
      claims: {
        ...repository,
        event_name: trust.runsByHand ? [PUSH, BY_HAND] : PUSH,
        ref: trust.ref,
        environment: trust.environment,
        runner_environment: trust.selfHostedRunners ? ['github-hosted', 'self-hosted'] : 'github-hosted',
        ...(trust.jobWorkflowRef !== null && { job_workflow_ref: trust.jobWorkflowRef }),
      },
      machineUser: trust.applyMachineUser,
      scopes: ['model:plan', 'model:apply'],
    },
    {
      name: 'plan',
      claims: { ...repository, event_name: PLANNING_EVENTS },
      machineUser: trust.planMachineUser,
      scopes: ['model:plan'],
    },
  ]
}

/** Returns the claims by which a rule accepts only one repository; null if it also accepts others. */
export function repositoryOf({ claims }: Pick<FederationRule, 'claims'>): string | null {
  const { repository_id: id, repository_owner_id: owner = '' } = claims
  return typeof id === 'string' && typeof owner === 'string' ? `${owner}/${id}` : null
}

/** Returns all rules that let jobs of the repository act as this machine user, no matter who wrote the rules. */
export function rulesOfRepository(rules: readonly FederationRule[], machineUser: string): FederationRule[] {
  const own = new Set(rules.filter((rule) => rule.machineUser === machineUser).map(repositoryOf))
  return rules.filter((rule) => repositoryOf(rule) !== null && own.has(repositoryOf(rule)))
}

/**
 * Tells whether an issuer belongs to GitHub: its own issuer, the issuer of an enterprise on GitHub.com or GHE.com, or
 * an Enterprise Server.
 */
export function isGithubActions(issuer: string): boolean {
  if (!URL.canParse(issuer)) return false
  const { host, pathname } = new URL(issuer)
  return (
    host === 'token.actions.githubusercontent.com' ||
    /^token\.actions\.[^.]+\.ghe\.com$/.test(host) ||
    pathname === '/_services/token'
  )
}
