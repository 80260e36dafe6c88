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

/** A change of a record since the last apply that was not made by an apply. */
export interface Drift extends Author {
  /** The body as the last apply left it; null if there was no record. */
  readonly base: RecordBody | null
  /** The last author of each field, the secret included. `actor` and `at` hold for all other fields. */
  readonly fields?: { readonly [field: string]: Author }
}

/** The owner of a managed record type, as another planner sees it. */
export interface OtherOwner {
  readonly name: string
  /** Whether another planner can take the type without an acknowledgement, as nobody confirmed this owner. */
  readonly isOpen: boolean
  /**
   * The planner: another owner; the local one, perhaps the same people; or a rollback. The last two take no type from
   * its owner.
   */
  readonly by: 'owner' | 'hand' | 'rollback'
}

export interface LiveIndex {
  readonly digests: ReadonlyMap<RecordTypeName, ReadonlyMap<string, Digest>>
  /** The types that the last apply managed. A type that no apply ever managed is absent. */
  readonly managed: ReadonlyMap<RecordTypeName, 'managed' | 'partial'>
  readonly drift: ReadonlyMap<string, Drift>
  /** The managed types of other owners; left out for plans of single records, which have no owner. */
  readonly others?: ReadonlyMap<RecordTypeName, OtherOwner>
}

/** A reference from one record to another. */
export interface LiveReference {
  readonly from: RecordKey
  readonly to: RecordKey
  readonly owner: boolean
}

export interface SecretQuestion extends RecordKey {
  /** The key that the record has on the platform now, which a move changes. */
  readonly liveKey: string
  readonly secret: DesiredSecret
}

export interface SecretAnswer {
  readonly state: SecretState
  /** Given if the state is `not compared`. */
  readonly notCompared?: WhyNotCompared
  /** Stands for the secret in the record's digest. It reveals nothing about the secret without the platform's key. */
  readonly fingerprint: string
}

export interface MetadataKey {
  readonly entity: string
  readonly key: string
}

export interface HeldMetadata extends MetadataKey {
  /** The value in tagged form. */
  readonly value: Json
  /** The uuid of the system, component or event. */
  readonly holder: string
}

/** A rule by which tokens of another provider act for a machine user. */
export interface MachineRule {
  readonly machineUser: string
  readonly rule: string
  /** The name of the authentication method. */
  readonly method: string
  readonly scopes: readonly string[]
}

/** A record that a plan changes, whose attached data may matter. */
export interface RecordInUse extends RecordKey {
  readonly isDeleted: boolean
}

/**
 * The questions that a plan asks about the platform. The number of questions does not depend on the number of records.
 * A plan asks only for bodies whose digests differ.
 */
export interface LiveState {
  readonly domain: string
  /** Left out if the reader of the plan has all bodies anyway. */
  readonly keyedDigest?: KeyedDigest
  index(): Promise<LiveIndex>
  /** Tells whether the existing records of a type are known; left out if all types are known. */
  knows?(type: RecordTypeName): boolean
  records(keys: readonly RecordKey[]): Promise<readonly LiveRecord[]>
  /** The references to these records. */
  referrers(keys: readonly RecordKey[]): Promise<readonly LiveReference[]>
  /** The records that have metadata of some of these keys. */
  withMetadata(metadataKeys: readonly string[]): Promise<readonly LiveRecord[]>
  /** The metadata of these keys on systems, components and events, in batches. Equal values of a key are neighbours. */
  heldMetadata?(keys: readonly MetadataKey[]): AsyncIterable<readonly HeldMetadata[]>
  /** Whether to leave out counts that decide about no guard. An apply needs no others, because nobody sees its plan. */
  readonly onlyGuards?: boolean
  impact(records: readonly RecordInUse[]): Promise<ReadonlyMap<string, Impact>>
  /** Asks the stored data of these records. There may be fewer answers than questions. Left out if there is no data. */
  data?(questions: readonly DataQuestion[]): Promise<DataAnswers>
  /** The number of accounts that are administrators without a grant; left out if that is not known. */
  standingAdministrators?(): Promise<number>
  /** The rules of ACTIVATED authentication methods that name machine users; left out if that is not known. */
  machineRules?(): Promise<readonly MachineRule[]>
  /** The uuids of the systems whose devices are the accounts with these keys, by key; left out if unknown. */
  devices?(keys: readonly string[]): Promise<ReadonlyMap<string, string>>
  compareSecrets(questions: readonly SecretQuestion[]): Promise<ReadonlyMap<string, SecretAnswer>>
}
