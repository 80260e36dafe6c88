import type { RecordBody } from '../../records/record-type.ts'
import type { Drift } from '../live-state.ts'
import type { Cause } from '../plan.ts'

/**
 * Tells who made the difference between `before` (the platform) and `after` (the document). `drift.base` is the state
 * that the last apply left. For each field, if the platform still has the base value, the document changed the field.
 * If the document still has the base value, somebody changed the field on the platform.
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

/** The differences of a record that are not in its body. */
interface BesideFields {
  readonly moved: boolean
  /** The name of the field that holds the secret; given if the secret differs. */
  readonly secret?: string | undefined
}

const NOTHING: BesideFields = { moved: false }

/** A move is always the document's doing, because the platform has no operation that moves a record. */
function causesBeside(before: RecordBody, drift: Drift, { moved, secret }: BesideFields): readonly Cause[] {
  const ofMove = moved ? (['you'] as const) : []
  return secret === undefined ? ofMove : [...ofMove, causeOfSecret(secret, before, drift)]
}

/**
 * The platform keeps no earlier value of a secret, only who wrote it last. If drift of earlier applies was kept
 * (`fields`), it names the secret when the secret was changed. Otherwise an unchanged body shows that the recorded
 * write was one of the secret.
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
