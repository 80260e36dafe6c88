import { resolve } from 'node:path'
import { counted } from '../../lib/counted.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { CommandResult } from '../../shell/exit-code.ts'
import type { Context, Io } from '../../shell/io.ts'
import { baseOf } from '../models/base-of.ts'
import { loadModels } from '../models/models.ts'
import { refuseErrors } from '../models/refuse-errors.ts'
import { openTarget, withTarget } from '../target/open-target.ts'
import { samePlatform, shownPlatform, type PlatformOptions } from '../../client/platform-address.ts'
import { withPullRequests } from '../models/pull-requests.ts'
import { withoutCommands } from '../forge/workflow-commands.ts'
import { planModels, settingsWith } from '../models/plan-models.ts'
import type { PlanReport } from '../pull-request/report-plan.ts'
import { writePlan } from '../apply/plan-file.ts'
import { progressOn, type Progress } from '../../shell/progress.ts'
import { sameModels, showPlan, type Format, type Showing } from '../apply/show-plan.ts'
import { commandLine } from '../../shell/terminal.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Target } from '../target/target.ts'

export interface PlanOptions extends PlatformOptions {
  readonly models: string
  readonly format: Format
  readonly against?: string
  readonly base?: string
  readonly out?: string
  readonly detailedExitcode?: boolean
  readonly comment?: boolean
  readonly driftIssue?: boolean
  readonly allow: readonly string[]
}

export async function plan(options: PlanOptions, context: Context): Promise<CommandResult> {
  const { io } = context
  const report = await reportOf(options, io)
  const progress = progressOn(io)
  try {
    const made = await makePlan(options, context, progress, report).catch(async (error: unknown) => {
      progress.clear()
      if (options.format === 'markdown') await showFailure(error, io)
      await report?.failed(error)
      throw error
    })
    progress.clear()
    const { out } = options
    const isReplaced = out !== undefined && (await writePlan(made, out, io.cwd))
    io.stdout.write(await showPlan(made, options.format, io, showing(options, made, io)))
    if (out !== undefined)
      io.stderr.write(isReplaced ? `The plan is in ${out}, in place of an older one.\n` : `The plan is in ${out}.\n`)
    await report?.planned(made)
    return { kind: 'planned', plan: made, detailed: options.detailedExitcode === true }
  } finally {
    progress.clear()
  }
}

/** Loads the code of the report only if a report was requested. */
async function reportOf(options: PlanOptions, io: Io): Promise<PlanReport | null> {
  if (options.comment !== true && options.driftIssue !== true) return null
  const { planReport } = await import('../pull-request/report-plan.ts')
  return planReport(options, resolve(io.cwd, options.models), io)
}

/** Reads the models first, because most mistakes are found before a platform is opened. */
async function makePlan(
  options: PlanOptions,
  context: Context,
  progress: Progress,
  report: PlanReport | null,
): Promise<Plan> {
  const { io } = context
  if (options.against !== undefined && options.url !== undefined) {
    throw new HoldfastError('BAD_USER_INPUT', '--against and --url exclude each other')
  }
  progress.step(`Reading ${options.models}`)
  const models = loadModels(options.models, io)
  report?.read(models.read())
  const settings = settingsWith(models.settings, options.allow)
  await refuseErrors(models)
  const target =
    options.against === undefined ? openTarget(options, context, progress) : openFile(options.against, io.cwd)
  return withTarget(target, async (opened) => {
    progress.step(`Comparing ${counted(models.records, 'record')}`)
    const base = options.base === undefined ? undefined : await baseOf(options.base, models, options.models, io)
    const made = await planModels(models, settings, opened, isOnlyRead(options) ? 'brief' : 'all', base)
    return withPullRequests(made, options.base, options.models, io)
  })
}

/** Loads the planner only if the plan is made without a platform. */
async function openFile(file: string, cwd: string): Promise<Target> {
  const { fileTarget } = await import('../models/file-target.ts')
  return fileTarget(file, cwd)
}

function isOnlyRead({ format, out, comment, driftIssue }: PlanOptions): boolean {
  return format === 'text' && out === undefined && comment !== true && driftIssue !== true
}

/** Writes the reason why there is no plan as Markdown, for a comment, because standard error is not part of it. */
async function showFailure(reason: unknown, io: Io): Promise<void> {
  if (io.signal.aborted) return
  const [{ renderFailure }, { MARKDOWN_BUDGET }, { detailsOf, findingsIn, messageOf }] = await Promise.all([
    import('../../plan/render/markdown/comment-failure.ts'),
    import('../../plan/render/markdown/fit-markdown.ts'),
    import('../pull-request/job-report.ts'),
  ])
  const message = [messageOf(reason), ...detailsOf(reason)].join('\n')
  const failure = { headline: 'Not planned', message, diagnostics: findingsIn(reason), notes: [], advice: [] }
  io.stdout.write(withoutCommands(renderFailure(failure, MARKDOWN_BUDGET), io.env))
}

/** The lines around a plan; none for a plan against a file. */
function showing(options: PlanOptions, { outcome }: Plan, io: Io): Showing {
  const { against, base, out } = options
  if (against !== undefined) return { next: null }
  const words = [
    ...(out === undefined ? [] : [out]),
    ...sameModels(options),
    ...samePlatform(options),
    ...(base === undefined || out !== undefined ? [] : ['--base', base]),
  ]
  return {
    next: outcome === 'changes' ? commandLine(io.env, 'apply', ...words) : null,
    allow: commandLine(io.env, 'apply', ...words, '--allow'),
    platform: shownPlatform(options, io),
  }
}
