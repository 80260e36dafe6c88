import { HoldfastError } from '../lib/errors.ts'
import { escapeUnseen } from '../lib/visible-text.ts'
import type { Io } from './io.ts'

/** Rejects a command that needs consent but has no terminal to ask, before any work, so that a job fails at once. */
export function requireConsent(given: boolean, io: Pick<Io, 'ask'>, instead: string): void {
  if (given || io.ask !== null) return
  throw new HoldfastError('BAD_USER_INPUT', `there is no terminal to ask for consent; ${instead}`)
}

/** Asks a question. Only `y` and `yes` count as a yes. */
export async function confirm(question: string, io: Pick<Io, 'ask'>): Promise<boolean> {
  const answer = (await io.ask?.(`${escapeUnseen(question)} [y/N] `)) ?? ''
  return /^(y|yes)$/i.test(answer.trim())
}
