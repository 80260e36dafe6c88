import { headingOf, type JobReport } from './job-report.ts'
import { hasStatus, troubleText } from '../forge/refusals.ts'

/** An entry in the list of checks of a commit. */
interface Verdict {
  readonly conclusion: 'success' | 'failure'
  /** One line of text. */
  readonly title: string
  /** Makes markdown of at most the given number of bytes. */
  summary(limit: number): string
}

const LIMIT = 65_000

/**
 * Adds a check to the commit. Its line tells the verdict of the plan. If the job lacks `checks: write`, there is no
 * check: the comment and the summary say the same.
 */
export async function addCheckRun(report: JobReport, verdict: Verdict): Promise<void> {
  const { job, io } = report
  const { event, commit, runUrl } = job
  if (event.kind === 'other' || (event.kind === 'pull-request' && event.isFork)) return
  const { platform, title: models } = headingOf(report)
  const name = ['Holdfast', platform, models].filter((part) => part !== undefined).join(' · ')
  try {
    const forge = await report.forge()
    const { conclusion, title } = verdict
    await forge.addCheck?.({ name, commit, conclusion, title, summary: verdict.summary(LIMIT), page: runUrl })
  } catch (error) {
    if (io.signal.aborted) throw error
    const reason = hasStatus(error, 403, 404)
      ? 'the job has no permission "checks: write"'
      : troubleText(error, job, 'checks: write', io.now())
    io.stderr.write(`No check with the verdict: ${reason}.\n`)
  }
}
