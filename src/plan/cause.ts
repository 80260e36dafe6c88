import type { RecordBody } from '../records/record-type.ts'
import type { Drift } from './live-state.ts'
import type { Cause } from './plan.ts'

/**
 * Who made the difference between `before` (the platform) and `after` (the document), seen from what the last apply
 * left (`drift.base`). Field by field: where the platform still has the base value the document moved; where the
 * document still has it the platform did.
 */
export function causeOf(
  before: RecordBody | null,
  after: RecordBody | null,
  drift: Drift | undefined,
  beside: BesideFields = NOTHING,
): Cause {
  if (drift === undefined) return 'you'
  const { base } = drift
  if (before === null || after === null) return wholeRecordCause(before, after, base)
  const causes = new Set<Cause>(causesBeside(before, base, beside))
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is, wanted] = [base?.[field], before[field], after[field]].map((value) => JSON.stringify(value))
    if (is !== wanted) causes.add(is === was ? 'you' : wanted === was ? 'drift' : 'both')
  }
  const [only] = causes
  return causes.size === 1 && only !== undefined ? only : 'both'
}

/** What differs beside the fields of the body. */
export interface BesideFields {
  readonly moved: boolean
  readonly secret: boolean
}

const NOTHING: BesideFields = { moved: false, secret: false }

/**
 * Only a document moves a record. Who replaced a secret is not known, since no base of it is kept: where the platform
 * wrote the record and its body is as it was, the secret is what was written.
 */
function causesBeside(before: RecordBody, base: RecordBody | null, { moved, secret }: BesideFields): Cause[] {
  const ofSecret = JSON.stringify(before) === JSON.stringify(base) ? 'drift' : 'both'
  return [...(moved ? (['you'] as const) : []), ...(secret ? ([ofSecret] as const) : [])]
}

function wholeRecordCause(before: RecordBody | null, after: RecordBody | null, base: RecordBody | null): Cause {
  const [was, is, wanted] = [base, before, after].map((body) => JSON.stringify(body))
  if (is === was) return 'you'
  return wanted === was ? 'drift' : 'both'
}
