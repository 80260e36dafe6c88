/** Ctrl-C interrupted a running apply. Only the platform knows whether it took place. */
export class InterruptedApply extends Error {
  override readonly name = 'InterruptedApply'
}

const ONLY_READ: readonly (string | undefined)[] = [
  'plan',
  'validate',
  'export',
  'history',
  'doctor',
  'types',
  'completions',
  'help',
]
const APPLY: readonly (string | undefined)[] = ['apply', 'rollback']

const ONLY_FILES: readonly (string | undefined)[] = ['init', 'rename']

/** Returns the message after Ctrl-C: what the command had done by then. */
export function interruptionText(command: string | undefined, error: unknown): string {
  if (error instanceof InterruptedApply)
    return 'Interrupted while applying: "history" shows whether the apply took place; it is all or nothing.\n'
  if (ONLY_READ.includes(command)) return 'Interrupted: nothing was changed on the platform.\n'
  if (ONLY_FILES.includes(command))
    return 'Interrupted: the files written so far are complete; nothing was changed on the platform.\n'
  if (command === 'distribute')
    return 'Interrupted: the steps that were done stay; run the command again to continue. A rebalancing continues.\n'
  if (APPLY.includes(command)) return 'Interrupted before anything was applied: nothing was changed on the platform.\n'
  return 'Interrupted: the platform may have executed requests that were sent already.\n'
}
