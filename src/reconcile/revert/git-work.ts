import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment, Io } from '../../shell/io.ts'
import { GitFailure, runGit, type GitWork } from '../models/git.ts'

/**
 * Hooks are for the work of people: they may expect what a temporary worktree does not have. A recorded resolution of
 * another conflict must not decide.
 */
const PLAIN = ['-c', 'core.hooksPath=/dev/null', '-c', 'rerere.enabled=false']

function gitWork(cwd: string, env: Environment): GitWork {
  return async (words, input) => {
    // Files that Git LFS holds elsewhere are not needed.
    const place = { cwd, env: { ...env, GIT_LFS_SKIP_SMUDGE: '1' }, ...(input !== undefined && { input }) }
    const { isDone, output, said } = await runGit([...PLAIN, ...words], place)
    if (isDone) return output.trim()
    throw new GitFailure(words, said)
  }
}

/** A worktree of a clone for a while, so that the files, the index and the branches of the user stay as they are. */
export async function inWorktree<T>(clone: string, { env }: Io, work: (git: GitWork) => Promise<T>): Promise<T> {
  const place = await mkdtemp(join(tmpdir(), 'holdfast-revert-'))
  const tree = join(place, 'tree')
  const git = gitWork(clone, env)
  try {
    await git(['worktree', 'add', '--quiet', '--detach', '--no-checkout', tree, 'HEAD'])
    return await work(gitWork(tree, env))
  } finally {
    await git(['worktree', 'remove', '--force', '--force', tree]).catch(() => '')
    await rm(place, { recursive: true, force: true })
  }
}
