import type { GithubActionsTrust as Trust } from '../../generated/entities.ts'
import type { FederationRule } from './token-rules.ts'

// Jobs of GitHub Actions sign in with their own OpenID token, so that no secret is stored
// (https://docs.github.com/en/actions/reference/security/oidc). Every repository in the world gets such tokens, for
// any audience that it asks for. These rules accept one repository.

/**
 * The repository that may plan and apply, by its decimal id: a name can be taken by others after a rename, and an id is
 * never used again.
 */
export type GithubActionsTrust = Readonly<Trust>

export const DEFAULT_REF = 'refs/heads/main'

/** This event runs code that a stranger proposes with the rights of the repository, so it is never accepted. */
export const STRANGERS_EVENT = 'pull_request_target'

const PUSH = 'push'

/** A person starts a run of what stands on the branch: an apply of what was merged before, or of drift. */
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

/** The claims by which a rule is for one repository; null if it is for others, too. */
export function repositoryOf({ claims }: Pick<FederationRule, 'claims'>): string | null {
  const { repository_id: id, repository_owner_id: owner = '' } = claims
  return typeof id === 'string' && typeof owner === 'string' ? `${owner}/${id}` : null
}

/** The rules for the repository whose jobs are this machine user, whoever wrote them. */
export function rulesOfRepository(rules: readonly FederationRule[], machineUser: string): FederationRule[] {
  const own = new Set(rules.filter((rule) => rule.machineUser === machineUser).map(repositoryOf))
  return rules.filter((rule) => repositoryOf(rule) !== null && own.has(repositoryOf(rule)))
}

/** Recognises GitHub's own issuer, that of an enterprise on it or on GHE.com, and that of an Enterprise Server. */
export function isGithubActions(issuer: string): boolean {
  if (!URL.canParse(issuer)) return false
  const { host, pathname } = new URL(issuer)
  return (
    host === 'token.actions.githubusercontent.com' ||
    /^token\.actions\.[^.]+\.ghe\.com$/.test(host) ||
    pathname === '/_services/token'
  )
}
