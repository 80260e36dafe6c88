import { HoldfastError } from '../../lib/errors.ts'
import { GitFailure, type GitWork } from '../models/git.ts'

/** Fetches a branch into FETCH_HEAD. Without a refmap it writes no reference, so no other process is disturbed. */
export async function fetchBranch(git: GitWork, remote: string, branch: string): Promise<void> {
  const fetch = () => git(['fetch', '--quiet', '--no-tags', '--refmap=', remote, `refs/heads/${branch}`])
  await fetch().catch((error: unknown) => {
    // Git reads the heads of all worktrees, and fails if another process adds or removes its worktree at that moment.
    if (error instanceof GitFailure && error.said.includes('worktrees/')) return fetch()
    throw error
  })
}

export async function defaultBranch(remote: string, git: GitWork): Promise<string> {
  const [, branch] =
    /^ref: refs\/heads\/(\S+)\s+HEAD$/m.exec(await git(['ls-remote', '--symref', remote, 'HEAD'])) ?? []
  if (branch !== undefined) return branch
  throw new HoldfastError('CONFLICT', `the remote ${remote} says no default branch to revert on; nothing was done`)
}

/** Pushes a new branch, and no tags. An empty lease means that the branch must not exist. */
export async function push(branch: string, remote: string, git: GitWork): Promise<void> {
  const reference = `refs/heads/${branch}`
  const words = ['push', '--quiet', '--no-follow-tags', `--force-with-lease=${reference}:`, remote, `HEAD:${reference}`]
  await git(words).catch(async (error: unknown) => {
    const exists = await git(['ls-remote', remote, reference]).catch(() => '')
    if (exists !== '')
      throw refused(
        `the branch ${branch} exists at ${remote} already; open the pull request from it, or delete it and run this again: git push ${remote} --delete ${branch}`,
      )
    if (!(error instanceof GitFailure)) throw error
    throw refused(`${error.message}. Check that you may push to ${remote}`)
  })
}

export function refused(message: string): HoldfastError {
  return new HoldfastError('CONFLICT', `${message}; no pull request was opened`)
}
