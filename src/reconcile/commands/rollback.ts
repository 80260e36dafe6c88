import { HoldfastError } from '../../lib/errors.ts'
import { isUuid } from '../../lib/uuid.ts'
import { NO_SETTINGS } from '../../records/settings.ts'
import { carryOut } from '../apply/carry-out.ts'
import type { CommandResult } from '../../shell/exit-code.ts'
import type { Context } from '../../shell/io.ts'
import { loadSettings } from '../models/models.ts'
import { openTarget, withTarget } from '../target/open-target.ts'
import { type PlatformOptions } from '../../client/platform-address.ts'
import { settingsWith } from '../models/plan-models.ts'
import { progressOn } from '../../shell/progress.ts'
import { commandLine } from '../../shell/terminal.ts'
import { requireConsent } from '../../shell/question.ts'
import type { Format } from '../apply/show-plan.ts'
import type { Target } from '../target/target.ts'

export interface RollbackOptions extends PlatformOptions {
  readonly models: string
  readonly format: Format
  readonly yes?: boolean
  readonly allow: readonly string[]
}

/** Undoes one apply, by default the latest. Changes that others made since then stay, or stop the rollback. */
export async function rollback(
  apply: string | undefined,
  options: RollbackOptions,
  context: Context,
): Promise<CommandResult> {
  const { io } = context
  if (apply !== undefined && !isUuid(apply)) throw notNamed(apply, io)
  // Protections and acknowledgements hold for a rollback too. Moves only concern documents.
  const { acknowledge, protect } = loadSettings(options.models, io)
  const settings = settingsWith({ ...NO_SETTINGS, acknowledge, protect }, options.allow)
  const agreed = options.yes === true
  requireConsent(agreed, io, 'give --yes')
  const progress = progressOn(io)
  try {
    return await withTarget(openTarget(options, context, progress), async (target) => {
      progress.step('Comparing')
      const uuid = apply ?? (await latestApply(target))
      const { plan, document } = await target.rollbackPlan(uuid, settings)
      progress.clear()
      const question = `Undo apply ${uuid} on domain ${plan.domain}?`
      const models = { document, text: () => [Buffer.from(JSON.stringify(document))] }
      const send = () => target.apply(models, settings, plan, originOfRollback(uuid, context))
      return carryOut({ plan, reviewed: false, agreed, question, format: options.format, progress, apply: send }, io)
    })
  } finally {
    progress.clear()
  }
}

function notNamed(apply: string, io: Context['io']): HoldfastError {
  const message = `${JSON.stringify(apply)} names no apply; give the UUID that "${commandLine(io.env, 'history')}" shows, or none for the latest apply`
  return new HoldfastError('BAD_USER_INPUT', message)
}

async function latestApply(target: Target): Promise<string> {
  const [latest] = await target.history(1)
  if (latest !== undefined) return latest.uuid
  throw new HoldfastError('NOT_FOUND', 'nothing was ever applied here, so there is nothing to roll back')
}

function originOfRollback(rollbackOf: string, { io }: Context) {
  const actor = io.env['GITHUB_ACTOR']
  return actor ? { rollbackOf, actor } : { rollbackOf }
}
