import { execFile } from 'node:child_process'
import type { Environment } from '../../shell/io.ts'
import { folderOf } from '../models/folder.ts'
import type { Origin } from '../target/target.ts'
import { pullRequestIn } from '../models/pull-requests.ts'

/** Where the models come from beside their directory. */
export interface ReadAt {
  /** The commit that the models are read at; without one they are those of the directory. */
  readonly at?: string | undefined
  /** What they are a change of, as Git can name a commit. */
  readonly base?: string | undefined
}

/** The origin of the models: the forge's variables in its jobs, and otherwise what Git says about their directory. */
export async function originOf(directory: string, env: Environment, readAt: ReadAt = {}): Promise<Origin> {
  const git = await gitOrigin(directory, env, readAt)
  return compact({
    commit: git.commit ?? env['GITHUB_SHA'] ?? env['CI_COMMIT_SHA'],
    base: git.base,
    repository: env['GITHUB_REPOSITORY'] ?? env['CI_PROJECT_PATH'] ?? git.repository,
    ref: env['GITHUB_REF'] ?? branchRef(env['CI_COMMIT_BRANCH']) ?? git.ref,
    actor: env['GITHUB_ACTOR'] ?? env['GITLAB_USER_LOGIN'],
    pullRequest: git.pullRequest,
    folder: folderOf(directory) ?? undefined,
  })
}

function branchRef(branch: string | undefined): string | undefined {
  return branch === undefined ? undefined : `refs/heads/${branch}`
}

type Words = { readonly [name in keyof Origin]: string | undefined }

function compact(words: Words): Origin {
  return Object.fromEntries(Object.entries(words).filter(([, word]) => word !== undefined && word !== ''))
}

async function gitOrigin(directory: string, env: Environment, { at, base }: ReadAt): Promise<Omit<Words, 'folder'>> {
  const git = (...words: readonly string[]) => runGit(directory, env, words)
  const changeOf = base ? git('rev-parse', '--verify', '--end-of-options', `${base}^{commit}`) : undefined
  const [commit, ref, remote, changes, message = ''] = await Promise.all([
    git('rev-parse', '--verify', '--end-of-options', at ?? 'HEAD'),
    git('symbolic-ref', '--quiet', 'HEAD'),
    git('config', '--get', 'remote.origin.url'),
    git('status', '--porcelain', '--', '.'),
    git('log', '--max-count=1', '--format=%B', '--end-of-options', at ?? 'HEAD'),
  ])
  // A commit with local changes must not look like the commit itself.
  const dirty = at !== undefined || changes === undefined || changes === '' ? '' : '-dirty'
  return {
    commit: commit === undefined ? undefined : commit + dirty,
    base: await changeOf,
    ref,
    repository: remote === undefined ? undefined : withoutPassword(remote),
    pullRequest: dirty === '' ? (pullRequestIn(message) ?? undefined) : undefined,
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
