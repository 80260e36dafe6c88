import type { Plan } from '../../plan/plan.ts'
import { renderText } from '../../plan/render/text/render-text.ts'
import type { Io } from '../../shell/io.ts'
import { planJson } from './plan-file.ts'
import { withoutCommands } from '../pull-request/workflow-commands.ts'
import { textStyle } from '../../shell/terminal.ts'

export type Format = 'text' | 'json' | 'markdown'

export interface Showing {
  /** The command that the user may want to run next. */
  readonly next: string | null
  /** The address that the first line of markdown names. */
  readonly platform?: string
}

/** The plan in the requested format. */
export async function showPlan(
  plan: Plan,
  format: Format,
  io: Pick<Io, 'stdout' | 'env'>,
  { next, platform }: Showing,
): Promise<string> {
  if (format === 'json') return planJson(plan)
  const text =
    format === 'markdown'
      ? (await import('../../plan/render/markdown/fit-markdown.ts')).fitMarkdown(
          plan,
          platform === undefined ? {} : { platform },
        )
      : renderText(plan, { ...textStyle(io), next: next === null ? null : { label: 'Apply it', command: next } })
  return withoutCommands(text.endsWith('\n') ? text : `${text}\n`, io.env)
}
