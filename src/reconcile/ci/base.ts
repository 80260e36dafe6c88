import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context, Io } from '../../shell/io.ts'
import { commitAt, refusalOfGit } from '../models/models-at.ts'
import type { Job } from '../forge/job.ts'
import { readJob } from '../forge/open-forge.ts'
import { writeOutput } from '../pull-request/step-output.ts'
import { warn } from '../forge/workflow-commands.ts'

/**
 * Finds the base of the checked out commit: the tip of the target branch, or the commit ahead of it in the merge
 * queue. Writes no output if the base is not known.
 */
export async function changeBase({ io }: Context): Promise<CommandResult> {
  const job = readJob('ci base', io.env)
  const base = await baseCommit(job, io)
  if (base === null) {
    const why = 'the job needs a checkout of the merge commit with its parents (fetch-depth: 2)'
    warn(
      `the base of this commit is not known, so the plan covers everything that differs from the platform; ${(await refusalOfGit('.', io)) ?? why}`,
      io,
    )
  } else io.stderr.write(`This is planned as a change of ${base}.\n`)
  writeOutput({ base: base ?? '' }, io)
  return DONE
}

/** The base of the commit of this job; null if it is not known. */
export async function baseCommit({ event }: Job, io: Io): Promise<string | null> {
  const commit = (reference: string) => commitAt(reference, '.', io)
  if (event.kind === 'other') return null
  const given = event.kind === 'queue' && event.base !== null ? await commit(event.base) : null
  if (given !== null) return given
  // Only the trial merge of a forge has the target branch as its first parent. The first parent of a commit on the
  // branch itself is a commit of the branch.
  const isMerge = event.kind === 'queue' || (await commit('HEAD^2')) === event.head
  if (isMerge) return commit('HEAD^1')
  return event.kind === 'pull-request' && event.mergeBase !== undefined ? commit(event.mergeBase) : null
}
