import { hasErrors } from '../lib/diagnostic.ts'
import type { Plan } from '../plan/plan.ts'

/** How a command ended. Every command returns one of these, or throws. */
export type Ending =
  | { readonly kind: 'done' }
  | { readonly kind: 'planned'; readonly plan: Plan; readonly detailed: boolean }
  | { readonly kind: 'found-errors' }
  | { readonly kind: 'declined' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'interrupted' }

export const DONE: Ending = { kind: 'done' }

/** The one place that decides an exit code (contract, section 2). */
export function exitCodeOf(ending: Ending): number {
  switch (ending.kind) {
    case 'done':
      return 0
    case 'planned':
      return planExitCode(ending.plan, ending.detailed)
    case 'interrupted':
      return 130
    case 'found-errors':
    case 'declined':
    case 'failed':
      return 1
  }
}

/** A plan whose documents are wrong is an error in both modes: acknowledging guards would not help. */
function planExitCode(plan: Plan, detailed: boolean): number {
  if (hasErrors(plan.diagnostics)) return 1
  if (!detailed) return 0
  // What was not compared may be different: nobody is told that there is nothing to do.
  if (plan.outcome === 'no-changes' && plan.notCompared !== undefined) return 2
  return { 'no-changes': 0, changes: 2, blocked: 3 }[plan.outcome]
}
