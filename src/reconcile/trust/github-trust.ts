import { githubActionsRules } from '../../auth/github-actions.ts'
import type { GithubRepository } from './github-repository.ts'
import type { Trust } from './ensure-rules.ts'

export interface GithubTrustOptions {
  /** The address of the platform, without a slash at its end. */
  readonly audience: string
  readonly issuer: string
  readonly environment: string
  readonly jobWorkflowRef: string | null
}

/**
 * What one repository may do. Each has machine users and rules of its own, so that several can share a platform and its
 * history says which one it was; another environment of the same repository adds one rule.
 */
export function githubTrust(repository: GithubRepository, options: GithubTrustOptions): Trust {
  const { name, id, ownerId, defaultBranch } = repository
  const login = name.replace('/', '-').toLowerCase()
  const rules = githubActionsRules({
    repositoryId: id,
    repositoryOwnerId: ownerId,
    ref: `refs/heads/${defaultBranch}`,
    environment: options.environment,
    planMachineUser: `${login}-plan`,
    applyMachineUser: `${login}-apply`,
    jobWorkflowRef: options.jobWorkflowRef,
    selfHostedRunners: false,
  })
  const place = (rule: string) => (rule === 'apply' ? `, in ${options.environment}` : '')
  return {
    name: 'GitHub Actions',
    issuer: options.issuer,
    audience: options.audience,
    rules: rules.map((rule) => ({ ...rule, name: `${name}: ${rule.name}${place(rule.name)}` })),
  }
}
