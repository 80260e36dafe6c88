import type { Snapshot } from '../documents/snapshot.ts'
import { digestOf, type Digest } from '../lib/digest.ts'
import type { RecordBody, RecordTypeName } from '../records/record-type.ts'
import { idOf, type LiveState, type SecretAnswer, type SecretQuestion } from './live-state.ts'
import type { Moves } from './moves.ts'

/** The digest of a record: of its canonical text, and of the fingerprint of its secret where it has one. */
export function recordDigest(body: RecordBody, fingerprint: string | undefined): Digest {
  const text = JSON.stringify(body)
  return digestOf(fingerprint === undefined ? text : `${text}\n${fingerprint}`)
}

export interface DesiredDigests {
  readonly digests: ReadonlyMap<RecordTypeName, ReadonlyMap<string, Digest>>
  /** By `type/key`, for the records that hold a secret. */
  readonly secrets: ReadonlyMap<string, SecretAnswer>
}

/** Digests of all that the document wants, as if its untouched fields were not set on the platform. */
export async function desiredDigests(snapshot: Snapshot, moves: Moves, live: LiveState): Promise<DesiredDigests> {
  const secrets = await live.compareSecrets(secretQuestions(snapshot, moves))
  const digests = new Map<RecordTypeName, Map<string, Digest>>()
  for (const [type, { records }] of snapshot) {
    const ofType = new Map<string, Digest>()
    for (const record of records.values()) {
      ofType.set(record.key, record.secret === null ? record.digest : recordDigest(record.body, secrets.get(idOf(record))?.fingerprint))
    }
    digests.set(type, ofType)
  }
  return { digests, secrets }
}

function secretQuestions(snapshot: Snapshot, moves: Moves): SecretQuestion[] {
  const questions: SecretQuestion[] = []
  for (const { records } of snapshot.values()) {
    for (const { type, key, secret } of records.values()) {
      if (secret === null) break
      questions.push({ type, key, liveKey: moves.records.get(idOf({ type, key }))?.from ?? key, secret })
    }
  }
  return questions
}
