import { hasMetadata } from '../../documents/checks/metadata-rules.ts'
import { recordId } from '../../records/record-id.ts'
import { referredRecords } from '../../records/references.ts'
import { recordType } from '../../records/registry.ts'
import type { RecordKey } from '../../records/record-type.ts'
import type { DesiredDigests } from '../compare/desired-digests.ts'
import { type Draft, liveKey } from '../compare/draft-changes.ts'
import type { LiveIndex, LiveRecord, LiveReference, LiveState, SecretAnswer } from '../live-state.ts'

/** The effect that another document would have on the platform. */
interface Pending {
  readonly drafts: readonly Draft[]
  /** The management of each type that the platform would remember. */
  readonly managed: LiveIndex['managed']
  /** The owners that the types will have. */
  readonly others: LiveIndex['others']
  readonly desired: Pick<DesiredDigests, 'secrets'>
}

/** Gives the key that a record has on the platform now, or null if it does not exist yet. */
type KeyNow = (record: RecordKey) => RecordKey | null

/** Makes the function that finds the present keys of records from their keys after these changes. */
export function keysNow(drafts: readonly Draft[]): KeyNow {
  const made = new Map(drafts.flatMap((draft) => (draft.after === null ? [] : [[recordId(draft), draft] as const])))
  const left = new Set(drafts.map((draft) => recordId(liveKey(draft))))
  return (record) => {
    const draft = made.get(recordId(record))
    if (draft !== undefined) return draft.before === null ? null : liveKey(draft)
    return left.has(recordId(record)) ? null : { type: record.type, key: record.key }
  }
}

/**
 * The live state as it will be after the pending changes. It asks the platform no more questions than the live state
 * itself. Data and counts are looked up by the keys that records have on the platform now. Data is asked later
 * (`byKeyNow`).
 */
export function asIfApplied(live: LiveState, pending: Pending): LiveState {
  const { drafts, desired, managed, others } = pending
  if (drafts.length === 0)
    return { ...live, index: async () => ({ ...(await live.index()), managed, ...(others && { others }) }) }
  const made = new Map(drafts.flatMap((draft) => (draft.after === null ? [] : [[recordId(draft), draft] as const])))
  const left = new Set(drafts.map((draft) => recordId(liveKey(draft))))
  const isAsLive = (record: RecordKey) => !left.has(recordId(record)) && !made.has(recordId(record))
  const records = drafts.flatMap(toRecord)
  const keyNow = keysNow(drafts)
  const { keyedDigest, knows, heldMetadata, standingAdministrators, machineRules, devices } = live
  return {
    domain: live.domain,
    ...(keyedDigest && { keyedDigest }),
    ...(knows && { knows }),
    ...(heldMetadata && { heldMetadata }),
    ...(standingAdministrators && { standingAdministrators }),
    ...(machineRules && { machineRules }),
    ...(devices && { devices }),
    index: async () => indexAfter(await live.index(), pending),
    async records(keys) {
      const found = await live.records(keys.filter(isAsLive))
      const wanted = new Set(keys.map(recordId))
      return [...found, ...records.filter((record) => wanted.has(recordId(record)))]
    },
    async referrers(keys) {
      const found = await live.referrers(keys.filter(isAsLive))
      const more = await live.referrers(keys.filter((key) => made.has(recordId(key)) && left.has(recordId(key))))
      return [...found, ...more].filter(({ from }) => isAsLive(from)).concat(referencesIn(records, keys))
    },
    async withMetadata(metadataKeys) {
      const found = await live.withMetadata(metadataKeys)
      return [...found.filter(isAsLive), ...records.filter(({ body }) => hasMetadata(body, metadataKeys))]
    },
    async impact(keys) {
      const { asked, restored } = byKeyNow(keys, keyNow)
      return restored(await live.impact(asked))
    },
    async compareSecrets(questions) {
      const asked = questions.map((question) => {
        const { type, liveKey: key } = question
        return { ...question, liveKey: keyNow({ type, key })?.key ?? key }
      })
      const answers = await live.compareSecrets(asked)
      const given = [...answers].map(([id, answer]) => {
        const pendingSecret = made.get(id)?.secret === 'changed' ? desired.secrets.get(id) : undefined
        return [id, pendingSecret === undefined ? answer : comparedWith(pendingSecret, answer)] as const
      })
      return new Map(given)
    },
  }
}

function toRecord({ type, key, after }: Draft): LiveRecord[] {
  return after === null ? [] : [{ type, key, body: after }]
}

function indexAfter(index: LiveIndex, { drafts, managed, others }: Pending): LiveIndex {
  const digests = new Map(index.digests)
  const drift = new Map(index.drift)
  for (const [type, ofType] of Map.groupBy(drafts, (draft) => draft.type)) {
    const keys = new Map(index.digests.get(type))
    for (const draft of ofType) keys.delete(liveKey(draft).key)
    for (const { key, afterDigest } of ofType) if (afterDigest !== null) keys.set(key, afterDigest)
    digests.set(type, keys)
  }
  for (const draft of drafts) drift.delete(recordId(liveKey(draft)))
  return { digests, managed, drift, ...(others && { others }) }
}

function referencesIn(records: readonly LiveRecord[], keys: readonly RecordKey[]): LiveReference[] {
  const wanted = new Set(keys.map(recordId))
  return records.flatMap(({ type, key, body }) =>
    referredRecords(recordType(type), key, body)
      .filter((reference) => wanted.has(recordId(reference)))
      .map((to) => ({ from: { type, key }, to: { type: to.type, key: to.key }, owner: to.owner })),
  )
}

/** Returns the questions with the records' present keys, and a function that gives answers the original keys. */
export function byKeyNow<Question extends RecordKey>(questions: readonly Question[], keyNow: KeyNow) {
  const names = new Map<string, string>()
  const asked = questions.flatMap((question) => {
    const now = keyNow(question)
    if (now === null) return []
    names.set(recordId(now), recordId(question))
    return [{ ...question, ...now }]
  })
  const restored = <Answer>(answers: ReadonlyMap<string, Answer>): ReadonlyMap<string, Answer> =>
    new Map([...answers].map(([id, answer]) => [names.get(id) ?? id, answer]))
  return { asked, restored }
}

/** Compares with the secret that a pending change writes, instead of the stored one. */
function comparedWith(pending: SecretAnswer, answer: SecretAnswer): SecretAnswer {
  if (answer.state === 'not compared') return answer
  return { ...answer, state: answer.fingerprint === pending.fingerprint ? 'unchanged' : 'changed' }
}
