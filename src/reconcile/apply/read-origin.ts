import type { Environment } from '../../shell/io.ts'
import { folderOf } from '../models/readable-path.ts'
import { gitLine } from '../models/git.ts'
import type { Origin } from '../target/target.ts'
import { pullRequestIn } from '../models/pull-requests.ts'

/** Where to read the origin of the models, in addition to their directory. */
interface ReadAt {
  /** The commit to read the models from. Without it, the models come from the directory. */
  readonly at?: string | undefined
  /** The commit with which the changes are compared, in a form that Git can resolve. */
  readonly base?: string | undefined
}

/** The origin of the models: in a job, from the variables of the forge; otherwise, from their Git repository. */
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
  const git = (...words: readonly string[]) => gitLine(directory, env, words)
  const changeOf = base ? git('rev-parse', '--verify', '--end-of-options', `${base}^{commit}`) : undefined
  const [commit, ref, remote, changes, message = ''] = await Promise.all([
    git('rev-parse', '--verify', '--end-of-options', at ?? 'HEAD'),
    git('symbolic-ref', '--quiet', 'HEAD'),
    git('config', '--get', 'remote.origin.url'),
    git('status', '--porcelain', '--untracked-files=normal', '--', '.'),
    git('log', '--max-count=1', '--format=%B', '--end-of-options', at ?? 'HEAD'),
  ])
  // A commit with local changes must not look like the commit itself.
  const dirty = at !== undefined || changes === '' ? '' : '-dirty'
  return {
    commit: commit === undefined ? undefined : commit + dirty,
    base: await changeOf,
    ref,
    repository: remote === undefined ? undefined : withoutPassword(remote),
    pullRequest: dirty === '' ? (pullRequestIn(message) ?? undefined) : undefined,
  }
}

/** Removes the token that some remotes have in their address. */
function withoutPassword(remote: string): string {
  return remote.replace(/^([a-z][a-z+.-]*:\/\/)[^/?#]*@/i, '$1')
}
