import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment, Io } from '../../shell/io.ts'
import { GitFailure, runGit, type GitWork } from '../models/git.ts'

/** Switches off recorded resolutions of other conflicts, because they must not decide here. */
const PLAIN = ['-c', 'rerere.enabled=false']

/** Variables that lead Git from the temporary worktree to another one, or to its index. */
const NOT_THE_CLONE = { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined }

function gitWork(cwd: string, env: Environment): GitWork {
  return async (words, input) => {
    // Files in Git LFS are not needed.
    const place = { cwd, env: { ...env, GIT_LFS_SKIP_SMUDGE: '1' }, ...(input !== undefined && { input }) }
    const { isDone, output, said } = await runGit([...PLAIN, ...words], place)
    if (isDone) return output.trim()
    throw new GitFailure(words, said)
  }
}

/** Runs `work` in a temporary worktree of a clone, so that the user's files, index and branches stay unchanged. */
export async function inWorktree<T>(clone: string, { env }: Io, work: (git: GitWork) => Promise<T>): Promise<T> {
  const place = await mkdtemp(join(tmpdir(), 'holdfast-revert-'))
  const tree = join(place, 'tree')
  const git = gitWork(clone, env)
  try {
    await git(['worktree', 'add', '--quiet', '--detach', '--no-checkout', tree, 'HEAD'])
    return await work(gitWork(tree, { ...env, ...NOT_THE_CLONE }))
  } finally {
    await git(['worktree', 'remove', '--force', '--force', tree]).catch(() => '')
    await rm(place, { recursive: true, force: true })
  }
}
