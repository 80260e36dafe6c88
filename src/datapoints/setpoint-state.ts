import type { SetpointState } from '../../generated/entities.ts'

const ENDS: readonly SetpointState[] = ['APPLIED', 'REJECTED', 'EXPIRED', 'SUPERSEDED']

/**
 * The states that may follow each state. Steps may be skipped, because a device can learn about a setpoint without
 * fetching it, and can report several states at once.
 */
export const NEXT_STATES: { readonly [state in SetpointState]: readonly SetpointState[] } = {
  PENDING: ['SENT', 'ACKNOWLEDGED', ...ENDS],
  SENT: ['ACKNOWLEDGED', ...ENDS],
  ACKNOWLEDGED: ENDS,
  APPLIED: [],
  REJECTED: [],
  EXPIRED: [],
  SUPERSEDED: [],
}

export function isSetpointState(text: string): text is SetpointState {
  return Object.hasOwn(NEXT_STATES, text)
}

/** The states that a device can report. */
export const ANSWERS = ['ACKNOWLEDGED', 'APPLIED', 'REJECTED'] as const

export type SetpointAnswer = (typeof ANSWERS)[number]

/** Tells whether an answer is already known: the device gave it before, or a later answer includes it. */
export function isKnownAnswer(state: SetpointState, answer: SetpointAnswer): boolean {
  return state === answer || (state === 'APPLIED' && answer === 'ACKNOWLEDGED')
}
