import type { Digest } from '../lib/digest.ts'
import type { Json } from '../lib/json.ts'
import type { RecordBody, RecordKey, RecordTypeName } from '../records/record-type.ts'
import type { DesiredSecret } from '../records/secret.ts'
import type { KeyedDigest } from './keyed-digests.ts'
import type { Author, Impact, SecretState, WhyNotCompared } from './plan.ts'
import type { DataAnswers, DataQuestion } from './guards/stored-data.ts'

export interface LiveRecord extends RecordKey {
  readonly body: RecordBody
}

/** Somebody else than an apply wrote the record since the last apply. */
export interface Drift extends Author {
  /** The body as the last apply left it; null where there was no record. */
  readonly base: RecordBody | null
  /** Who changed each of the fields last, the secret included; those left out were changed by the author of the rest. */
  readonly fields?: { readonly [field: string]: Author }
}

export interface LiveIndex {
  readonly digests: ReadonlyMap<RecordTypeName, ReadonlyMap<string, Digest>>
  /** What the last apply managed; a type that no apply ever managed is absent. */
  readonly managed: ReadonlyMap<RecordTypeName, 'managed' | 'partial'>
  readonly drift: ReadonlyMap<string, Drift>
}

/** One record refers to another. */
export interface LiveReference {
  readonly from: RecordKey
  readonly to: RecordKey
  readonly owner: boolean
}

export interface SecretQuestion extends RecordKey {
  /** The key that the record has on the platform now, where a move changes it. */
  readonly liveKey: string
  readonly secret: DesiredSecret
}

export interface SecretAnswer {
  readonly state: SecretState
  /** Where the state is `not compared`. */
  readonly notCompared?: WhyNotCompared
  /** Stands for the secret in the record's digest; says nothing about it to anybody without the platform's key. */
  readonly fingerprint: string
}

export interface MetadataKey {
  readonly entity: string
  readonly key: string
}

export interface HeldMetadata extends MetadataKey {
  /** In tagged form. */
  readonly value: Json
  /** The uuid of who has it. */
  readonly holder: string
}

/**
 * What the reconciler asks of the thing that a plan is made against. A plan costs a fixed number of questions, however
 * many records there are, and bodies are only asked for where the digests differ.
 */
export interface LiveState {
  readonly domain: string
  /** Left out where the reader of the plan has all bodies anyway. */
  readonly keyedDigest?: KeyedDigest
  index(): Promise<LiveIndex>
  /** Whether it is known which records of a type there are; left out: of all types. */
  knows?(type: RecordTypeName): boolean
  records(keys: readonly RecordKey[]): Promise<readonly LiveRecord[]>
  /** Who refers to these records. */
  referrers(keys: readonly RecordKey[]): Promise<readonly LiveReference[]>
  /** The records that have some metadata of these keys. */
  withMetadata(metadataKeys: readonly string[]): Promise<readonly LiveRecord[]>
  /** The metadata of these keys that is not in records but in what is made under them: systems, components, events. */
  heldMetadata?(keys: readonly MetadataKey[]): Promise<readonly HeldMetadata[]>
  impact(keys: readonly RecordKey[]): Promise<ReadonlyMap<string, Impact>>
  /** What the data behind these records says; left out where there is none. */
  data?(questions: readonly DataQuestion[]): Promise<DataAnswers>
  /** How many are administrators without a grant; left out where that is not known. */
  standingAdministrators?(): Promise<number>
  compareSecrets(questions: readonly SecretQuestion[]): Promise<ReadonlyMap<string, SecretAnswer>>
}
