import { HoldfastError } from '../../lib/errors.ts'
import type { Io } from '../../shell/io.ts'
import { gitIn } from '../models/git.ts'
import type { JobReport } from '../pull-request/job-report.ts'
import { mergedPullRequest } from '../pull-request/shown-plan.ts'

/** A part of a push: the commits of one pull request, or a commit without a pull request. */
export interface Pushed {
  readonly pullRequest: number | null
  readonly commit: string
  /** The commit before; null if Git does not have it. */
  readonly base: string | null
}

/** The forge is asked about each commit, so their number is limited. */
const MOST_COMMITS = 250

/**
 * Splits a push into parts, the oldest first. A merge queue pushes several pull requests at once. A rebase or a
 * fast-forward adds several commits of one pull request.
 */
export async function pushedParts(report: JobReport): Promise<Pushed[]> {
  const { job, io } = report
  const { knowsLastCommitOnly = false } = await report.forge()
  const parts: Pushed[] = []
  for (const { commit, base } of await pushedCommits(report, io)) {
    const pullRequest = await mergedPullRequest(report, commit)
    const last = parts.at(-1)
    if (last !== undefined && isSamePart(last.pullRequest, pullRequest, knowsLastCommitOnly))
      parts[parts.length - 1] = { ...last, pullRequest, commit }
    else parts.push({ pullRequest, commit, base })
  }
  return parts.length > 0
    ? parts
    : [{ pullRequest: await mergedPullRequest(report, job.commit), commit: job.commit, base: null }]
}

/**
 * Tells whether a commit belongs to the same part as the commit before it. On a forge that knows only the last
 * commit, commits without a pull request belong to the next pull request. A direct push among them is still refused,
 * because the part must have the reviewed digest.
 */
function isSamePart(last: number | null, next: number | null, knowsLastCommitOnly: boolean): boolean {
  return last === null ? knowsLastCommitOnly : last === next
}

interface PushedCommit {
  readonly commit: string
  readonly base: string | null
}

async function pushedCommits({ job: { commit, event } }: JobReport, io: Io): Promise<readonly PushedCommit[]> {
  const git = gitIn(io.cwd, io.env)
  const before = event.kind === 'other' ? event.before : null
  const range =
    before === null ? ['--max-count=1', commit] : [`--max-count=${MOST_COMMITS + 1}`, `${before}..${commit}`]
  const listed = (await git(['rev-list', '--first-parent', '--parents', '--reverse', ...range])) ?? ''
  const rows = listed.split('\n').filter((line) => line !== '')
  if (rows.length > MOST_COMMITS)
    throw new HoldfastError(
      'LIMIT_EXCEEDED',
      `the push has more than ${MOST_COMMITS} commits, too many to look up; plan and apply everything that differs instead`,
    )
  return rows.map((row) => {
    const [own = '', parent = null] = row.split(' ')
    return { commit: own, base: parent }
  })
}
