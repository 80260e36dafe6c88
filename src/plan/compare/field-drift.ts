import type { DesiredRecord, DesiredType, Snapshot } from '../../documents/snapshot.ts'
import type { Json } from '../../lib/json.ts'
import type { RecordBody, RecordKey, RecordTypeName } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import type { DesiredDigests } from './desired-digests.ts'
import { byTypeAndKey, type Draft, type LiveBodies, liveKey } from './draft-changes.ts'
import type { Drift, LiveIndex } from '../live-state.ts'
import { recordId } from '../../records/record-id.ts'
import type { Moves } from './moves.ts'
import { authorOf, differs, keptDrift, type KeptDrift } from './kept-drift.ts'
import type { FieldDrift } from '../plan.ts'
import { referencesOf } from '../../records/references.ts'

// The document can leave fields open. Changes of such fields on the platform are not changes of the plan, but they
// must be visible. They stay drift until a document decides about them (docs/decisions/0058).

export interface DriftBelow {
  readonly fields: readonly FieldDrift[]
  /** The drift that an apply must keep, by the keys that the records will have. */
  readonly kept: readonly KeptDrift[]
  /** Whether the document decides about some drift, so that an apply ends it. */
  readonly settles: boolean
}

const NONE: DriftBelow = { fields: [], kept: [], settles: false }
const SETTLED: DriftBelow = { ...NONE, settles: true }

/** A record that was changed on the platform since the last apply, and that the document decides about. */
export interface DriftedRecord {
  /** The record's type and the key that it has on the platform now. */
  readonly at: RecordKey
  readonly drift: Drift
  /** The record that the document wants; undefined if it wants none. */
  readonly wanted: DesiredRecord | undefined
}

export function driftedRecords(snapshot: Snapshot, index: LiveIndex, moves: Moves): DriftedRecord[] {
  if (index.drift.size === 0) return []
  const newKeys = new Map(
    [...moves.records.values()].map(({ type, from, key }) => [recordId({ type, key: from }), key]),
  )
  return plannedDrift(snapshot, index).flatMap(({ at, drift, desired }) => {
    const key = newKeys.get(recordId(at)) ?? at.key
    return rulesOver(desired, key) ? [{ at, drift, wanted: desired.records.get(key) }] : []
  })
}

interface PlannedDrift extends Pick<DriftedRecord, 'at' | 'drift'> {
  readonly desired: DesiredType
}

/** Finds the drifted records of managed types. A plan of single records is never shown, so it needs none. */
function plannedDrift(snapshot: Snapshot, { drift: all, managed }: LiveIndex): PlannedDrift[] {
  return [...all].flatMap(([id, drift]) => {
    const at = keyOfId(id)
    const desired = snapshot.get(at.type)
    const isPlanned = desired?.coverage === 'all' || desired?.coverage === 'owners'
    return isPlanned && managed.has(at.type) ? [{ at, drift, desired }] : []
  })
}

function rulesOver(desired: DesiredType, key: string): boolean {
  return desired.records.has(key) || desired.covers(key)
}

/** The drifted records that the document wants. It may leave some of their fields open. */
export function openRecords(drifted: readonly DriftedRecord[]): RecordKey[] {
  return drifted.flatMap(({ at, wanted }) => (wanted === undefined ? [] : [at]))
}

/** Finds the drift that the document leaves open. `drafts` are all changes that the document asks for. */
export function driftBelow(
  drifted: readonly DriftedRecord[],
  drafts: readonly Draft[],
  bodies: LiveBodies,
  desired: DesiredDigests,
): DriftBelow {
  if (drifted.length === 0) return NONE
  const drafted = new Map(drafts.map((draft) => [recordId({ type: draft.type, key: draft.from ?? draft.key }), draft]))
  const found = drifted.map((record) => {
    const body = bodies.get(recordId(record.at)) ?? null
    const { before, after } = drafted.get(recordId(record.at)) ?? { before: body, after: body }
    return leftOpen(record, before, after, desired)
  })
  return {
    fields: found.flatMap(({ fields }) => fields).sort(byTypeAndKey),
    kept: found.flatMap(({ kept }) => kept),
    settles: found.some(({ settles }) => settles),
  }
}

/** Splits `type/key` at the first slash, because no record type has a slash in its name. */
function keyOfId(id: string): RecordKey {
  const end = id.indexOf('/')
  return { type: id.slice(0, end) as RecordTypeName, key: id.slice(end + 1) }
}

/** The fields of one record that the document leaves open and that differ from what the last apply left. */
function leftOpen(
  { drift, wanted }: DriftedRecord,
  before: RecordBody | null,
  after: RecordBody | null,
  desired: DesiredDigests,
): DriftBelow {
  if (wanted === undefined || before === null || after === null) return SETTLED
  const { type, key } = wanted
  const { base } = drift
  const changed = Object.keys({ ...base, ...before }).filter((name) => differs(name, base, before))
  const open = wanted.untouched.filter((name) => changed.includes(name))
  const replaced = replacedSecrets(wanted, drift)
  const secrets = replaced.filter(() => desired.secrets.get(recordId(wanted))?.state === 'not compared')
  const left = open.length + secrets.length
  if (left === 0) return SETTLED
  const toField = (field: string, was: Json, is: Json) => ({
    type,
    key,
    field,
    before: was,
    after: is,
    ...authorOf(field, drift),
  })
  const fields = [
    ...open.map((field) => toField(field, base?.[field] ?? null, before[field] ?? null)),
    ...secrets.map((field) => toField(field, SECRET, SECRET)),
  ]
  const kept = [keptDrift({ type, key }, drift, after, { open, secrets })]
  return { fields, kept, settles: left < changed.length + replaced.length }
}

/** The text that is shown instead of a secret. */
const SECRET = '(secret)'

/** The field of the secret, if the secret was replaced on the platform. */
function replacedSecrets({ type }: DesiredRecord, { fields = {} }: Drift): string[] {
  const { secret } = recordType(type)
  return secret !== undefined && fields[secret] !== undefined ? [secret] : []
}

/**
 * Finds the drift of records in lists that the document leaves out. An apply decides nothing about that drift, though
 * it may move or delete some of the records. `drafts` are all changes that the document asks for.
 */
export function driftElsewhere(snapshot: Snapshot, index: LiveIndex, drafts: readonly Draft[]): KeptDrift[] {
  if (index.drift.size === 0) return []
  const drafted = new Map(
    drafts.filter(({ before }) => before !== null).map((draft) => [recordId(liveKey(draft)), draft]),
  )
  const isDeleted = (record: RecordKey) => drafted.get(recordId(record))?.after === null
  return plannedDrift(snapshot, index).flatMap(({ at, drift, desired }) => {
    const draft = drafted.get(recordId(at))
    const { key } = draft ?? at
    const isGone = isDeleted(at) || ownersOf(at, drift).some(isDeleted)
    return isGone || rulesOver(desired, key) ? [] : [{ ...drift, type: at.type, key, base: baseAfter(drift, draft) }]
  })
}

function ownersOf({ type, key }: RecordKey, { base }: Drift): RecordKey[] {
  return base === null ? [] : referencesOf(recordType(type), key, base).filter(({ owner }) => owner)
}

/** Applies a change that follows from a move to the base as well, so that it does not count as drift later. */
function baseAfter({ base }: Drift, draft: Draft | undefined): RecordBody | null {
  if (base === null || !draft?.after) return base
  const { before, after } = draft
  const rewritten = Object.entries(after).filter(([name]) => differs(name, before, after))
  return { ...base, ...Object.fromEntries(rewritten) }
}
