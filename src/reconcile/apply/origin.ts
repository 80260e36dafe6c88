import { execFile } from 'node:child_process'
import type { Environment } from '../../shell/io.ts'
import type { Origin } from '../target/target.ts'

/** The origin of the models: the forge's variables in its jobs, and otherwise what Git says about their directory. */
export async function originOf(directory: string, env: Environment): Promise<Origin> {
  const git = await gitOrigin(directory, env)
  return compact({
    commit: git.commit ?? env['GITHUB_SHA'] ?? env['CI_COMMIT_SHA'],
    repository: env['GITHUB_REPOSITORY'] ?? env['CI_PROJECT_PATH'] ?? git.repository,
    ref: env['GITHUB_REF'] ?? branchRef(env['CI_COMMIT_BRANCH']) ?? git.ref,
    actor: env['GITHUB_ACTOR'] ?? env['GITLAB_USER_LOGIN'],
  })
}

function branchRef(branch: string | undefined): string | undefined {
  return branch === undefined ? undefined : `refs/heads/${branch}`
}

type Words = { readonly [name in keyof Origin]: string | undefined }

function compact(words: Words): Origin {
  return Object.fromEntries(Object.entries(words).filter(([, word]) => word !== undefined && word !== ''))
}

async function gitOrigin(directory: string, env: Environment): Promise<Words> {
  const git = (...words: readonly string[]) => runGit(directory, env, words)
  const [commit, ref, remote, changes] = await Promise.all([
    git('rev-parse', 'HEAD'),
    git('symbolic-ref', '--quiet', 'HEAD'),
    git('config', '--get', 'remote.origin.url'),
    git('status', '--porcelain', '--', '.'),
  ])
  // A commit with local changes must not look like the commit itself.
  const dirty = changes === undefined || changes === '' ? '' : '-dirty'
  return {
    commit: commit === undefined ? undefined : commit + dirty,
    ref,
    repository: remote === undefined ? undefined : withoutPassword(remote),
  }
}

/**
 * Options against repositories that make Git run programs. A directory of models may pretend to be a bare repository.
 */
const TRUSTS_NOTHING = ['-c', 'core.fsmonitor=false', '-c', 'safe.bareRepository=explicit']

/**
 * Runs Git. The result is undefined where Git, the repository or the requested thing does not exist, because an apply
 * does not depend on it.
 */
export function runGit(cwd: string, env: Environment, words: readonly string[]): Promise<string | undefined> {
  const options = { cwd, timeout: 5_000, env: { ...env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' } }
  return new Promise((resolve) => {
    execFile('git', [...TRUSTS_NOTHING, ...words], options, (error, stdout) => {
      resolve(error === null ? stdout.trim() : undefined)
    })
  })
}

/** Removes the token that some remotes have in their address. */
function withoutPassword(remote: string): string {
  return remote.replace(/^([a-z][a-z+.-]*:\/\/)[^/@]*@/i, '$1')
}
