import { resolve } from 'node:path'
import { counted } from '../../lib/counted.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { CommandResult } from '../../shell/exit-code.ts'
import { fileTarget } from '../target/file-target.ts'
import type { Context, Io } from '../../shell/io.ts'
import { loadModels, refuseErrors } from '../models/models.ts'
import { openTarget, withTarget } from '../target/open-target.ts'
import { type PlatformOptions } from '../../client/platform-address.ts'
import { planModels, settingsWith } from '../models/plan-models.ts'
import type { PlanReport } from '../pull-request/report-plan.ts'
import { writePlan } from '../apply/plan-file.ts'
import { progressOn, type Progress } from '../../shell/progress.ts'
import { showPlan, type Format } from '../apply/show-plan.ts'
import { commandLine } from '../../shell/terminal.ts'
import type { Plan } from '../../plan/plan.ts'

export interface PlanOptions extends PlatformOptions {
  readonly models: string
  readonly format: Format
  readonly against?: string
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
    const made = await makePlan(options, context, progress).catch(async (error: unknown) => {
      await report?.failed(error)
      throw error
    })
    progress.clear()
    const { out } = options
    const isReplaced = out !== undefined && (await writePlan(made, out, io.cwd))
    io.stdout.write(await showPlan(made, options.format, io, nextCommand(options, made, context)))
    if (out !== undefined)
      io.stderr.write(isReplaced ? `The plan is in ${out}, in place of an older one.\n` : `The plan is in ${out}.\n`)
    await report?.planned(made)
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

/** Reads the models first, because most mistakes are found before a platform is opened. */
async function makePlan(options: PlanOptions, context: Context, progress: Progress): Promise<Plan> {
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
  return withTarget(target, (opened) => {
    progress.step(`Comparing ${counted(models.records, 'record')}`)
    return planModels(models, settings, opened, isOnlyRead(options) ? 'brief' : 'all')
  })
}

function isOnlyRead({ format, out, comment, driftIssue }: PlanOptions): boolean {
  return format === 'text' && out === undefined && comment !== true && driftIssue !== true
}

/**
 * The command that applies the plan. There is none for an offline plan, and a blocked plan says itself what to do.
 */
function nextCommand({ against, out, models, url, dataDir }: PlanOptions, made: Plan, { io }: Context): string | null {
  if (made.outcome !== 'changes' || against !== undefined) return null
  const words = [
    ...(out === undefined ? [] : [out]),
    ...(models === 'models' ? [] : ['--models', models]),
    ...(url === undefined ? [] : ['--url', url]),
    ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
  ]
  return commandLine(io.env, 'apply', ...words)
}
