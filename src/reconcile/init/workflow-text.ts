import { HoldfastError } from '../../lib/errors.ts'
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Environment } from '../../shell/io.ts'
import { gitLine } from '../models/git.ts'

/** The version of Holdfast that the workflows of a repository use. */
export interface ActionSource {
  /** `owner/name` on GitHub. */
  readonly repository: string
  readonly commit: string
}

export function parseActionSource(text: string): ActionSource {
  const [, repository, commit] = /^([\w.-]+\/[\w.-]+)@([0-9a-f]{40})$/.exec(text) ?? []
  if (repository !== undefined && commit !== undefined) return { repository, commit }
  throw new HoldfastError(
    'BAD_USER_INPUT',
    `--action ${JSON.stringify(text)}: write owner/name@commit with all 40 digits of the commit, so that nobody can change what your workflows run`,
  )
}

interface Call {
  readonly permissions: readonly string[]
}

const CALLS: { readonly [job: string]: Call } = {
  plan: { permissions: ['actions: read', 'checks: write', 'id-token: write', 'pull-requests: write'] },
  apply: { permissions: ['actions: read', 'id-token: write', 'pull-requests: write'] },
  drift: { permissions: ['id-token: write', 'issues: write'] },
}

/** One workflow that calls the workflows of Holdfast. The event decides which of them run. */
export function workflowText(source: ActionSource, version: string, url: string | null): string {
  return `# Pull requests show their plan, merging applies the reviewed plan, drift becomes an issue.
# No secret is stored: the jobs sign in with GitHub's own token. docs/pull-requests.md of Holdfast says what the platform has to know.
name: Holdfast

on:
  pull_request:
    types: [opened, synchronize, reopened, edited]
  merge_group:
  push:
    branches: [main]
    paths: ['models/**']
  schedule:
    - cron: '41 5 * * *'
  workflow_dispatch:

permissions: {}

jobs:
${Object.entries(CALLS)
  .map(([job, call]) => jobText(job, call, source, version, url))
  .join('\n')}`
}

function jobText(
  job: string,
  { permissions }: Call,
  { repository, commit }: ActionSource,
  version: string,
  url: string | null,
): string {
  // A JSON string is also a YAML string. Without an address, the workflow uses the repository's variable
  // HOLDFAST_URL.
  const inputs = url === null ? '' : `    with: { url: ${JSON.stringify(url.replace(/\/$/, ''))} }\n`
  return `  ${job}:
    uses: ${repository}/.github/workflows/${job}.yml@${commit} # v${version}
${inputs}    permissions: { contents: read, ${permissions.join(', ')} }
`
}

export const DEPENDABOT = `version: 2
updates:
  # Holdfast is pinned by its commit; a pull request tells when there is a newer one.
  - package-ecosystem: github-actions
    directory: /
    schedule: { interval: weekly }
`

const PACKAGE = fileURLToPath(new URL('../../../', import.meta.url))

/** The origin that a package from a registry states (scripts/build-package.ts). */
const PACKAGED: { readonly name: string; readonly action?: ActionSource | null } = packageJson

/**
 * The GitHub repository of the running Holdfast; null if neither its package nor Git knows it. If Holdfast is a part
 * of another repository, Git would name that repository, so the answer is null too.
 */
export async function ownSource(env: Environment): Promise<ActionSource | null> {
  if (PACKAGED.action !== undefined) return PACKAGED.action
  const git = (...words: readonly string[]) => gitLine(PACKAGE, env, words)
  const [top, remote, commit] = await Promise.all([
    git('rev-parse', '--show-toplevel'),
    git('config', '--get', 'remote.origin.url'),
    git('rev-parse', 'HEAD'),
  ])
  if (top === undefined || realpathSync(top) !== realpathSync(PACKAGE)) return null
  const repository = githubName(remote ?? '')
  return repository === null || commit === undefined ? null : { repository, commit }
}

/** The name in `https://github.com/owner/name.git` or `git@github.com:owner/name.git`. */
export function githubName(remote: string): string | null {
  const [, name] =
    /^(?:https:\/\/(?:[^@/]*@)?|ssh:\/\/git@|git@)github\.com[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(remote) ?? []
  return name ?? null
}
