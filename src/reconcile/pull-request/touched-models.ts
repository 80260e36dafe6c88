import type { JobReport } from './job-report.ts'
import { troubleText } from './trouble.ts'

/** GitHub lists this many files of a pull request at most. */
const MOST_LISTED = 3_000

/**
 * Tells whether a pull request changes the models, their settings or a file that they refer to. Where GitHub does not
 * say, it may, because a comment too many is better than one too few. `others` are paths from the root of the repository.
 */
export async function touchesModels(report: JobReport, number: number, others: ReadonlySet<string>): Promise<boolean> {
  const { job, models, io } = report
  if (models === '') return true
  try {
    const files = await filesOf(report, number)
    const isOne = (path: string | undefined) => path?.startsWith(`${models}/`) === true || others.has(path ?? '')
    return files.length >= MOST_LISTED || files.some((file) => isOne(file.filename) || isOne(file.previous_filename))
  } catch (error) {
    if (io.signal.aborted) throw error
    const reason = troubleText(error, job, 'pull-requests: read', io.now())
    io.stderr.write(`It is not known which files the pull request changes: ${reason}.\n`)
    return true
  }
}

async function filesOf({ job: { owner, repo }, github }: JobReport, number: number) {
  const { rest, paginate } = await github()
  return paginate(rest.pulls.listFiles, { owner, repo, pull_number: number, per_page: 100 })
}
