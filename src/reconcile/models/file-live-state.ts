import { hasMetadata } from '../../documents/checks/metadata-rules.ts'
import type { DesiredRecord, Snapshot } from '../../documents/snapshot.ts'
import { recordDigest } from '../../plan/compare/desired-digests.ts'
import type { LiveIndex, LiveReference, LiveState, SecretAnswer, SecretQuestion } from '../../plan/live-state.ts'
import { recordId } from '../../records/record-id.ts'
import { referredRecords } from '../../records/references.ts'
import { recordType } from '../../records/registry.ts'
import type { RecordKey, RecordTypeName } from '../../records/record-type.ts'
import { GENERATED_FINGERPRINT, Secret } from '../../records/secret.ts'

/** An export contains no secrets. All except generated ones get this fingerprint, so that none looks changed. */
const UNKNOWN_SECRET = 'not compared'

/** No platform has a domain of this name, so a plan that was made offline cannot be applied to any platform. */
const OFFLINE_DOMAIN = 'offline'

/**
 * The live state of an exported document: its records, without data or drift. `wanted` is the snapshot of the models,
 * because an export does not show whether links were managed as a whole or by the lists of their owners.
 */
export function fileLiveState(snapshot: Snapshot, wanted: Snapshot = snapshot): LiveState {
  const recordOf = ({ type, key }: RecordKey) => snapshot.get(type)?.records.get(key)
  return {
    domain: OFFLINE_DOMAIN,
    index: () => Promise.resolve(indexOf(snapshot, wanted)),
    knows: (type) => (snapshot.get(type)?.coverage ?? 'none') !== 'none',
    records: (keys) => Promise.resolve(keys.map(recordOf).filter((record) => record !== undefined)),
    referrers: (keys) => Promise.resolve(referrersOf(snapshot, keys)),
    withMetadata: (metadataKeys) => Promise.resolve(withMetadata(snapshot, metadataKeys)),
    impact: () => Promise.resolve(new Map()),
    compareSecrets: (questions) =>
      Promise.resolve(new Map(questions.map((question) => [recordId(question), compareSecret(question, snapshot)]))),
  }
}

/** An export only says whether the platform has generated a secret. */
function compareSecret({ type, liveKey, secret: wanted }: SecretQuestion, exported: Snapshot): SecretAnswer {
  const isGenerated = exported.get(type)?.records.get(liveKey)?.secret === 'generated'
  if (wanted === 'generated')
    return { state: isGenerated ? 'unchanged' : 'generated', fingerprint: GENERATED_FINGERPRINT }
  if (!isGenerated) return { state: 'not compared', notCompared: 'no-platform', fingerprint: UNKNOWN_SECRET }
  if (wanted instanceof Secret) return { state: 'no longer generated', fingerprint: UNKNOWN_SECRET }
  return { state: 'not compared', notCompared: 'still-generated', fingerprint: GENERATED_FINGERPRINT }
}

function withMetadata(snapshot: Snapshot, metadataKeys: readonly string[]): DesiredRecord[] {
  return [...snapshot.values()].flatMap(({ records }) =>
    [...records.values()].filter(({ body }) => hasMetadata(body, metadataKeys)),
  )
}

function indexOf(snapshot: Snapshot, wanted: Snapshot): LiveIndex {
  const digests: LiveIndex['digests'] = new Map(
    [...snapshot].map(([type, { records }]) => [
      type,
      new Map([...records].map(([key, record]) => [key, digestOf(record)])),
    ]),
  )
  const managed = new Map<RecordTypeName, 'managed' | 'partial'>()
  for (const [type, { coverage }] of snapshot) {
    if (coverage === 'none') continue
    managed.set(type, coverage === 'owners' || wanted.get(type)?.coverage === 'owners' ? 'partial' : 'managed')
  }
  return { digests, managed, drift: new Map() }
}

function digestOf({ body, secret }: DesiredRecord) {
  if (secret === null) return recordDigest(body, undefined)
  return recordDigest(body, secret === 'generated' ? GENERATED_FINGERPRINT : UNKNOWN_SECRET)
}

function referrersOf(snapshot: Snapshot, keys: readonly RecordKey[]): LiveReference[] {
  if (keys.length === 0) return []
  const wanted = new Set(keys.map(recordId))
  const found: LiveReference[] = []
  for (const [name, { records }] of snapshot) {
    const type = recordType(name)
    for (const { key, body } of records.values()) {
      for (const { type: target, key: targetKey, owner } of referredRecords(type, key, body)) {
        const to = { type: target, key: targetKey }
        if (wanted.has(recordId(to))) found.push({ from: { type: name, key }, to, owner })
      }
    }
  }
  return found
}
