import { HoldfastError } from '../../lib/errors.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Settings } from '../../records/settings.ts'
import { acknowledgeIn } from '../allow.ts'
import { carryOut } from '../carry-out.ts'
import type { Ending } from '../exit-code.ts'
import type { Context } from '../io.ts'
import { loadModels, refuseErrors, type Models } from '../models.ts'
import { openTarget, withTarget, type PlatformOptions } from '../open-target.ts'
import { originOf } from '../origin.ts'
import { readPlan } from '../plan-file.ts'
import { planModels, settingsWith } from '../plan-models.ts'
import { progressOn, type Progress } from '../progress.ts'
import { requireConsent } from '../question.ts'
import type { Format } from '../show-plan.ts'
import type { Target } from '../target.ts'

export interface ApplyOptions extends PlatformOptions {
  readonly models: string
  readonly format: Format
  readonly yes?: boolean
  readonly expect?: string
  readonly allow: readonly string[]
}

/** A plan that was written to a file, or the digest of one, was seen by somebody: then nobody is asked again. */
export async function apply(planPath: string | undefined, options: ApplyOptions, context: Context): Promise<Ending> {
  const { io } = context
  checkDigest(options.expect)
  const agreed = options.yes === true || planPath !== undefined || options.expect !== undefined
  requireConsent(agreed, io, 'give --yes, or a plan that was written by "plan --out"')
  const progress = progressOn(io)
  try {
    const file = planPath === undefined ? null : await readPlan(planPath, io.cwd)
    progress.step(`Reading ${options.models}`)
    const models = loadModels(options.models, io)
    refuseErrors(models)
    const settings = settingsWith(models.settings, options.allow)
    const work = { models, settings, file, agreed, options }
    return await withTarget(openTarget(options, context, progress), (target) =>
      applyTo(target, work, context, progress),
    )
  } finally {
    progress.clear()
  }
}

interface Work {
  readonly models: Models
  readonly settings: Settings
  readonly file: Plan | null
  readonly agreed: boolean
  readonly options: ApplyOptions
}

async function applyTo(target: Target, work: Work, { io }: Context, progress: Progress): Promise<Ending> {
  const { models, settings, file, agreed, options } = work
  const origin = originOf(models.directory, io.env)
  if (file === null) progress.step('Comparing')
  const detail = options.format === 'text' ? 'brief' : 'all'
  const plan =
    file === null ? await planModels(models, settings, target, detail) : acknowledgeIn(file, settings.acknowledge)
  progress.clear()
  expectDigest(plan, options.expect)
  const question = `Apply this plan to domain ${plan.domain}?`
  const apply = async () => target.apply(models, settings, plan, await origin)
  return carryOut({ plan, reviewed: file !== null, agreed, question, format: options.format, apply }, io)
}

function checkDigest(expected: string | undefined): void {
  if (expected === undefined || /^sha256:[0-9a-f]{64}$/.test(expected)) return
  throw new HoldfastError(
    'BAD_USER_INPUT',
    `--expect ${JSON.stringify(expected)}: give the whole digest of a plan, sha256: and 64 hexadecimal digits`,
  )
}

function expectDigest(plan: Plan, expected: string | undefined): void {
  if (expected === undefined || plan.digest === expected) return
  throw new HoldfastError(
    'STALE_PLAN',
    `the plan is not the expected one: its digest is ${plan.digest}, not ${expected}; plan again, nothing was applied`,
  )
}
