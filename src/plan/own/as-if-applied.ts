import { METADATA_FIELD } from '../../documents/checks/metadata-rules.ts'
import { isObject } from '../../lib/json.ts'
import { recordId } from '../../records/record-id.ts'
import { referredRecords } from '../../records/references.ts'
import { recordType } from '../../records/registry.ts'
import type { RecordKey } from '../../records/record-type.ts'
import type { DesiredDigests } from '../compare/desired-digests.ts'
import type { Draft } from '../compare/draft-changes.ts'
import { liveKey } from '../guards/data-questions.ts'
import type { LiveIndex, LiveRecord, LiveReference, LiveState, SecretAnswer } from '../live-state.ts'

/** What another document would do to the platform. */
export interface Pending {
  readonly drafts: readonly Draft[]
  /** What the platform will remember about each type. */
  readonly managed: LiveIndex['managed']
  readonly desired: Pick<DesiredDigests, 'secrets'>
}

/**
 * The live state as it will be after the pending changes. It asks the platform no more questions than the live state
 * itself. Data is found behind the keys that records have on the platform now.
 */
export function asIfApplied(live: LiveState, pending: Pending): LiveState {
  const { drafts, desired } = pending
  if (drafts.length === 0)
    return { ...live, index: async () => ({ ...(await live.index()), managed: pending.managed }) }
  const made = new Map(drafts.flatMap((draft) => (draft.after === null ? [] : [[recordId(draft), draft] as const])))
  const left = new Set(drafts.map((draft) => recordId(liveKey(draft))))
  const isAsLive = (record: RecordKey) => !left.has(recordId(record)) && !made.has(recordId(record))
  const records = drafts.flatMap(toRecord)
  /** By the key that the record has now, or null where it does not exist yet. */
  const keyNow = (record: RecordKey): RecordKey | null => {
    const draft = made.get(recordId(record))
    if (draft !== undefined) return draft.before === null ? null : liveKey(draft)
    return left.has(recordId(record)) ? null : { type: record.type, key: record.key }
  }
  const { data, keyedDigest, knows, heldMetadata, standingAdministrators } = live
  return {
    domain: live.domain,
    ...(keyedDigest && { keyedDigest }),
    ...(knows && { knows }),
    ...(heldMetadata && { heldMetadata }),
    ...(standingAdministrators && { standingAdministrators }),
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
      return [...found.filter(isAsLive), ...records.filter((record) => hasMetadata(record, metadataKeys))]
    },
    impact: (keys) => askedByKeyNow(keys, keyNow, live.impact),
    ...(data && {
      data: (questions) => askedByKeyNow(questions, keyNow, data),
    }),
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

function indexAfter(index: LiveIndex, { drafts, managed }: Pending): LiveIndex {
  const digests = new Map(index.digests)
  const drift = new Map(index.drift)
  for (const [type, ofType] of Map.groupBy(drafts, (draft) => draft.type)) {
    const keys = new Map(index.digests.get(type))
    for (const draft of ofType) keys.delete(liveKey(draft).key)
    for (const { key, afterDigest } of ofType) if (afterDigest !== null) keys.set(key, afterDigest)
    digests.set(type, keys)
  }
  for (const draft of drafts) drift.delete(recordId(liveKey(draft)))
  return { digests, managed, drift }
}

function referencesIn(records: readonly LiveRecord[], keys: readonly RecordKey[]): LiveReference[] {
  const wanted = new Set(keys.map(recordId))
  return records.flatMap(({ type, key, body }) =>
    referredRecords(recordType(type), key, body)
      .filter((reference) => wanted.has(recordId(reference)))
      .map((to) => ({ from: { type, key }, to: { type: to.type, key: to.key }, owner: to.owner })),
  )
}

function hasMetadata({ body }: LiveRecord, metadataKeys: readonly string[]): boolean {
  const items = body[METADATA_FIELD]
  return Array.isArray(items) && items.some((item) => isObject(item) && metadataKeys.includes(String(item['key'])))
}

/** Asks about records by the keys that they have now, and gives the answers by the keys that were asked for. */
async function askedByKeyNow<Question extends RecordKey, Answer>(
  questions: readonly Question[],
  keyNow: (record: RecordKey) => RecordKey | null,
  ask: (questions: readonly Question[]) => Promise<ReadonlyMap<string, Answer>>,
): Promise<ReadonlyMap<string, Answer>> {
  const names = new Map<string, string>()
  const asked = questions.flatMap((question) => {
    const now = keyNow(question)
    if (now === null) return []
    names.set(recordId(now), recordId(question))
    return [{ ...question, ...now }]
  })
  return new Map([...(await ask(asked))].map(([id, answer]) => [names.get(id) ?? id, answer]))
}

/** Compares with the secret that a pending change writes, instead of the one that is stored. */
function comparedWith(pending: SecretAnswer, answer: SecretAnswer): SecretAnswer {
  if (answer.state === 'not compared') return answer
  return { ...answer, state: answer.fingerprint === pending.fingerprint ? 'unchanged' : 'changed' }
}
