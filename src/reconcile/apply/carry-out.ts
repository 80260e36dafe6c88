import { samePlatform, shownPlatform, type PlatformOptions } from '../../client/platform-address.ts'
import { counted } from '../../lib/counted.ts'
import { hasErrors } from '../../lib/diagnostic.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { allChanges, allRows, takesOwnership, type Plan } from '../../plan/plan.ts'
import { scopeAfter } from '../../plan/scope.ts'
import { blockersOf } from './acknowledge-in.ts'
import { applyJson, applyText, type ApplyOutcome } from './apply-text.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import { InterruptedApply } from '../../shell/interruption.ts'
import type { Io } from '../../shell/io.ts'
import type { Progress } from '../../shell/progress.ts'
import { confirm } from '../../shell/question.ts'
import { commandLine } from '../../shell/terminal.ts'
import { sameModels, showPlan, type Format } from './show-plan.ts'
import type { Apply } from '../target/target.ts'

/** A plan that the user wants to apply. */
interface Proposal {
  readonly plan: Plan
  /** Whether somebody has already seen this exact plan, e.g. in a pull request, so that it is not shown again. */
  readonly reviewed: boolean
  readonly agreed: boolean
  /** The words of this command without its options. */
  readonly command: readonly [string, ...string[]]
  /** The beginning of the question, which ends with the domain and the platform. */
  readonly question: string
  readonly options: PlatformOptions & { readonly models: string; readonly format: Format }
  readonly progress: Progress
  apply(): Promise<Apply>
}

/** Shows a plan, asks the user, applies the plan and reports the result. It refuses what the platform would refuse. */
export async function carryOut(proposal: Proposal, io: Io): Promise<CommandResult> {
  const { plan, agreed } = proposal
  await presentPlan(proposal, io)
  refuseBlocked(plan)
  if (plan.outcome === 'no-changes') {
    return finish(proposal, io, 'no-changes', changesMemory(plan) ? await apply(proposal, io) : null)
  }
  if (!agreed && !(await confirm(questionOf(proposal, io), io))) return finish(proposal, io, 'declined', null)
  return finish(proposal, io, 'applied', await apply(proposal, io))
}

function questionOf({ question, plan, options }: Proposal, io: Io): string {
  return `${question} domain ${plan.domain} on ${shownPlatform(options, io)}?`
}

/** Shows the plan. With JSON the result is one document on stdout, so the plan for the question goes to stderr. */
async function presentPlan({ plan, command, options, reviewed, agreed }: Proposal, io: Io): Promise<void> {
  if (reviewed) return
  const allow = commandLine(io.env, ...command, ...sameModels(options), ...samePlatform(options), '--allow')
  const showing = { next: null, platform: shownPlatform(options, io), allow }
  if (options.format !== 'json') io.stdout.write(await showPlan(plan, options.format, io, showing))
  else if (!agreed) io.stderr.write(await showPlan(plan, 'text', { stdout: io.stderr, env: io.env }, showing))
}

function refuseBlocked(plan: Plan): void {
  if (hasErrors(plan.diagnostics)) {
    throw new HoldfastError('BAD_USER_INPUT', 'the plan has errors; nothing was applied', { details: plan.diagnostics })
  }
  const details = blockersOf(plan)
  if (details.length === 0) return
  const count = details.length === 1 ? 'a guard stops' : `${details.length} guards stop`
  throw new HoldfastError('BLOCKED', `${count} the apply; nothing was applied`, { details })
}

/**
 * Tells whether the platform would change what it remembers about managed types. It must remember records that need
 * no change as managed, too. Otherwise no one would notice when their type is removed from the models. It must also
 * forget drift that the models now agree with.
 */
function changesMemory(plan: Plan): boolean {
  return (
    plan.settlesDrift === true || allRows(plan).some((row) => scopeAfter(row) !== row.previously || takesOwnership(row))
  )
}

async function apply(proposal: Proposal, io: Io): Promise<Apply> {
  const { progress, plan } = proposal
  progress.step(`Applying ${counted(allChanges(plan).length, 'change')}`)
  try {
    return await proposal.apply()
  } catch (error) {
    if (!io.signal.aborted) throw error
    throw new InterruptedApply('the answer was not waited for', { cause: error })
  } finally {
    progress.clear()
  }
}

function finish({ plan, options }: Proposal, io: Io, outcome: ApplyOutcome, applied: Apply | null): CommandResult {
  if (options.format === 'json') io.stdout.write(applyJson(outcome, applied, plan))
  else {
    const undo = (uuid: string) =>
      commandLine(io.env, 'rollback', uuid, ...sameModels(options), ...samePlatform(options))
    io.stdout.write(applyText(outcome, applied, plan, { platform: shownPlatform(options, io), undo }))
  }
  return outcome === 'declined' ? { kind: 'declined' } : DONE
}
