import { quoteWord } from '../../shell/terminal.ts'
import type { GithubRepository } from './github-repository.ts'

interface GithubSetup {
  readonly repository: GithubRepository
  readonly environment: string
  readonly audience: string
  readonly models: string
  /** Whether runs that somebody starts by hand may apply. */
  readonly isByHand: boolean
}

/**
 * Lists the remaining steps at GitHub for an administrator of the repository, as commands and pages. The name of a
 * branch may contain any character except spaces, so it is quoted for the shell.
 */
export function githubSteps({ repository, environment, audience, models, isByHand }: GithubSetup): string {
  const { name, defaultBranch } = repository
  const settings = `https://github.com/${name}/settings`
  const place = quoteWord(`repos/${name}/environments/${encodeURIComponent(environment)}`)
  return `
At GitHub, by who administers ${name}:

1. The address of the platform, where the workflows look for it (${settings}/variables/actions).
   With several platforms, give it to each call of a workflow instead: with: { url: '${audience}' }

gh variable set HOLDFAST_URL --repo ${name} --body ${quoteWord(audience)}

2. The environment, with ${defaultBranch} as its only branch. These commands give it NO REVIEWERS: until you add them by hand, as
   required reviewers, anyone who may push${isByHand ? ' or start a workflow' : ''} applies alone: ${settings}/environments
   ${isByHand ? RUNS_BY_HAND : NO_RUNS_BY_HAND}

gh api --method PUT ${place} --input - <<'END'
{ "deployment_branch_policy": { "protected_branches": false, "custom_branch_policies": true } }
END
gh api --method POST ${place}/deployment-branch-policies -f ${quoteWord(`name=${defaultBranch}`)}

3. A rule set: pull requests, a review that a later push dismisses, the owners of ${models}/holdfast.yaml, and the plan.

gh api --method POST repos/${name}/rulesets --input - <<'END'
${JSON.stringify(RULE_SET)}
END

4. Commit what was written here, and open a pull request: its plan is the test.
`
}

const RUNS_BY_HAND = 'Runs by hand apply everything that differs, once these reviewers agree.'
const NO_RUNS_BY_HAND = 'Runs by hand only plan. With reviewers there, add --runs-by-hand to let them apply.'

/** The format is described at https://docs.github.com/en/rest/repos/rules. */
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
