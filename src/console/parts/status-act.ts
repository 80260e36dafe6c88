import { HoldfastError } from '../../lib/errors.ts'

const STATUSES: ReadonlyMap<string, string> = new Map([
  ['activate', 'ACTIVATED'],
  ['deactivate', 'DEACTIVATED'],
  ['archive', 'ARCHIVED'],
])

/** The status that a button of a form asks for. */
export function statusOfAct(act: string): string {
  const status = STATUSES.get(act)
  if (status !== undefined) return status
  throw new HoldfastError('BAD_USER_INPUT', 'the form does not say what to do; reload the page')
}
