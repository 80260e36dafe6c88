import { resolve } from 'node:path'
import { counted } from '../../lib/counted.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { CommandResult } from '../../shell/exit-code.ts'
import { fileTarget } from '../target/file-target.ts'
import type { Context, Io } from '../../shell/io.ts'
import { baseOf } from '../models/base-of.ts'
import { loadModels, refuseErrors } from '../models/models.ts'
import { openTarget, withTarget } from '../target/open-target.ts'
import { platformName, platformUrl, type PlatformOptions } from '../../client/platform-address.ts'
import { withPullRequests } from '../models/pull-requests.ts'
import { planModels, settingsWith } from '../models/plan-models.ts'
import type { PlanReport } from '../pull-request/report-plan.ts'
import { writePlan } from '../apply/plan-file.ts'
import { progressOn, type Progress } from '../../shell/progress.ts'
import { showPlan, type Format } from '../apply/show-plan.ts'
import { commandLine, isInJob } from '../../shell/terminal.ts'
import type { Plan } from '../../plan/plan.ts'

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
    const { plan: made, files } = await makePlan(options, context, progress).catch(async (error: unknown) => {
      await report?.failed(error)
      throw error
    })
    progress.clear()
    const { out } = options
    const isReplaced = out !== undefined && (await writePlan(made, out, io.cwd))
    const next = nextCommand(options, made, context)
    io.stdout.write(await showPlan(made, options.format, io, { next, ...platformOf(options, io) }))
    if (out !== undefined)
      io.stderr.write(isReplaced ? `The plan is in ${out}, in place of an older one.\n` : `The plan is in ${out}.\n`)
    await report?.planned(made, files)
    return { kind: 'planned', plan: made, detailed: options.detailedExitcode === true }
  } finally {
    progress.clear()
  }
}

/** Loads the code of the report only where a report was asked for. */
async function reportOf(options: PlanOptions, io: Io): Promise<PlanReport | null> {
  if (options.comment !== true && options.driftIssue !== true) return null
  const { planReport } = await import('../pull-request/report-plan.ts')
  return planReport(options, resolve(io.cwd, options.models), io)
}

interface Made {
  readonly plan: Plan
  /** The files that the models refer to. */
  readonly files: readonly string[]
}

/** Reads the models first, because most mistakes are found before a platform is opened. */
async function makePlan(options: PlanOptions, context: Context, progress: Progress): Promise<Made> {
  const { io } = context
  if (options.against !== undefined && options.url !== undefined) {
    throw new HoldfastError('BAD_USER_INPUT', '--against and --url name two things to plan against; give one of them')
  }
  progress.step(`Reading ${options.models}`)
  const models = loadModels(options.models, io)
  const settings = settingsWith(models.settings, options.allow)
  refuseErrors(models)
  const target =
    options.against === undefined ? openTarget(options, context, progress) : fileTarget(options.against, io.cwd)
  return withTarget(target, async (opened) => {
    progress.step(`Comparing ${counted(models.records, 'record')}`)
    const base = options.base === undefined ? undefined : await baseOf(options.base, models, options.models, io)
    const made = await planModels(models, settings, opened, isOnlyRead(options) ? 'brief' : 'all', base)
    return { plan: await withPullRequests(made, options.base, options.models, io), files: models.referred() }
  })
}

/** The address that markdown names in its first line, since it may be read beside other plans. */
function platformOf(options: PlanOptions, { env }: Io): { readonly platform?: string } {
  const isNamed = options.against === undefined && platformUrl(options, env) !== null
  return isNamed ? { platform: platformName(options, env) } : {}
}

function isOnlyRead({ format, out, comment, driftIssue }: PlanOptions): boolean {
  return format === 'text' && out === undefined && comment !== true && driftIssue !== true
}

/**
 * The command that applies the plan. There is none for an offline plan, and a blocked plan says itself what to do. In a
 * job nobody could run it: its files are gone by then.
 */
function nextCommand(
  { against, base, out, models, url, dataDir }: PlanOptions,
  made: Plan,
  { io }: Context,
): string | null {
  if (made.outcome !== 'changes' || against !== undefined || isInJob(io.env)) return null
  const words = [
    ...(out === undefined ? [] : [out]),
    ...(models === 'models' ? [] : ['--models', models]),
    ...(url === undefined ? [] : ['--url', url]),
    ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
    ...(base === undefined || out !== undefined ? [] : ['--base', base]),
  ]
  return commandLine(io.env, 'apply', ...words)
}
