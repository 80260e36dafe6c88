import { HoldfastError } from '../../lib/errors.ts'
import type { PastApply } from '../target/target.ts'

/** The commits of an apply, as its history entry has them. */
export interface AppliedCommits {
  readonly commit: string
  /** The base of these commits; null if the apply covered everything in the models of its commit. */
  readonly base: string | null
  readonly repository: string | null
  readonly folder: string | null
  /** The branch of the apply; null if it is not known. */
  readonly branch: string | null
}

const COMMIT = /^[0-9a-f]{40,64}$/

/** Refuses applies that have no commits to revert. */
export function appliedCommits({ uuid, origin, rollbackOf }: PastApply): AppliedCommits {
  const { commit, base, repository = null, folder = null, ref = '' } = origin ?? {}
  if (rollbackOf !== null) throw notReverted(`the apply ${uuid} is itself a rollback, of ${rollbackOf}`)
  if (commit === undefined)
    throw notReverted(`the apply ${uuid} names no commit, because its models came from no Git repository`)
  if (commit.endsWith('-dirty'))
    throw notReverted(`the apply ${uuid} was made with changes that no commit has (${commit.slice(0, 12)} and more)`)
  if (!COMMIT.test(commit) || (base !== undefined && !COMMIT.test(base)))
    throw notReverted(`the apply ${uuid} names ${JSON.stringify(commit)}, which is the hash of no commit`)
  const branch = /^refs\/heads\/([^\s~^:?*[\\]+)$/.exec(ref)?.[1] ?? null
  return { commit, base: base ?? null, repository, folder, branch }
}

function notReverted(why: string): HoldfastError {
  return new HoldfastError(
    'CONFLICT',
    `${why}, so there is nothing to revert in Git; leave out --pull-request to undo it on the platform`,
  )
}
