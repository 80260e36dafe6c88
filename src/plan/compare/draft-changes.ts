import type { DesiredRecord, Snapshot } from '../../documents/snapshot.ts'
import type { Digest } from '../../lib/digest.ts'
import { mergeUntouched } from '../../records/canonical.ts'
import { referencesOf } from '../../records/references.ts'
import type { RecordBody, RecordKey } from '../../records/record-type.ts'
import { recordType, TYPE_ORDER } from '../../records/registry.ts'
import { causeOf } from './cause.ts'
import type { Work } from './compare-digests.ts'
import type { Deletion } from './deletions.ts'
import { recordDigest, type DesiredDigests } from './desired-digests.ts'
import type { LiveIndex, LiveState, SecretAnswer } from '../live-state.ts'
import { recordId } from '../../records/record-id.ts'
import type { MovedRecord, Moves } from './moves.ts'
import { patchBetween } from './patch.ts'
import { isReplaced, type Action, type Change } from '../plan.ts'

/** A change before its impact and its guards are known. */
export interface Draft extends Omit<Change, 'guards' | 'impact'> {
  /** The changes, by `type/key`, that this one follows from. */
  readonly because?: readonly string[]
}

interface Comparison {
  readonly snapshot: Snapshot
  readonly index: LiveIndex
  readonly moves: Moves
  readonly desired: DesiredDigests
  readonly work: Work
  readonly deletions: readonly Deletion[]
}

/** Bodies by the `type/key` that the records have on the platform now. */
export type LiveBodies = ReadonlyMap<string, RecordBody>

/** Fetches the bodies of all records that differ, and of `others`, with a single question. */
export async function fetchBodies(
  { moves, work, deletions }: Pick<Comparison, 'moves' | 'work' | 'deletions'>,
  others: readonly RecordKey[],
  live: Pick<LiveState, 'records'>,
): Promise<LiveBodies> {
  const differing = [...unmoved(work, moves), ...deletions]
  const asked = new Set(differing.map(recordId))
  const records = await live.records([...differing, ...others.filter((key) => !asked.has(recordId(key)))])
  return new Map(records.map((record) => [recordId(record), record.body]))
}

function unmoved({ different }: Work, { records }: Moves): RecordKey[] {
  return different.filter((key) => !records.has(recordId(key)))
}

/** The changes in their final order: by record type as in the specification, then by key. */
export function draftChanges(comparison: Comparison, bodies: LiveBodies): readonly Draft[] {
  const { snapshot, moves, work, deletions } = comparison
  const deleted = new Set(deletions.map(recordId))
  const reasons = deletionReasons(comparison)
  const wanted = ({ type, key }: RecordKey) => snapshot.get(type)?.records.get(key)
  const drafts = [
    ...work.missing.map((key) => draftWanted(comparison, wanted(key), null)),
    ...unmoved(work, moves).map((key) => draftWanted(comparison, wanted(key), bodies.get(recordId(key)) ?? null)),
    ...[...moves.records.values()]
      .filter(({ type, from }) => !deleted.has(recordId({ type, key: from })))
      .map((moved) => draftMoved(comparison, moved, wanted(moved))),
    ...deletions.map((deletion) => {
      const before = bodies.get(recordId(deletion)) ?? {}
      return draftDeletion(comparison, deletion, before, reasons(deletion, before))
    }),
  ]
  return drafts.filter((draft) => draft !== null).sort(byTypeAndKey)
}

export function byTypeAndKey(a: RecordKey, b: RecordKey): number {
  if (a.type !== b.type) return (TYPE_ORDER.get(a.type) ?? 0) - (TYPE_ORDER.get(b.type) ?? 0)
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0
}

/** Keeps the drafts of the named records, and the drafts that follow from them. */
export function onlyDrafts(drafts: readonly Draft[], named: readonly RecordKey[]): readonly Draft[] {
  if (areSameRecords(drafts, named)) return drafts
  const kept = new Set(named.map(recordId))
  for (let size = -1; size !== kept.size;) {
    size = kept.size
    for (const draft of drafts) if (draft.because?.some((id) => kept.has(id))) kept.add(recordId(draft))
  }
  return drafts.filter((draft) => kept.has(recordId(draft)))
}

/** Decides the usual case without building a set of perhaps 100,000 names. */
function areSameRecords(drafts: readonly Draft[], named: readonly RecordKey[]): boolean {
  return (
    drafts.length === named.length &&
    drafts.every(({ type, key }, index) => named[index]?.key === key && named[index].type === type)
  )
}

/** A creation or an update; null if the only differences are in fields that the document leaves untouched. */
function draftWanted(
  comparison: Comparison,
  record: DesiredRecord | undefined,
  before: RecordBody | null,
): Draft | null {
  if (record === undefined) return null
  const { type, key, digest, secret, body } = record
  const after = before === null ? body : mergeUntouched(recordType(type), { body, untouched: record.untouched }, before)
  const draft = draftOf(comparison, {
    type,
    key,
    from: key,
    before,
    after,
    action: before === null ? 'create' : 'update',
    ...(after === body && secret === null && { digest }),
  })
  return draft.beforeDigest === draft.afterDigest ? null : draft
}

/** The change of a record that gets another key, or whose references are rewritten because another record moves. */
function draftMoved(comparison: Comparison, moved: MovedRecord, record: DesiredRecord | undefined): Draft {
  const after = record === undefined ? moved.rewritten : mergeUntouched(recordType(moved.type), record, moved.rewritten)
  const action = moved.key === moved.from ? 'update' : 'move'
  const draft = draftOf(comparison, { ...moved, after, action })
  const reason = moved.because.map(({ type, from, to }) => `${type}/${from} is now ${type}/${to}`).join(', ')
  return {
    ...draft,
    ...(action === 'move' && { from: moved.from }),
    ...(reason !== '' && { reason, because: moved.because.map(({ type, to }) => recordId({ type, key: to })) }),
  }
}

function draftDeletion(
  comparison: Comparison,
  { type, key, owner, referrers }: Deletion,
  before: RecordBody,
  because: readonly string[],
): Draft {
  const draft = draftOf(comparison, { type, key, from: key, before, after: null, action: 'delete' })
  return {
    ...draft,
    ...(owner !== undefined && { reason: `${recordId(owner)} is deleted` }),
    ...(because.length > 0 && { because }),
    ...(referrers.length > 0 && { referrers }),
  }
}

/**
 * Finds the other changes that cause a deletion, even if the document asks for the deletion itself. A record cannot
 * stay if one of its owners is deleted, and cannot keep its body if a record that it refers to gets another key.
 */
function deletionReasons({ moves, deletions }: Comparison): (deletion: Deletion, body: RecordBody) => string[] {
  const deleted = new Set(deletions.map(recordId))
  const moved = new Map(
    [...moves.records.values()].map((record) => [recordId({ type: record.type, key: record.from }), record.because]),
  )
  return (deletion, body) => {
    const owners = referencesOf(recordType(deletion.type), deletion.key, body).filter(({ owner }) => owner)
    const going = [...owners, ...(deletion.owner === undefined ? [] : [deletion.owner])]
      .map(recordId)
      .filter((id) => deleted.has(id))
    return [...going, ...(moved.get(recordId(deletion)) ?? []).map(({ type, to }) => recordId({ type, key: to }))]
  }
}

interface Effect extends RecordKey {
  readonly from: string
  readonly action: Action
  readonly before: RecordBody | null
  readonly after: RecordBody | null
  /** The digest of `after`, if it is already known. */
  readonly digest?: Digest
}

function draftOf({ index, desired }: Comparison, { type, key, from, action, before, after, digest }: Effect): Draft {
  const secret = desired.secrets.get(recordId({ type, key }))
  const liveId = recordId({ type, key: from })
  const drift = index.managed.has(type) ? index.drift.get(liveId) : undefined
  const replaced = isReplaced(secret?.state) ? recordType(type).secret : undefined
  const cause = causeOf(before, after, drift, { moved: key !== from, secret: replaced })
  return {
    type,
    key,
    action,
    cause,
    ...(drift !== undefined && cause !== 'you' && { drift: { actor: drift.actor, at: drift.at } }),
    patch: [...patchBetween(before, after), ...secretPatch(type, before, after, secret)],
    before,
    after,
    beforeDigest: before === null ? null : (index.digests.get(type)?.get(from) ?? null),
    afterDigest: after === null ? null : (digest ?? recordDigest(after, secret?.fingerprint)),
    ...(secret !== undefined && after !== null && { secret: secret.state }),
  }
}

/** Shows that a secret is replaced, without showing the old or the new one. */
function secretPatch(
  type: Change['type'],
  before: RecordBody | null,
  after: RecordBody | null,
  secret: SecretAnswer | undefined,
): Change['patch'] {
  const field = recordType(type).secret
  if (field === undefined || before === null || after === null || !isReplaced(secret?.state)) return []
  return [{ op: 'replace', path: `/${field}`, value: '(secret)' }]
}

/** The record by the key that it has on the platform now. */
export function liveKey({ type, key, from }: Pick<Draft, 'type' | 'key' | 'from'>): RecordKey {
  return { type, key: from ?? key }
}
