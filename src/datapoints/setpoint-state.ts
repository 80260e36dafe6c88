import type { SetpointState } from '../../generated/entities.ts'

const ENDS: readonly SetpointState[] = ['APPLIED', 'REJECTED', 'EXPIRED', 'SUPERSEDED']

/** What may follow. A device may have heard of a setpoint otherwise than by fetching it, and may say several things at once. */
export const NEXT_STATES: { readonly [state in SetpointState]: readonly SetpointState[] } = {
  PENDING: ['SENT', 'ACKNOWLEDGED', ...ENDS],
  SENT: ['ACKNOWLEDGED', ...ENDS],
  ACKNOWLEDGED: ENDS,
  APPLIED: [],
  REJECTED: [],
  EXPIRED: [],
  SUPERSEDED: [],
}

/** What a device can say of a setpoint. */
export const ANSWERS = ['ACKNOWLEDGED', 'APPLIED', 'REJECTED'] as const

export type SetpointAnswer = (typeof ANSWERS)[number]

/** Whether an answer says nothing new: it was given before, or a later one was that includes it. */
export function isKnownAnswer(state: SetpointState, answer: SetpointAnswer): boolean {
  return state === answer || (state === 'APPLIED' && answer === 'ACKNOWLEDGED')
}
