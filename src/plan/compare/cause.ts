import type { RecordBody } from '../../records/record-type.ts'
import type { Drift } from '../live-state.ts'
import type { Cause } from '../plan.ts'

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
  const causes = new Set<Cause>(causesBeside(before, drift, beside))
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
  /** The field of a secret that is another one. */
  readonly secret?: string | undefined
}

const NOTHING: BesideFields = { moved: false }

/** Only a document moves a record. */
function causesBeside(before: RecordBody, drift: Drift, { moved, secret }: BesideFields): readonly Cause[] {
  const ofMove = moved ? (['you'] as const) : []
  return secret === undefined ? ofMove : [...ofMove, causeOfSecret(secret, before, drift)]
}

/**
 * No base of a secret is kept, but who wrote it. Drift of before that was kept tells only of the record: where its body
 * is as it was, the secret is what was written.
 */
function causeOfSecret(field: string, before: RecordBody, { base, fields = {} }: Drift): Cause {
  if (Object.keys(fields).length > 0) return fields[field] === undefined ? 'you' : 'drift'
  return JSON.stringify(before) === JSON.stringify(base) ? 'drift' : 'both'
}

function wholeRecordCause(before: RecordBody | null, after: RecordBody | null, base: RecordBody | null): Cause {
  const [was, is, wanted] = [base, before, after].map((body) => JSON.stringify(body))
  if (is === was) return 'you'
  return wanted === was ? 'drift' : 'both'
}
