import { platformName, type PlatformOptions } from '../../client/platform-address.ts'
import type { Plan } from '../../plan/plan.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Io } from '../../shell/io.ts'
import type { Progress } from '../../shell/progress.ts'
import { confirm } from '../../shell/question.ts'
import { planJson } from '../apply/plan-file.ts'
import { showPlan, type Format } from '../apply/show-plan.ts'
import type { PastApplyDetails } from '../target/target.ts'
import { prepareRevert, type OpenedRevert } from './open-revert.ts'
import { unrestoredText } from './revert-text.ts'

interface GitRollback extends PlatformOptions {
  readonly models: string
  readonly format: Format
  readonly agreed: boolean
  readonly progress: Progress
}

/** Shows the effect of the rollback of an apply, asks, and opens the pull request that reverts its commits. */
export async function rollBackInGit(
  apply: PastApplyDetails,
  plan: Plan,
  { format, agreed, progress, ...options }: GitRollback,
  io: Io,
): Promise<CommandResult> {
  const prepared = await prepareRevert(apply, options.models, io)
  progress.clear()
  const [out, shown] = format === 'json' ? [io.stderr, 'text' as const] : [io.stdout, format]
  if (format !== 'json' || !agreed) out.write(await showPlan(plan, shown, { stdout: out, env: io.env }, { next: null }))
  if (!agreed && !(await confirm(`Open a pull request at ${prepared.repository} that reverts this apply?`, io)))
    return finish(null)
  progress.step('Reverting')
  const opened = await prepared.open(plan, platformName(options, io.env))
  progress.clear()
  if (opened.unrestored.length > 0) io.stderr.write(`warning: ${unrestoredText(opened.unrestored, (name) => name)}\n`)
  return finish(opened)

  function finish(done: OpenedRevert | null): CommandResult {
    io.stdout.write(format === 'json' ? openedJson(done, plan) : openedText(done))
    return done === null ? { kind: 'declined' } : DONE
  }
}

function openedText(opened: OpenedRevert | null): string {
  if (opened === null) return 'No pull request was opened.\n'
  return `Opened ${opened.url} from the branch ${opened.branch}; nothing was changed on the platform\n`
}

function openedJson(opened: OpenedRevert | null, plan: Plan): string {
  const outcome = opened === null ? 'declined' : 'opened'
  return `${JSON.stringify({ outcome, pullRequest: opened, plan: JSON.parse(planJson(plan)) as unknown }, null, 2)}\n`
}
