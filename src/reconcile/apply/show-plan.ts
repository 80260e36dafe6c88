import type { Plan } from '../../plan/plan.ts'
import { renderText } from '../../plan/render/text/render-text.ts'
import type { Io } from '../../shell/io.ts'
import { planJson } from './plan-file.ts'
import { withoutCommands } from '../forge/workflow-commands.ts'
import { isInJob, textStyle } from '../../shell/terminal.ts'

export type Format = 'text' | 'json' | 'markdown'

export interface Showing {
  /** The command that the user may want to run next; null in a job, whose files are gone when somebody reads it. */
  readonly next: string | null
  /** The command that allows guards once, up to its first `--allow`. */
  readonly allow?: string
  /** The name of the platform, for the first line; left out if no platform was asked. */
  readonly platform?: string
}

/** The option that selects the same models again, for a command to paste. */
export function sameModels({ models }: { readonly models: string }): readonly string[] {
  return models === 'models' ? [] : ['--models', models]
}

/** The plan in the requested format. */
export async function showPlan(
  plan: Plan,
  format: Format,
  io: Pick<Io, 'stdout' | 'env'>,
  { next, platform, allow }: Showing,
): Promise<string> {
  if (format === 'json') return planJson(plan)
  const text =
    format === 'markdown'
      ? (await import('../../plan/render/markdown/fit-markdown.ts')).fitMarkdown(
          plan,
          platform === undefined ? {} : { platform },
        )
      : renderText(plan, {
          ...textStyle(io),
          ...(platform !== undefined && { platform }),
          ...(allow !== undefined && !isInJob(io.env) && { allow }),
          next: next === null || isInJob(io.env) ? null : { label: 'Apply it', command: next },
        })
  return withoutCommands(text.endsWith('\n') ? text : `${text}\n`, io.env)
}
