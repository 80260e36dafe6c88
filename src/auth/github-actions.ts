import type { FederationRule } from './federation-rules.ts'

// Jobs of GitHub Actions sign in with their own OpenID token, so that no secret is stored
// (https://docs.github.com/en/actions/reference/security/oidc). Every repository in the world gets such tokens, for any
// audience that it asks for: the rules below let in one repository.

/** Which repository may plan and apply. */
export interface GithubActionsTrust {
  /** Decimal. Unlike its name, which somebody else can take after a rename, it is never given to another one. */
  readonly repositoryId: string
  readonly repositoryOwnerId: string
  /** Where an apply may come from. */
  readonly ref: string
  /** Whose protection rules an apply has passed. */
  readonly environment: string
  /** The one workflow that may apply, such as `owner/name/.github/workflows/apply.yml@refs/heads/main`; null: any. */
  readonly jobWorkflowRef: string | null
  /** Whether an apply may run on machines that are not GitHub's. */
  readonly selfHostedRunners: boolean
  readonly planMachineUser: string
  readonly applyMachineUser: string
}

export const DEFAULT_REF = 'refs/heads/main'

/** An event that runs with the rights of the repository on what a stranger proposes: it never gets anything. */
export const STRANGERS_EVENT = 'pull_request_target'

const PLANNING_EVENTS = ['pull_request', 'merge_group', 'schedule', 'push', 'workflow_dispatch']

export function githubActionsRules(trust: GithubActionsTrust): FederationRule[] {
  // Not `sub`: its format is the repository's own setting.
  const repository = { repository_id: trust.repositoryId, repository_owner_id: trust.repositoryOwnerId }
  return [
    {
      name: 'apply',
      claims: {
        ...repository,
        event_name: 'push',
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

/** GitHub's own, that of an enterprise on it, or that of a GitHub Enterprise Server. */
export function isGithubActions(issuer: string): boolean {
  if (!URL.canParse(issuer)) return false
  const { host, pathname } = new URL(issuer)
  return host === 'token.actions.githubusercontent.com' || pathname === '/_services/token'
}
