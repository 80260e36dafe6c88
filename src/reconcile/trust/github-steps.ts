import type { GithubRepository } from './github-repository.ts'

export interface GithubSetup {
  readonly repository: GithubRepository
  readonly environment: string
  readonly audience: string
  readonly models: string
}

/** What is left to do at GitHub, by whoever administers the repository, as commands and as pages. */
export function githubSteps({ repository, environment, audience, models }: GithubSetup): string {
  const { name, defaultBranch } = repository
  const settings = `https://github.com/${name}/settings`
  return `
At GitHub, by who administers ${name}:

1. The address of the platform, where the workflows look for it (${settings}/variables/actions).
   With several platforms, give it to each call of a workflow instead: with: { url: '${audience}' }

gh variable set HOLDFAST_URL --repo ${name} --body '${audience}'

2. The environment, with ${defaultBranch} as its only branch. These commands give it NO REVIEWERS: until you add them by hand, as
   required reviewers, anyone who may push or start a workflow applies alone: ${settings}/environments

gh api --method PUT repos/${name}/environments/${environment} --input - <<'END'
{ "deployment_branch_policy": { "protected_branches": false, "custom_branch_policies": true } }
END
gh api --method POST repos/${name}/environments/${environment}/deployment-branch-policies -f name='${defaultBranch}'

3. A rule set: pull requests, a review that a later push dismisses, the owners of ${models}/holdfast.yaml, and the plan.

gh api --method POST repos/${name}/rulesets --input - <<'END'
${JSON.stringify(RULE_SET)}
END

4. Commit what was written here, and open a pull request: its plan is the test.
`
}

/** As https://docs.github.com/en/rest/repos/rules describes it. */
const RULE_SET = {
  name: 'Holdfast',
  target: 'branch',
  enforcement: 'active',
  conditions: { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] } },
  rules: [
    {
      type: 'pull_request',
      parameters: {
        required_approving_review_count: 1,
        dismiss_stale_reviews_on_push: true,
        require_code_owner_review: true,
        require_last_push_approval: false,
        required_review_thread_resolution: false,
      },
    },
    {
      type: 'required_status_checks',
      parameters: {
        strict_required_status_checks_policy: false,
        required_status_checks: [{ context: 'plan / plan' }],
      },
    },
  ],
}
