import type { ActionSource } from './workflow-text.ts'

// The pipelines of GitLab, Gitea and Forgejo. Each job installs Holdfast from its commit, as GitHub's workflows do,
// and calls `holdfast ci`, which recognises the forge by its variables.

type PipelineForge = 'gitlab' | 'gitea'
export type Forge = PipelineForge | 'github'

/** The file in which a forge looks for its pipeline. */
export const PIPELINE_FILES: { readonly [forge in Forge]: string } = {
  github: '.github/workflows/holdfast.yml',
  gitlab: '.gitlab-ci.yml',
  gitea: '.gitea/workflows/holdfast.yml',
}

export function pipelineText(forge: PipelineForge, source: ActionSource, url: string | null): string {
  const address = url === null ? null : url.replace(/\/$/, '')
  return forge === 'gitlab' ? gitlabText(source, address) : giteaText(source, address)
}

function install({ repository, commit }: ActionSource): readonly string[] {
  return [
    `git clone --quiet https://github.com/${repository}.git "$HOLDFAST_HOME"`,
    `git -C "$HOLDFAST_HOME" checkout --quiet ${commit}`,
    'npm ci --prefix "$HOLDFAST_HOME" --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund',
  ]
}

function gitlabText(source: ActionSource, url: string | null): string {
  const address =
    url === null
      ? '# The variable HOLDFAST_URL of the project (Settings > CI/CD > Variables) is the address of the platform.\n'
      : `variables:\n  HOLDFAST_URL: ${JSON.stringify(url)}\n`
  return `# Merge requests show their plan, merging applies the reviewed plan, drift becomes an issue.
# The jobs sign in with GitLab's own token; HOLDFAST_GITLAB_TOKEN is for comments alone. README.md says more.
${address}
.holdfast:
  image: node:24
  variables:
    GIT_DEPTH: '0'
    HOLDFAST_HOME: /tmp/holdfast
  id_tokens:
    HOLDFAST_ID_TOKEN: { aud: $HOLDFAST_URL }
  before_script:
${install(source)
  .map((line) => `    - ${line}\n`)
  .join('')}
plan:
  extends: .holdfast
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  interruptible: true
  script:
    - node "$HOLDFAST_HOME/bin/holdfast.js" ci plan --out plan.json
  artifacts: { when: always, expire_in: 90 days, paths: [plan.json] }

# Where the environment is protected, its approvers are asked; elsewhere add: when: manual
apply:
  extends: .holdfast
  rules:
    - if: $CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
      changes: ['models/**/*']
  environment: { name: production }
  resource_group: holdfast
  interruptible: false
  script:
    - node "$HOLDFAST_HOME/bin/holdfast.js" ci apply

drift:
  extends: .holdfast
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule"
  script:
    - node "$HOLDFAST_HOME/bin/holdfast.js" ci drift
`
}

function giteaText(source: ActionSource, url: string | null): string {
  const address = url === null ? '${{ vars.HOLDFAST_URL }}' : JSON.stringify(url)
  return `# Pull requests show their plan, merging applies the reviewed plan, drift becomes an issue.
# In Forgejo the jobs sign in with its own token, in Gitea with a password from secrets. README.md says more.
name: Holdfast

on:
  pull_request:
  push:
    branches: [main]
    paths: ['models/**']
  schedule:
    - cron: '41 5 * * *'

# Forgejo from version 15 on; Gitea has no such tokens.
enable-openid-connect: true

env:
  HOLDFAST_URL: ${address}
  HOLDFAST_HOME: /tmp/holdfast
  GITHUB_TOKEN: \${{ github.token }}

jobs:
${giteaJob('plan', "github.event_name == 'pull_request'", source)}
${giteaJob('apply', "github.event_name == 'push'", source)}
${giteaJob('drift', "github.event_name == 'schedule'", source)}`
}

/** One job of the pipeline. The client and the password are left empty if the forge gives tokens. */
function giteaJob(command: 'plan' | 'apply' | 'drift', condition: string, source: ActionSource): string {
  const account = command === 'apply' ? 'APPLY' : 'PLAN'
  const lines = [...install(source), `node "$HOLDFAST_HOME/bin/holdfast.js" ci ${command}`]
  return `  ${command}:
    if: ${condition}
    runs-on: ubuntu-latest
    env:
      HOLDFAST_CLIENT_ID: \${{ secrets.HOLDFAST_CLIENT_ID }}
      HOLDFAST_CLIENT_SECRET: \${{ secrets.HOLDFAST_CLIENT_SECRET }}
      HOLDFAST_USERNAME: \${{ secrets.HOLDFAST_${account}_USERNAME }}
      HOLDFAST_PASSWORD: \${{ secrets.HOLDFAST_${account}_PASSWORD }}
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with: { fetch-depth: 0, persist-credentials: false }
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
        with: { node-version: '24' }
      - run: |
${lines.map((line) => `          ${line}\n`).join('')}`
}
