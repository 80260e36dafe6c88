import type { GuardCode, Impact as PublishedImpact } from '../../generated/plan.ts'
import type { Diagnostic, SourcePosition } from '../lib/diagnostic.ts'
import type { Digest } from '../lib/digest.ts'
import type { Json, JsonObject } from '../lib/json.ts'
import { ACCESS, type RecordTypeName } from '../records/record-type.ts'

// The plan as contract and `schemas/plan.schema.json` describe it: plain JSON, sorted, without functions.

export type Action = 'create' | 'update' | 'delete' | 'move'

/** Who made the difference: the document, somebody on the platform since the last apply, or both. */
export type Cause = 'you' | 'drift' | 'both'

export type Outcome = 'changes' | 'no-changes' | 'blocked'

/** The kinds of guards, as well as the kinds of impact below, are declared in `schemas/plan.schema.json`. */
export type { GuardCode }

export interface Guard {
  readonly code: GuardCode
  readonly acknowledged: boolean
  readonly message: string
  /** The first of the stored points that it is about; only for readers who may read data. */
  readonly examples?: readonly StoredExample[]
}

export interface StoredExample {
  /** RFC 3339. */
  readonly at: string
  /** As JSON text, shortened where it is long. */
  readonly value: string
  /** The uuids of the system and the component that the point is of. */
  readonly system: string
  readonly component: string
}

/** One operation of a JSON Patch (RFC 6902); `from` values are not needed to show a change, `before` holds them. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace'
  readonly path: string
  readonly value?: Json
}

/** How much hangs on a record; only what is not zero is named. */
export type Impact = Readonly<PublishedImpact>
export type ImpactKind = keyof PublishedImpact

export type SecretState = 'changed' | 'unchanged' | 'not compared'

/** Why nothing was compared: nobody has the secret here, too many wrong ones were tried, or there is no platform to ask. */
export type WhyNotCompared = 'not-resolved' | 'too-many-guesses' | 'no-platform'

/** A record that is as the document says but for its secret, of which nothing is known. */
export interface NotCompared {
  readonly type: RecordTypeName
  readonly key: string
  /** The field that holds the secret. */
  readonly field: string
  readonly reason: WhyNotCompared
}

/** A record that refers to the one that changes. */
export interface Referrer {
  readonly type: RecordTypeName
  readonly key: string
}

export interface Change {
  readonly type: RecordTypeName
  readonly key: string
  readonly action: Action
  /** The key before a move. */
  readonly from?: string
  readonly cause: Cause
  /** Who changed the record on the platform since the last apply, where the cause is not `you`. */
  readonly drift?: Author
  readonly source?: SourcePosition
  readonly patch: readonly PatchOperation[]
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  readonly beforeDigest: Digest | null
  readonly afterDigest: Digest | null
  /** Only on record types that hold a secret. */
  readonly secret?: SecretState
  /** Why the change is made where the document does not say it itself, e.g. a link whose service is deleted. */
  readonly reason?: string
  /** On deletes and moves: who refers to the record now. */
  readonly referrers?: readonly Referrer[]
  readonly impact: Impact
  readonly guards: readonly Guard[]
}

/**
 * `managed`: present in the document; `unmanaged`: absent; `emptied`: present as `[]` where records live;
 * `released`: absent now, managed by the last apply.
 */
export type ScopeState = 'managed' | 'unmanaged' | 'emptied' | 'released'

export interface ScopeRow {
  readonly type: RecordTypeName
  readonly state: ScopeState
  /** What the last apply did with this type; null when no apply ever managed it. */
  readonly previously: 'managed' | 'partial' | null
  /** Present where only the records below some owners are managed: links by embedded lists. */
  readonly owners?: number
  /** Records on the platform, of a managed type, that belong to owners whose list is absent: they are left alone. */
  readonly untouched?: number
  readonly files: number
  readonly desired: number
  readonly actual: number
  readonly guards: readonly Guard[]
}

/** What becomes of the grants: the row that each record type has in the scope, and their changes. */
export interface AccessPlan extends Pick<ScopeRow, 'state' | 'previously' | 'desired' | 'actual' | 'guards'> {
  readonly changes: readonly Change[]
}

/** Who changed something on the platform, and when. */
export interface Author {
  readonly actor: string
  /** RFC 3339. */
  readonly at: string
}

/** A field that somebody changed on the platform since the last apply, and that the document leaves as it is. */
export interface FieldDrift extends Partial<Author> {
  readonly type: RecordTypeName
  readonly key: string
  readonly field: string
  /** The value that the last apply left; null: not set. All that follows is only for readers of the data model. */
  readonly before?: Json
  readonly after?: Json
}

export interface Summary {
  readonly create: number
  readonly update: number
  readonly delete: number
  readonly move: number
  readonly unchanged: number
  /** Neither changed nor known to be unchanged; left out: none. */
  readonly notCompared?: number
  readonly unmanagedTypes: number
}

/** A record that the changes refer to without changing it; an apply is refused when it moved. Null: there is none. */
export interface PlanReference extends Referrer {
  readonly digest: Digest | null
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
  /** Left out: everything was compared. */
  readonly notCompared?: readonly NotCompared[]
  /** Left out: none. No part of what an apply would do. */
  readonly drift?: readonly FieldDrift[]
  /** An apply would change no record because of it, but forget what has drifted and is decided now. */
  readonly settlesDrift?: true
  /** Changes that are not shown because their reader may not read what they are about; left out: none. */
  readonly withheld?: readonly Withheld[]
}

/** Changes of persons whom the document does not describe, for a reader who may not read the data model. */
export interface Withheld {
  readonly type: RecordTypeName
  readonly action: Action
  readonly count: number
  /** How many of them a guard stops that nobody has acknowledged. */
  readonly stopped: number
}

/** All that the plan would do, whether to the data model or to grants. */
export function allChanges({ changes, access }: Pick<Plan, 'changes' | 'access'>): readonly Change[] {
  return access.changes.length === 0 ? changes : [...changes, ...access.changes]
}

/** The rows of the record types, and that of the grants. */
export function allRows({ scope, access }: Pick<Plan, 'scope' | 'access'>): readonly ScopeRow[] {
  return [...scope, accessRow(access)]
}

export function accessRow({ state, previously, desired, actual, guards }: AccessPlan): ScopeRow {
  return { type: ACCESS, state, previously, files: state === 'managed' ? 1 : 0, desired, actual, guards }
}
