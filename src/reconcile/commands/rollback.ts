import { HoldfastError } from '../../lib/errors.ts'
import { isUuid } from '../../lib/uuid.ts'
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
  /** Whether a pull request reverts the commits of the apply. Otherwise the rollback changes the platform. */
  readonly pullRequest?: boolean
  readonly allow: readonly string[]
}

/** Undoes an apply, by default the latest: on the platform, or by a pull request. Later changes stay, or stop it. */
export async function rollback(
  apply: string | undefined,
  options: RollbackOptions,
  context: Context,
): Promise<CommandResult> {
  const { io } = context
  if (apply !== undefined && !isUuid(apply.toLowerCase())) throw notNamed(apply, io)
  // Protections, acknowledgements and the owner also apply to a rollback. Moves only concern documents.
  const { moved: _, access: __, ...held } = loadSettings(options.models, io)
  const settings = settingsWith({ ...held, moved: [] }, options.allow)
  const agreed = options.yes === true
  requireConsent(agreed, io, 'give --yes')
  const progress = progressOn(io)
  try {
    return await withTarget(openTarget(options, context, progress), async (target) => {
      progress.step('Comparing')
      const uuid = apply?.toLowerCase() ?? (await latestApply(target))
      const { plan, document } = await target.rollbackPlan(uuid, settings)
      if (options.pullRequest === true) {
        const { rollBackInGit } = await import('../revert/roll-back-in-git.ts')
        return rollBackInGit(await target.pastApply(uuid), plan, { ...options, agreed, progress }, io)
      }
      progress.clear()
      const command = ['rollback', uuid] as const
      const question = `Undo apply ${uuid} in`
      const models = { document, text: () => [Buffer.from(JSON.stringify(document))] }
      const send = () => target.apply(models, settings, plan, originOfRollback(uuid, context))
      return carryOut({ plan, reviewed: false, agreed, command, question, options, progress, apply: send }, io)
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
