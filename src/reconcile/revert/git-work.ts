import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HoldfastError } from '../../lib/errors.ts'
import type { Environment, Io } from '../../shell/io.ts'
import { runGit } from '../models/git.ts'

/** Runs Git and gives its output. A failure throws with what Git said. */
export type GitWork = (words: readonly string[], input?: string) => Promise<string>

/**
 * Hooks are for the work of people: they may expect what a temporary worktree does not have. A recorded resolution of
 * another conflict must not decide.
 */
const PLAIN = ['-c', 'core.hooksPath=/dev/null', '-c', 'rerere.enabled=false']

const MOST_SAID = 2_000

export class GitFailure extends HoldfastError {
  readonly said: string

  constructor(words: readonly string[], said: string) {
    const shown = withoutPasswords(said).slice(0, MOST_SAID)
    super('CONFLICT', `git ${words[0]} failed: ${shown}`)
    this.said = shown
  }
}

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

/** The address of a remote may have a token in it. */
function withoutPasswords(text: string): string {
  return text.replaceAll(/:\/\/[^/@\s]*@/g, '://')
}
