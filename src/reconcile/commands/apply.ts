import { resolve } from 'node:path'
import { counted } from '../../lib/counted.ts'
import { hasErrors } from '../../lib/diagnostic.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { isNew } from '../../plan/guards/guards.ts'
import type { Plan } from '../../plan/plan.ts'
import { notComparedCount } from '../../plan/render/not-compared-text.ts'
import type { Settings } from '../../records/settings.ts'
import { acknowledgeIn } from '../apply/acknowledge-in.ts'
import { applyIdOf, findApply, noLongerHolds, showAppliedBefore } from '../apply/apply-once.ts'
import { applyJson } from '../apply/apply-text.ts'
import { carryOut } from '../apply/carry-out.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import { checkExpectation, OtherPlan, REVIEWED } from '../apply/expected-digest.ts'
import type { Context, Io } from '../../shell/io.ts'
import { withMissingSecrets } from '../models/missing-secrets.ts'
import { loadModels, type Models } from '../models/models.ts'
import { refuseErrors } from '../models/refuse-errors.ts'
import { baseOf } from '../models/base-of.ts'
import { leftOver, undoneSince, type LeftOver } from '../apply/left-over.ts'
import { commitAt, modelsAt } from '../models/models-at.ts'
import { openTarget, withTarget } from '../target/open-target.ts'
import type { PlatformOptions } from '../../client/platform-address.ts'
import { requireReviewedPart } from '../apply/own-changes.ts'
import { namingPullRequests } from '../apply/waiting.ts'
import { originOf } from '../apply/read-origin.ts'
import { readPlan } from '../apply/plan-file.ts'
import { requireUnaltered } from '../apply/unaltered-plan.ts'
import { withPullRequests } from '../models/pull-requests.ts'
import { planModels, settingsWith, withPositions } from '../models/plan-models.ts'
import type { ApplyReport } from '../pull-request/report-apply.ts'
import { progressOn, type Progress } from '../../shell/progress.ts'
import { requireConsent } from '../../shell/question.ts'
import type { Format } from '../apply/show-plan.ts'
import type { Apply, Origin, Target } from '../target/target.ts'

export interface ApplyOptions extends PlatformOptions {
  readonly models: string
  readonly format: Format
  readonly yes?: boolean
  readonly expect?: string
  readonly comment?: boolean
  /** The base commit of the models. */
  readonly base?: string
  /** The commit to take the models from, instead of from the directory. */
  readonly at?: string
  /** The branch with the newest models, which say which changes are still wanted. */
  readonly tip?: string
  readonly allow: readonly string[]
}

/** Applies a plan. Somebody has seen one from a file, or named by its digest, so the user is not asked again. */
export async function apply(
  planPath: string | undefined,
  options: ApplyOptions,
  context: Context,
): Promise<CommandResult> {
  const { io } = context
  checkExpectation(options.expect)
  const agreed = options.yes === true || planPath !== undefined || options.expect !== undefined
  requireConsent(agreed, io, 'give --yes, or a plan that was written by "plan --out"')
  const report = await reportOf(options, io)
  const progress = progressOn(io)
  try {
    return await applyModels(planPath, { agreed, options, report }, context, progress)
  } catch (error) {
    progress.clear()
    await report?.failed(error)
    throw error
  } finally {
    progress.clear()
  }
}

/** Loads the code of the report only if a report was requested. */
async function reportOf(options: ApplyOptions, io: Io): Promise<ApplyReport | null> {
  if (options.comment !== true && options.expect !== REVIEWED) return null
  const { applyReport } = await import('../pull-request/report-apply.ts')
  return applyReport(options, resolve(io.cwd, options.models), io)
}

interface ApplyRequest {
  readonly agreed: boolean
  readonly options: ApplyOptions
  readonly report: ApplyReport | null
}

async function applyModels(
  planPath: string | undefined,
  request: ApplyRequest,
  context: Context,
  progress: Progress,
): Promise<CommandResult> {
  const { io } = context
  const { options } = request
  const file = planPath === undefined ? null : await planIn(planPath, options, io)
  progress.step(`Reading ${options.models}`)
  const models =
    options.at === undefined ? loadModels(options.models, io) : await requireModelsAt(options.at, options.models, io)
  await refuseErrors(models)
  const settings = settingsWith(models.settings, options.allow)
  const work = { ...request, models, settings, file, progress }
  return await withTarget(openTarget(options, context, progress), (target) => applyTo(target, work, context))
}

/**
 * Reads the plan. If the file has another digest than expected, nobody can restore its plan. Then the models are
 * planned anew, as without a file, and the new plan must have the digest.
 */
async function planIn(path: string, { expect }: ApplyOptions, io: Io): Promise<Plan | null> {
  try {
    const plan = requireUnaltered(await readPlan(path, io.cwd))
    if (expect === undefined || expect === REVIEWED || plan.digest === expect) return plan
    io.stderr.write(`warning: ${path} is another plan than ${expect}, so the models are planned again.\n`)
  } catch (error) {
    if (expect === undefined || expect === REVIEWED || !(error instanceof HoldfastError)) throw error
    io.stderr.write(`warning: ${path} cannot be used, so the models are planned again: ${error.message}.\n`)
  }
  return null
}

interface Work extends ApplyRequest {
  readonly models: Models
  readonly settings: Settings
  readonly file: Plan | null
  readonly progress: Progress
}

async function applyTo(target: Target, work: Work, { io }: Context): Promise<CommandResult> {
  const { models, file, options, report, progress } = work
  const origin = originOf(models.directory, io.env, options)
  const { plan, merged } = await planToApply(target, work, io)
  const newest = options.tip === undefined ? null : await newestPlan(options.tip, target, work, io)
  const left = newest === null ? null : leftOver(plan, newest)
  progress.clear()
  const once = report === null ? {} : { applyId: applyIdOf(plan, io) }
  if (left?.isNothing !== true) {
    // These checks come before the plan is shown, because an unreviewed plan may show things that only this job may
    // read.
    const expected = await expectedDigest(plan, work)
    report?.planned(plan, { isOfNow: file === null })
    if (expected !== null && expected !== plan.digest)
      throw new OtherPlan(plan, expected, (await report?.reviewed(expected)) ?? null)
  }
  const past = await findApply(target, once)
  if (past !== null) {
    const undone = newest === null ? [] : undoneSince(plan, newest)
    if (undone.length > 0) throw noLongerHolds(past, undone)
    showAppliedBefore(past, plan, options.format, io)
    await report?.applied(past)
    return DONE
  }
  if (left?.isNothing === true) return nothingLeft(plan, newest, work, io)
  if (merged !== null) requireReviewedPart(plan, merged, newest)
  const from = async () => ({ ...(await origin), ...once })
  return applyNow(target, plan, { ...work, except: left?.except ?? [] }, from, io)
}

async function applyNow(
  target: Target,
  plan: Plan,
  work: Work & Pick<LeftOver, 'except'>,
  origin: () => Promise<Origin>,
  io: Io,
): Promise<CommandResult> {
  const { models, settings, file, agreed, options, report, progress, except } = work
  const command = ['apply', ...(options.base === undefined ? [] : ['--base', options.base])] as const
  const question = 'Apply this plan to'
  let done: Apply | null = null
  const apply = async () => {
    report?.applying()
    done = await target.apply(models, settings, plan, await origin(), except).catch((error: unknown) => {
      throw namingPullRequests(withMissingSecrets(withPositions(error, models), models), plan)
    })
    return done
  }
  const result = await carryOut(
    { plan, reviewed: file !== null, agreed, command, question, options, progress, apply },
    io,
  )
  if (result.kind === 'done') await report?.applied(done)
  return result
}

interface PlanToApply {
  readonly plan: Plan
  /** The present plan of the merge, for comparison with a plan from a file; null if there is none. */
  readonly merged: Plan | null
}

/** The plan from the file, with the acknowledgements of this run; without a file, a new plan. */
async function planToApply(target: Target, work: Work, io: Io): Promise<PlanToApply> {
  const { models, settings, file, options, report, progress } = work
  const base = options.base === undefined ? undefined : await baseOf(options.base, models, options.models, io)
  progress.step(`Comparing ${counted(models.records, 'record')}`)
  if (file !== null) {
    const merged = base === undefined ? null : await planModels(models, settings, target, 'brief', base)
    const given = settings.acknowledge.filter(isNew(base?.base?.settings.acknowledge ?? []))
    return { plan: acknowledgeIn(file, given), merged }
  }
  const detail = options.format === 'text' && report === null ? 'brief' : 'all'
  const plan = await planModels(models, settings, target, detail, base)
  return { plan: await withPullRequests(plan, options.base, options.models, io), merged: null }
}

/** The plan of everything that the newest models want; null if they are not known. */
async function newestPlan(tip: string, target: Target, { options }: Work, io: Io): Promise<Plan | null> {
  const commit = await commitAt(tip, options.models, io)
  const newest = commit === null ? null : await modelsAt(commit, options.models, io)
  if (newest === null || hasErrors(newest.diagnostics)) {
    io.stderr.write(`The models of ${tip} cannot be read, so it is not known whether they still want this plan.\n`)
    return null
  }
  return planModels(newest, newest.settings, target, 'brief')
}

/** Tells whether every record that the plan would change is already as the newest models want it. */
async function nothingLeft(plan: Plan, newest: Plan | null, { options, report }: Work, io: Io): Promise<CommandResult> {
  const unknown = newest === null ? '' : notComparedCount(newest)
  const more = unknown === '' ? '' : `; ${unknown}`
  if (options.format === 'json') io.stdout.write(applyJson('no-changes', null, plan))
  else io.stdout.write(`Nothing is left to do of this plan: the platform is already as the newest models say${more}.\n`)
  await report?.applied(null)
  return DONE
}

async function requireModelsAt(commit: string, directory: string, io: Io): Promise<Models> {
  const models = await modelsAt(commit, directory, io)
  if (models !== null) return models
  throw new HoldfastError('BAD_USER_INPUT', `--at ${commit}: there are no models in ${directory} of this commit`)
}

/**
 * The digest that the plan must have. If nothing is left to do, none is expected: a job may run again, or the apply
 * of a later merge may have come first.
 */
async function expectedDigest({ outcome }: Plan, { options: { expect }, report }: Work): Promise<string | null> {
  if (expect !== REVIEWED) return expect ?? null
  return outcome === 'no-changes' || report === null ? null : report.expected()
}
