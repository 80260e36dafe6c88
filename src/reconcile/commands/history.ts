import { HoldfastError } from '../../lib/errors.ts'
import { isUuid } from '../../lib/uuid.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import { historyMarkdown, historyText, pastApplyMarkdown, pastApplyText } from '../apply/history-text.ts'
import type { Context } from '../../shell/io.ts'
import { openTarget, withTarget } from '../target/open-target.ts'
import { shownPlatform, type PlatformOptions } from '../../client/platform-address.ts'
import { progressOn } from '../../shell/progress.ts'
import { commandLine } from '../../shell/terminal.ts'
import type { Format } from '../apply/show-plan.ts'
import type { PastApply, PastApplyDetails } from '../target/target.ts'

export interface HistoryOptions extends PlatformOptions {
  readonly format: Format
  readonly limit: string
}

/** Lists the latest applies, or shows everything that one of them did. */
export async function history(
  uuid: string | undefined,
  options: HistoryOptions,
  context: Context,
): Promise<CommandResult> {
  const limit = readLimit(options.limit)
  if (uuid !== undefined && !isUuid(uuid.toLowerCase())) throw notNamed(uuid, context.io)
  const platform = shownPlatform(options, context.io)
  const progress = progressOn(context.io)
  try {
    const text = await withTarget(openTarget(options, context, progress), async (target) =>
      uuid === undefined
        ? listText(await target.history(limit), options.format, platform)
        : detailText(await target.pastApply(uuid), options.format, platform),
    )
    progress.clear()
    context.io.stdout.write(text)
    return DONE
  } finally {
    progress.clear()
  }
}

function notNamed(apply: string, { env }: Context['io']): HoldfastError {
  const message = `${JSON.stringify(apply)} names no apply; give the UUID that "${commandLine(env, 'history')}" shows, or none for the list`
  return new HoldfastError('BAD_USER_INPUT', message)
}

function readLimit(text: string): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1_000) return limit
  throw new HoldfastError('BAD_USER_INPUT', `--limit ${JSON.stringify(text)}: give a whole number from 1 to 1000`)
}

function listText(applies: readonly PastApply[], format: Format, platform: string): string {
  if (format === 'json') return `${JSON.stringify({ applies }, null, 2)}\n`
  return format === 'markdown' ? historyMarkdown(applies, platform) : historyText(applies, platform)
}

function detailText(apply: PastApplyDetails, format: Format, platform: string): string {
  if (format === 'json') return `${JSON.stringify({ apply }, null, 2)}\n`
  return format === 'markdown' ? pastApplyMarkdown(apply, platform) : pastApplyText(apply, platform)
}
