import { HoldfastError, traceOf } from '../../lib/errors.ts'
import { isDiagnostic, type Diagnostic } from '../../lib/diagnostic.ts'
import type { SourceLink } from '../../plan/render/markdown/markdown-change.ts'
import type { Io } from '../../shell/io.ts'
import { platformName, type PlatformOptions } from '../../client/platform-address.ts'
import { detailText, isForPrograms } from '../report-error.ts'
import type { Forge } from '../forge/forge.ts'
import type { Job } from '../forge/job.ts'
import { openForge, readJob } from '../forge/open-forge.ts'
import { pathsInRepository, sourceLinks } from './repository-path.ts'
import { USUAL_MODELS } from './marker.ts'
import type { PullRequest } from './sticky-comment.ts'
import { troubleText } from '../forge/refusals.ts'
import { warn, type PathOf } from '../forge/workflow-commands.ts'

/** The data that every report of a job to its forge needs. */
export interface JobReport {
  readonly job: Job
  readonly io: Io
  readonly platform: string
  /** The directory of the models, from the root of the repository; empty for the root itself. */
  readonly models: string
  readonly pathOf: PathOf
  readonly sourceLink: SourceLink
  forge(): Promise<Forge>
  pullRequest(number: number): Promise<PullRequest>
}

export interface ReportOptions extends PlatformOptions {
  readonly against?: string
}

/** `directory` is the absolute path of the models. */
export async function jobReport(option: string, options: ReportOptions, directory: string, io: Io): Promise<JobReport> {
  const job = readJob(option, io.env)
  const inRepository = await pathsInRepository(directory, io)
  const pathOf: PathOf = (file) => inRepository(file) || undefined
  let connection: Promise<Forge> | undefined
  const forge = () => (connection ??= openForge(job, io))
  return {
    job,
    io,
    platform: options.against === undefined ? platformName(options, io.env) : 'offline',
    models: inRepository(directory) ?? directory,
    pathOf,
    sourceLink: sourceLinks(job, pathOf),
    forge,
    pullRequest: async (number) => ({ forge: await forge(), job, number, io }),
  }
}

/** The target of a plan for its first line: the platform, and the models if there may be several. */
export function headingOf({ platform, models }: Pick<JobReport, 'platform' | 'models'>): {
  readonly platform: string
  readonly title?: string
} {
  return { platform, ...(models !== USUAL_MODELS && { title: models }) }
}

/** Does work that is useful but not necessary. If it fails, the job says so and continues. */
export async function tryToReport<T>(
  { job, io }: JobReport,
  permission: string,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (io.signal.aborted) throw error
    warn(`the pull request does not show this run: ${troubleText(error, job, permission, io.now())}`, io)
    if (io.env['HOLDFAST_DEBUG'] && error instanceof Error) io.stderr.write(`${traceOf(error)}\n`)
    return null
  }
}

/** The findings in an error. */
export function findingsIn(error: unknown): readonly Diagnostic[] {
  return error instanceof HoldfastError ? error.details.filter(isDiagnostic) : []
}

export function messageOf(error: unknown): string {
  return error instanceof HoldfastError ? error.message : 'something went wrong that should not; see the log of the run'
}

const MOST_DETAILS = 100

/** The records in an error, one line each. */
export function detailsOf(error: unknown): readonly string[] {
  const details =
    error instanceof HoldfastError
      ? error.details.filter((detail) => !isDiagnostic(detail) && !isForPrograms(detail))
      : []
  const lines = details.slice(0, MOST_DETAILS).map((detail) => `  ${detailText(detail)}`)
  return details.length > MOST_DETAILS ? [...lines, `  … and ${details.length - MOST_DETAILS} more`] : lines
}
