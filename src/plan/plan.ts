import type { ClientBreak, ClientBreaks, GuardCode, Impact as PublishedImpact } from '../../generated/plan.ts'
import type { Diagnostic, SourcePosition } from '../lib/diagnostic.ts'
import type { Digest } from '../lib/digest.ts'
import type { Json, JsonObject } from '../lib/json.ts'
import { ACCESS, type RecordTypeName } from '../records/record-type.ts'

// These are the types of the plan, as `schemas/plan.schema.json` has it: plain, sorted JSON without functions.

export type Action = 'create' | 'update' | 'delete' | 'move'

/** The origin of the difference: the document, a change on the platform since the last apply, or both. */
export type Cause = 'you' | 'drift' | 'both'

export type Outcome = 'changes' | 'no-changes' | 'blocked'

/** The kinds of guards and the kinds of impact below are declared in `schemas/plan.schema.json`. */
export type { ClientBreak, ClientBreaks, GuardCode }

export interface Guard {
  readonly code: GuardCode
  readonly acknowledged: boolean
  readonly message: string
  /** The first of the stored points that the guard is about. They are shown only to readers who may read data. */
  readonly examples?: readonly StoredExample[]
}

export interface StoredExample {
  /** RFC 3339. */
  readonly at: string
  /** The value as JSON text, shortened if it is long. */
  readonly value: string
  /** The uuids of the system and the component that the point belongs to. */
  readonly system: string
  readonly component: string
}

/** One operation of a JSON Patch (RFC 6902). It has no `from`, because `before` holds the old values. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace'
  readonly path: string
  readonly value?: Json
}

/** The number of things of each kind that belong to a record. Kinds with none are left out. */
export type Impact = Readonly<PublishedImpact>
export type ImpactKind = keyof PublishedImpact

export type SecretState = 'changed' | 'generated' | 'no longer generated' | 'unchanged' | 'not compared'

/** Tells whether an apply writes another secret. */
export function isReplaced(state: SecretState | undefined): boolean {
  return state === 'changed' || state === 'generated' || state === 'no longer generated'
}

/**
 * The reason why a secret was not compared: it is not known here, even if the platform generated it; too many wrong
 * ones were tried; or there is no platform to ask.
 */
export type WhyNotCompared = 'not-resolved' | 'still-generated' | 'too-many-guesses' | 'no-platform'

/** A record that equals the document except for its secret, which could not be compared. */
export interface NotCompared {
  readonly type: RecordTypeName
  readonly key: string
  /** The name of the field that holds the secret. */
  readonly field: string
  readonly reason: WhyNotCompared
}

/** A record that refers to another one. */
export interface Referrer {
  readonly type: RecordTypeName
  readonly key: string
}

export interface Change {
  readonly type: RecordTypeName
  readonly key: string
  readonly action: Action
  /** The key that the record has before a move. */
  readonly from?: string
  readonly cause: Cause
  /** The person who changed the record on the platform since the last apply; given if the cause is not `you`. */
  readonly drift?: Author
  readonly source?: SourcePosition
  readonly patch: readonly PatchOperation[]
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  readonly beforeDigest: Digest | null
  readonly afterDigest: Digest | null
  /** Given on record types that hold a secret. */
  readonly secret?: SecretState
  /** Why the change is made although the document does not ask for it, e.g. a link whose service is deleted. */
  readonly reason?: string
  /** On deletes and moves, the records that refer to this one now. */
  readonly referrers?: readonly Referrer[]
  readonly impact: Impact
  readonly guards: readonly Guard[]
}

/**
 * `managed`: the document has the type; `unmanaged`: the document does not have it; `emptied`: the document has it as
 * `[]` while the platform has records; `released`: the document no longer has it, and the last apply managed it.
 */
export type ScopeState = 'managed' | 'unmanaged' | 'emptied' | 'released'

export interface ScopeRow {
  readonly type: RecordTypeName
  readonly state: ScopeState
  /** The management of this type by the last apply; null if no apply ever managed it. */
  readonly previously: 'managed' | 'partial' | null
  /**
   * The name of the owner of the type, if another owner made the plan. Left out if the document lists the type and nobody
   * has confirmed that it belongs to that owner.
   */
  readonly managedBy?: string
  /** Given if only the links in the embedded lists of some records are managed: the number of these records. */
  readonly owners?: number
  /** The number of records of a managed type whose owners have no list in the document; they are left alone. */
  readonly untouched?: number
  readonly files: number
  readonly desired: number
  /** The number of records on the platform; in a plan of a part, the number after all waiting changes are applied. */
  readonly actual: number
  /** The number of records on the platform now, if it differs from `actual`. */
  readonly live?: number
  readonly guards: readonly Guard[]
}

/** The planned changes of grants, and their row in the scope. Each record type has such a row. */
export interface AccessPlan extends Pick<
  ScopeRow,
  'state' | 'previously' | 'managedBy' | 'desired' | 'actual' | 'live' | 'guards'
> {
  readonly changes: readonly Change[]
  /** The people who could do more or less after all changes of the plan. Left out if there are none. */
  readonly diff?: AccessDiff
}

export interface AccessDiff {
  /** Covers the gains. An acknowledgement of `widens-access` names this digest. Left out if nobody gains anything. */
  readonly digest?: Digest
  readonly changes: readonly AccessDifference[]
  /** The number of people whom the reader may not know. Left out if it is 0. */
  readonly withheld?: number
}

/** A right that an account, an application or a group of people could gain or lose. */
export interface AccessDifference {
  /** The record type; `access` for a group. */
  readonly type: RecordTypeName
  /** The key of the record, or of a grant that names the group. Left out if this entry stands for `count` more. */
  readonly key?: string
  readonly count?: number
  /** Roles and other means of access, such as `operator within lindenhof` and `a new secret`. */
  readonly gains: readonly string[]
  readonly loses: readonly string[]
  /** The changes that cause the gain. */
  readonly because: readonly Referrer[]
  readonly message: string
}

/** The person who changed a record or a field on the platform, and the time. */
export interface Author {
  readonly actor: string
  /** RFC 3339. */
  readonly at: string
}

/** A field that was changed on the platform since the last apply and that the document leaves open. */
export interface FieldDrift extends Partial<Author> {
  readonly type: RecordTypeName
  readonly key: string
  readonly field: string
  /** The value that the last apply left; null if it was not set. Only readers of the model see `before` and `after`. */
  readonly before?: Json
  readonly after?: Json
}

export interface Summary {
  readonly create: number
  readonly update: number
  readonly delete: number
  readonly move: number
  readonly unchanged: number
  /** The number of records that have no change and could not be compared; left out if there are none. */
  readonly notCompared?: number
  readonly unmanagedTypes: number
}

/**
 * A record that the changes refer to without changing it. An apply is refused when its digest has changed. The digest
 * is null if the record does not exist.
 */
export interface PlanReference extends Referrer {
  readonly digest: Digest | null
}

/** A change that another document made before this one and that the platform does not have yet. */
export interface WaitingRecord {
  readonly type: RecordTypeName
  readonly key: string
  readonly action: Action
  readonly from?: string
  /** The digest that the record has on the platform as long as the change waits; null if there is no record. */
  readonly digest: Digest | null
  /** The pull request that brought it, such as `#12`; only the command line knows it, from Git. */
  readonly pullRequest?: string
}

/** Facts about a plan that covers only the difference between a document and another one, its base. */
export interface OwnPart {
  /** The record types that this plan starts to manage, stops managing, or manages to another extent. */
  readonly scope: readonly RecordTypeName[]
  /** Changes that the base has and the platform lacks. They are not part of the plan. Only the first ones are named. */
  readonly waiting: { readonly count: number; readonly records: readonly Omit<WaitingRecord, 'digest'>[] }
  /** The waiting changes that the plan depends on: it is applied after them. */
  readonly waitsFor: readonly WaitingRecord[]
  /** The number of records that somebody changed on the platform and that this plan does not revert. */
  readonly drifted: number
  /** The number of records outside of this plan whose secrets were not compared. Left out if it is 0. */
  readonly notCompared?: number
  /** The number of changes that the platform has already and the base does not have. Left out if it is 0. */
  readonly done?: number
}

export interface Plan {
  readonly formatVersion: 1
  readonly domain: string
  readonly digest: Digest
  readonly outcome: Outcome
  readonly summary: Summary
  readonly scope: readonly ScopeRow[]
  readonly changes: readonly Change[]
  readonly access: AccessPlan
  readonly references: readonly PlanReference[]
  readonly diagnostics: readonly Diagnostic[]
  /** Left out if everything was compared. */
  readonly notCompared?: readonly NotCompared[]
  /** Left out if there is none. An apply does not change it. */
  readonly drift?: readonly FieldDrift[]
  /** Given if the document now decides about drift that is already as wanted: an apply ends it without a change. */
  readonly settlesDrift?: true
  /** The numbers of changes that are hidden because the reader may not read the records; left out if there are none. */
  readonly withheld?: readonly Withheld[]
  /** Left out if the types of clients lose nothing. */
  readonly breaks?: ClientBreaks
  /** Left out if the plan covers everything that the document wants. */
  readonly own?: OwnPart
}

/** Number of hidden changes of persons whom the document does not describe. The reader may not read the model. */
export interface Withheld {
  readonly type: RecordTypeName
  readonly action: Action
  readonly count: number
  /** The number of them that an open guard stops. */
  readonly stopped: number
}

/** All changes of a plan: first the changes of the data model, then the changes of grants. */
export function allChanges({ changes, access }: Pick<Plan, 'changes' | 'access'>): readonly Change[] {
  return access.changes.length === 0 ? changes : [...changes, ...access.changes]
}

/** The rows of the record types and then the row of the grants. */
export function allRows({ scope, access }: Pick<Plan, 'scope' | 'access'>): readonly ScopeRow[] {
  return [...scope, accessRow(access)]
}

export function accessRow({ changes: _, diff: _diff, ...row }: AccessPlan): ScopeRow {
  return { type: ACCESS, files: row.state === 'managed' ? 1 : 0, ...row }
}

/** Tells whether an apply would take the type from its owner, or change the type although another owner has it. */
export function takesOwnership({ guards }: Pick<ScopeRow, 'guards'>): boolean {
  return guards.some(({ code }) => code === 'takes-ownership')
}
