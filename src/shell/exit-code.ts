import { hasErrors } from '../lib/diagnostic.ts'
import type { Plan } from '../plan/plan.ts'

/** The result of a command. Every command returns one, or throws. */
export type CommandResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'planned'; readonly plan: Plan; readonly detailed: boolean }
  | { readonly kind: 'found-errors' }
  | { readonly kind: 'declined' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'interrupted' }

export const DONE: CommandResult = { kind: 'done' }

/** Decides the exit code of every command. */
export function exitCodeOf(result: CommandResult): number {
  switch (result.kind) {
    case 'done':
      return 0
    case 'planned':
      return planExitCode(result.plan, result.detailed)
    case 'interrupted':
      return 130
    case 'found-errors':
    case 'declined':
    case 'failed':
      return 1
  }
}

/** Decides the exit code of a plan. Errors in documents fail in both modes, as no acknowledgement helps. */
function planExitCode(plan: Plan, detailed: boolean): number {
  if (hasErrors(plan.diagnostics)) return 1
  if (!detailed) return 0
  // Records that were not compared may differ, so the code must not mean that there is nothing to do.
  if (plan.outcome === 'no-changes' && plan.notCompared !== undefined) return 2
  return { 'no-changes': 0, changes: 2, blocked: 3 }[plan.outcome]
}
