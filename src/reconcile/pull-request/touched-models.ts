import type { JobReport } from './job-report.ts'
import { troubleText } from '../forge/refusals.ts'

/**
 * Tells whether a pull request changes the models, their settings or another file that was read for them, by a link or a
 * reference. Where the forge does not say, it may, because a comment too many is better than one too few. `others` are paths
 * from the root of the repository.
 */
export async function touchesModels(report: JobReport, number: number, others: ReadonlySet<string>): Promise<boolean> {
  const { job, models, io } = report
  if (models === '') return true
  try {
    const files = await (await report.forge()).changedFiles(number)
    const isOne = (path: string | undefined) => path?.startsWith(`${models}/`) === true || others.has(path ?? '')
    return files === null || files.some(({ path, earlier }) => isOne(path) || isOne(earlier))
  } catch (error) {
    if (io.signal.aborted) throw error
    const reason = troubleText(error, job, 'pull-requests: read', io.now())
    io.stderr.write(`It is not known which files the pull request changes: ${reason}.\n`)
    return true
  }
}
