import type { DesiredRecord, Snapshot } from '../../documents/snapshot.ts'
import { digestOf, type Digest } from '../../lib/digest.ts'
import type { RecordBody } from '../../records/record-type.ts'
import type { LiveState, SecretAnswer, SecretQuestion } from '../live-state.ts'
import { recordId } from '../../records/record-id.ts'
import { recordType } from '../../records/registry.ts'
import type { Moves } from './moves.ts'

/** The digest of a record: the digest of its canonical text, joined with the fingerprint of its secret if any. */
export function recordDigest(body: RecordBody, fingerprint: string | undefined): Digest {
  const text = JSON.stringify(body)
  return digestOf(fingerprint === undefined ? text : `${text}\n${fingerprint}`)
}

export interface DesiredDigests {
  digestOf(record: DesiredRecord): Digest
  /** The answers about secrets by `type/key`, for the records that hold one. */
  readonly secrets: ReadonlyMap<string, SecretAnswer>
}

/** The digests of the records that the document wants. Fields that the document leaves untouched count as not set. */
export async function desiredDigests(snapshot: Snapshot, moves: Moves, live: LiveState): Promise<DesiredDigests> {
  const secrets = await live.compareSecrets(secretQuestions(snapshot, moves))
  return {
    digestOf: (record) =>
      record.secret === null ? record.digest : recordDigest(record.body, secrets.get(recordId(record))?.fingerprint),
    secrets,
  }
}

function secretQuestions(snapshot: Snapshot, moves: Moves): SecretQuestion[] {
  const questions: SecretQuestion[] = []
  for (const [name, { records }] of snapshot) {
    if (recordType(name).secret === undefined) continue
    for (const { type, key, secret } of records.values()) {
      if (secret === null) continue
      questions.push({ type, key, liveKey: moves.records.get(recordId({ type, key }))?.from ?? key, secret })
    }
  }
  return questions
}
