import { nameSome } from '../../lib/counted.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { Io } from '../../shell/io.ts'
import { quoteWord } from '../../shell/terminal.ts'
import type { AppliedCommits } from './applied-commits.ts'
import type { Clone } from './clone.ts'
import type { GitWork } from '../models/git.ts'
import { defaultBranch, fetchBranch, push, refused } from './branches.ts'
import { inWorktree } from './git-work.ts'

export interface RevertedCommit {
  readonly commit: string
  readonly subject: string
}

/** A commit that reverts others, pushed as a branch. */
export interface Revert {
  /** The reverted commits, the newest first. */
  readonly reverted: readonly RevertedCommit[]
  /** The branch to merge into, and its commit at that time. */
  readonly into: string
  readonly before: string
  readonly commit: string
}

interface RevertOrder {
  readonly applied: AppliedCommits
  /** The new branch. */
  readonly branch: string
  message(reverted: readonly RevertedCommit[]): string
}

/** A pull request with more commits has more likely a wrong base than one change. */
const MOST_COMMITS = 250
const MOST_FILES = 10

/**
 * Reverts the commits of an apply on the newest commit of their branch, and pushes the result as a new branch. It
 * never changes an existing branch, so if two run at once, only one succeeds.
 */
export async function pushRevert(clone: Clone, order: RevertOrder, io: Io): Promise<Revert> {
  return inWorktree(clone.root, io, async (git) => {
    const { applied, branch } = order
    const remote = clone.remote.name
    const into = applied.branch ?? (await defaultBranch(remote, git))
    await fetchBranch(git, remote, into)
    const before = await git(['rev-parse', 'FETCH_HEAD'])
    const reverted = await commitsOf(applied, { remote, into, tip: before }, git)
    await git(['checkout', '--quiet', '--detach', before])
    for (const { commit, isMerge } of reverted) await revertOne(commit, isMerge, { remote, into, branch }, git)
    await requireChange(applied, into, git)
    await git(['commit', '--quiet', '--no-verify', '--file=-'], order.message(reverted))
    const commit = await git(['rev-parse', 'HEAD'])
    await push(branch, remote, git)
    return { reverted, into, before, commit }
  })
}

interface Onto {
  readonly remote: string
  readonly into: string
  readonly tip: string
}

/**
 * The commits to revert, the newest first. It lists only commits of the branch itself, not commits of merged branches.
 */
async function commitsOf({ commit, base }: AppliedCommits, { remote, into, tip }: Onto, git: GitWork) {
  const isShallow = (await git(['rev-parse', '--is-shallow-repository'])) === 'true'
  const fetch = `fetch it: git fetch ${isShallow ? '--unshallow ' : ''}${remote}`
  for (const one of [commit, ...(base === null ? [] : [base])])
    if (!(await holds(['cat-file', '-e', `${one}^{commit}`], git)))
      throw refused(`Git knows no commit ${one} here; ${fetch}`)
  if (!isShallow && !(await holds(['merge-base', '--is-ancestor', commit, tip], git)))
    throw refused(
      `the branch ${into} of ${remote} does not have the commit ${commit}, so there is nothing to revert on it`,
    )
  const range = base === null ? ['--no-walk', commit] : ['--first-parent', `${base}..${commit}`]
  const listed = await git(['log', `--max-count=${MOST_COMMITS + 1}`, '--format=%H%x00%P%x00%s', ...range])
  const found = listed.split('\n').flatMap((line) => {
    const [hash = '', parents = '', subject = ''] = line.split('\0')
    return hash === '' ? [] : [{ commit: hash, subject, parents: parents.split(' ').filter(Boolean).length }]
  })
  if (found.length === 0 || found.length > MOST_COMMITS)
    throw refused(
      `between ${base} and ${commit} there are ${found.length === 0 ? 'no' : `more than ${MOST_COMMITS}`} commits`,
    )
  // At the end of a shallow clone, a commit looks as if it had created all files.
  if (isShallow && found.some(({ parents }) => parents === 0))
    throw refused(`the history of this clone ends there; ${fetch}`)
  return found.map(({ parents, ...one }) => ({ ...one, isMerge: parents > 1 }))
}

async function holds(words: readonly string[], git: GitWork): Promise<boolean> {
  return git(words).then(
    () => true,
    () => false,
  )
}

async function revertOne(
  commit: string,
  isMerge: boolean,
  { remote, into, branch }: Omit<Onto, 'tip'> & { readonly branch: string },
  git: GitWork,
): Promise<void> {
  const words = ['revert', '--no-commit', ...(isMerge ? ['--mainline', '1'] : []), commit]
  try {
    await git(words)
  } catch (error) {
    const files = (await git(['diff', '--name-only', '--diff-filter=U', '-z'])).split('\0').filter(Boolean)
    if (files.length === 0) throw error
    const by = `git switch --create ${branch} ${quoteWord(`${remote}/${into}`)} && git ${words.join(' ')}`
    throw new HoldfastError(
      'CONFLICT',
      `later commits changed the same as ${commit.slice(0, 12)} in ${nameSome(files, MOST_FILES)}, so Git cannot revert it automatically; nothing was pushed. Resolve that in a branch of your own, and open a pull request: ${by}`,
      { details: files },
    )
  }
}

/** Refuses if nothing changes. Git reports no conflict if a change is reverted already. */
async function requireChange({ folder }: AppliedCommits, into: string, git: GitWork): Promise<void> {
  const where = folder === null || folder === '.' ? [] : ['--', folder]
  if ((await git(['diff', '--cached', '--name-only', ...where])) !== '') return
  const what = folder === null ? 'nothing' : `nothing in ${folder}`
  throw refused(
    `reverting that changes ${what} on ${into}: it is reverted there already, or other commits made the applied changes`,
  )
}
