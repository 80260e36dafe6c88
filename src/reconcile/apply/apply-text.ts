import { counted } from '../../lib/counted.ts'
import { notComparedCount } from '../../plan/render/not-compared-text.ts'
import { escapeUnseen } from '../../lib/visible-text.ts'
import type { Plan } from '../../plan/plan.ts'
import { planJson } from './plan-file.ts'
import type { Apply, ApplySummary } from '../target/target.ts'

export type ApplyOutcome = 'applied' | 'no-changes' | 'declined'

export function applyJson(outcome: ApplyOutcome, apply: Apply | null, plan: Plan): string {
  return `${JSON.stringify({ outcome, apply, plan: JSON.parse(planJson(plan)) as unknown }, null, 2)}\n`
}

interface Surroundings {
  /** The name of the platform, as people know it. */
  readonly platform: string
  /** The command that undoes the apply of this uuid. */
  undo(uuid: string): string
}

/** Reports the changes of the apply. If nothing had to be changed, the plan has already said so. */
export function applyText(
  outcome: ApplyOutcome,
  apply: Apply | null,
  plan: Plan,
  { platform, undo }: Surroundings,
): string {
  if (outcome === 'declined') return 'Nothing was applied.\n'
  if (apply === null) return `${nothingToApply(plan)}\n`
  const uuid = escapeUnseen(apply.uuid)
  if (outcome === 'no-changes') {
    return apply.recorded
      ? `From now on the platform remembers which record types the models manage (apply ${uuid}).\n`
      : ''
  }
  const { done: before = 0 } = apply.summary
  if (!apply.recorded && before > 0)
    return `Nothing is left to do of this plan: ${counted(before, 'record')} ${before === 1 ? 'is' : 'are'} as reviewed already.\n`
  const done = `Applied: ${summaryText(apply.summary)} on ${escapeUnseen(platform)} · domain ${escapeUnseen(plan.domain)}`
  return `${done}\napply ${uuid} at ${escapeUnseen(apply.at)}\nUndo it: ${undo(apply.uuid)}\n${lossText(plan)}`
}

/** Warns that a rollback creates the deleted records again, but not the data that was deleted with them. */
function lossText({ changes }: Plan): string {
  const isLost = changes.some(
    ({ action, guards }) => action === 'delete' && guards.some(({ code }) => code === 'deletes-data'),
  )
  return isLost ? 'The data that was deleted with its records stays lost; a roll-back does not bring it back.\n' : ''
}

/** Says that nothing was applied. If a secret was not compared, it does not claim that there was nothing to apply. */
function nothingToApply(plan: Plan): string {
  const unknown = notComparedCount(plan)
  return unknown === '' ? 'Nothing had to be applied.' : `Nothing was applied; ${unknown}.`
}

/** `3 created, 1 updated`. Every recorded apply changed something, even if only the managed types. */
export function summaryText(summary: ApplySummary): string {
  const counts = [
    [summary.create, 'created'],
    [summary.update, 'updated'],
    [summary.move, 'moved'],
    [summary.delete, 'deleted'],
  ] as const
  const done = counts.filter(([count]) => count > 0).map(([count, verb]) => `${counted(count, 'record')} ${verb}`)
  const { access = 0, done: before = 0 } = summary
  if (access > 0) done.push(`${counted(access, 'grant')} changed`)
  if (before > 0) done.push(`${counted(before, 'record')} as reviewed before`)
  return done.length === 0 ? 'no record changed, only the managed types' : done.join(', ')
}
