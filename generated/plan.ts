// Generated from schemas/plan.schema.json by "npm run types". Do not edit.
import type { Json } from '../src/lib/json.ts'

/**
 * A record type, named as in the import document, or `access` for grants.
 */
export type PlannedType =
  | 'applicationConsumers'
  | 'characteristics'
  | 'characteristicServiceLinks'
  | 'componentModels'
  | 'dataSources'
  | 'eventModels'
  | 'machineUsers'
  | 'metadataTypes'
  | 'services'
  | 'serviceComponentModelLinks'
  | 'organizations'
  | 'users'
  | 'access'
/**
 * A SHA-256 digest of a canonical text.
 */
export type Digest = `sha256:${string}`
/**
 * Identifies a record within its type. The parts of a composite key are joined with /, and ~ and / inside a part are escaped as ~0 and ~1.
 */
export type RecordKey = string
/**
 * A number of records or the like.
 */
export type Count = number
/**
 * deletes-data: data belongs to the record. invalidates-data: stored data would no longer fit, or is of another type. relabels-data: stored data would be read in another unit. strands-data: stored data stays, and new data is refused. mass-delete: unusually many deletes in one type. takes-over: records of a type that no apply managed before would be deleted. empties-type: the list became []. leaves-scope: the list vanished. takes-ownership: the record type belongs to another owner. protected: the record is listed under `protect` in holdfast.yaml. widens-access: somebody could do more than before, or an account with rights would be controlled in another way. overwrites-later: a rollback would overwrite what somebody changed later.
 */
export type GuardCode =
  | 'deletes-data'
  | 'invalidates-data'
  | 'relabels-data'
  | 'strands-data'
  | 'mass-delete'
  | 'takes-over'
  | 'empties-type'
  | 'leaves-scope'
  | 'takes-ownership'
  | 'protected'
  | 'widens-access'
  | 'overwrites-later'
/**
 * A record type, named as in the import document.
 */
export type RecordType =
  | 'applicationConsumers'
  | 'characteristics'
  | 'characteristicServiceLinks'
  | 'componentModels'
  | 'dataSources'
  | 'eventModels'
  | 'machineUsers'
  | 'metadataTypes'
  | 'services'
  | 'serviceComponentModelLinks'
  | 'organizations'
  | 'users'

/**
 * A plan, as `holdfast plan --format json` prints it. Plain data: the same models and the same platform give the same bytes.
 */
export interface Plan {
  /**
   * The version of this format.
   */
  formatVersion: 1
  /**
   * The domain that is planned against.
   */
  domain: string
  /**
   * Identifies the effects of the plan and the records that they refer to: equal digests mean equal effects and equal references. It does not depend on positions, causes or impact.
   */
  digest: Digest
  /**
   * changes: an apply would do something. no-changes: no difference was found; see `notCompared` for secrets that could not be compared. blocked: an apply would refuse; see the open guards.
   */
  outcome: 'changes' | 'no-changes' | 'blocked'
  /**
   * How many records the plan does what with.
   */
  summary: Summary
  /**
   * One row for each record type, in the order of the import document: which are managed, and with what effect.
   */
  scope: ScopeRow[]
  /**
   * What an apply would do, record by record.
   */
  changes: Change[]
  /**
   * The effect of an apply on grants.
   */
  access: AccessPlan
  /**
   * Records that the changes refer to without changing them. An apply is refused as stale when one of them moved. The digest covers them.
   */
  references: PlanReference[]
  /**
   * What was found in the models.
   */
  diagnostics: Diagnostic[]
  /**
   * Records without a change whose secret was not compared. Left out: everything was compared.
   */
  notCompared?: NotCompared[]
  /**
   * Fields that somebody changed on the platform since the last apply and that the models do not name: an apply leaves them as they are. Not part of the digest. Left out: none.
   */
  drift?: FieldDrift[]
  /**
   * Somebody changed fields on the platform that the models name; an apply, even without changes, settles this drift. Left out: no.
   */
  settlesDrift?: true
  /**
   * Hidden changes of people and programs that the models do not describe: the reader of the plan may not read the data model. The digest covers them. Left out: nothing is withheld.
   */
  withheld?: Withheld[]
  /**
   * Members of the types that `holdfast types --out` writes and that an apply would remove, rename or change, so that apps may not compile any more. It stops nothing, and is not part of the digest. Left out: none.
   */
  breaks?: ClientBreaks
  /**
   * Present if the plan covers only the changes of the models against a base, such as the target branch of a pull request. The plan is made as if the base had been applied. Left out: the plan covers everything that differs.
   */
  own?: OwnPart
}
/**
 * How many records the plan does what with.
 */
export interface Summary {
  /**
   * Records that would be created.
   */
  create: Count
  /**
   * Records that would be updated.
   */
  update: Count
  /**
   * Records that would be deleted.
   */
  delete: Count
  /**
   * Records that would get another key.
   */
  move: Count
  /**
   * Managed records that equal the models; in a plan against a base, all records that it does not change.
   */
  unchanged: Count
  /**
   * Managed records that have no change and whose secret was not compared. Left out: none.
   */
  notCompared?: Count
  /**
   * Record types that the models do not manage.
   */
  unmanagedTypes: Count
}
/**
 * Changes outside of a plan against a base.
 */
export interface OwnPart {
  /**
   * The record types that come under management, leave it, or change their extent by this plan.
   */
  scope: PlannedType[]
  /**
   * Changes of the base that the platform lacks. Not part of the plan.
   */
  waiting: {
    /**
     * How many records.
     */
    count: Count
    /**
     * The first of them.
     */
    records: WaitingChange[]
  }
  /**
   * Waiting changes of records that this plan changes or refers to, or that refer to records that it deletes. An apply is refused until they are applied.
   */
  waitsFor: WaitingRecord[]
  /**
   * Number of records that somebody changed on the platform and that this plan does not revert.
   */
  drifted: Count
  /**
   * Number of records that equal the base and have a secret that was not compared. Left out: none.
   */
  notCompared?: Count
  /**
   * Number of changes of this plan that the platform has already: they were applied, or revert waiting changes. Left out: none.
   */
  done?: Count
}
/**
 * The members of the types of clients that a plan removes, renames or changes. A new member or a new option is none.
 */
export interface ClientBreaks {
  /**
   * How many members.
   */
  count: Count
  /**
   * The first of them.
   */
  members: ClientBreak[]
}
/**
 * A member of the types of clients.
 */
export interface ClientBreak {
  /**
   * The record type that has the member: component models, event models or metadata types; services or characteristics if no other member tells of the loss.
   */
  type: PlannedType
  /**
   * The first records that have the member.
   */
  keys: RecordKey[]
  /**
   * How many records have the member. Left out: those in `keys`.
   */
  count?: Count
  /**
   * The path of a value: the record key of the service, `/`, and the record key of the characteristic or `*` for all. Left out: the record itself.
   */
  member?: string
  /**
   * removed, renamed to another key or path, or how the type changes, such as: number → string.
   */
  change: string
}
/**
 * A change of the base that waits to be applied.
 */
export interface WaitingChange {
  /**
   * The record type.
   */
  type: PlannedType
  /**
   * The record.
   */
  key: RecordKey
  /**
   * The key before a move.
   */
  from?: RecordKey
  /**
   * What would be done.
   */
  action: 'create' | 'update' | 'delete' | 'move'
  /**
   * The pull request that brought it to the base, as people write it; left out where it is not known.
   */
  pullRequest?: string
}
/**
 * A waiting change that the plan rests on.
 */
export interface WaitingRecord {
  /**
   * The record type.
   */
  type: PlannedType
  /**
   * The record.
   */
  key: RecordKey
  /**
   * The key before a move.
   */
  from?: RecordKey
  /**
   * What would be done.
   */
  action: 'create' | 'update' | 'delete' | 'move'
  /**
   * Digest of the record while the change waits; null: there is none.
   */
  digest: Digest | null
  /**
   * The pull request that brought it to the base, as people write it; left out where it is not known.
   */
  pullRequest?: string
}
/**
 * What the plan does with one record type.
 */
export interface ScopeRow {
  /**
   * The record type.
   */
  type: RecordType
  /**
   * managed: present in the models. unmanaged: absent; if `previously` is not null, the type stays managed: by another owner (`managedBy`), or the import came without settings. emptied: present as [], and the platform has records. released: absent now, but managed by the last apply; its records stay.
   */
  state: 'managed' | 'unmanaged' | 'emptied' | 'released'
  /**
   * What the last apply did with the type: managed it, or only the links below some owners (partial). null: no apply ever managed it.
   */
  previously: 'managed' | 'partial' | null
  /**
   * The owner of the type, if it is not the planner: a repository with the folder of its models, a name of holdfast.yaml, or local. Left out: nobody manages the type, the planner does, or its owner is local.
   */
  managedBy?: string
  /**
   * Number of owners whose links are managed, if the links are written inside the records and not as a list of their own.
   */
  owners?: Count
  /**
   * How many records of a managed type are left alone because they belong to owners whose list is absent. Left out: none.
   */
  untouched?: Count
  /**
   * How many files hold records of the type.
   */
  files: Count
  /**
   * How many records the models hold.
   */
  desired: Count
  /**
   * Number of records on the platform; in a plan against a base, after all waiting changes.
   */
  actual: Count
  /**
   * How many records the platform holds now. Left out: as many as in `actual`.
   */
  live?: Count
  /**
   * Guards on the type as a whole.
   */
  guards: Guard[]
}
/**
 * What the plan does with grants. They are described in holdfast.yaml, beside the import document, so they are in none of scope, changes and summary.
 */
export interface AccessPlan {
  /**
   * managed: holdfast.yaml has `access`. unmanaged: it does not; if `previously` is not null, grants stay managed: by another owner (`managedBy`), or the import came without settings. emptied: it has [], and the platform has grants. released: it does not, but the last apply managed grants; they stay.
   */
  state: 'managed' | 'unmanaged' | 'emptied' | 'released'
  /**
   * Whether the last apply managed grants. null: no apply ever did.
   */
  previously: 'managed' | 'partial' | null
  /**
   * The owner of the grants, if it is not the planner: a repository with the folder of its models, a name of holdfast.yaml, or local. Left out: nobody manages grants, the planner does, or their owner is local.
   */
  managedBy?: string
  /**
   * How many grants holdfast.yaml has.
   */
  desired: Count
  /**
   * Number of grants on the platform; in a plan against a base, after all waiting changes.
   */
  actual: Count
  /**
   * How many grants the platform has now. Left out: as many as in `actual`.
   */
  live?: Count
  /**
   * Guards on the grants as a whole.
   */
  guards: Guard[]
  /**
   * What an apply would do, grant by grant.
   */
  changes: Change[]
  /**
   * Everybody who could do more or less after an apply. Left out: nobody.
   */
  diff?: AccessDiff
}
/**
 * The difference that the plan makes to what people and programs can do.
 */
export interface AccessDiff {
  /**
   * Digest of all gains and new secrets. An acknowledgement of widens-access names it. Left out: nobody gains anything.
   */
  digest?: Digest
  /**
   * Who gains and who loses something.
   */
  changes: AccessDifference[]
  /**
   * Number of others whose names the reader of the plan may not see. Left out: none.
   */
  withheld?: Count
}
/**
 * Gains and losses of an account, an application or a group of people.
 */
export interface AccessDifference {
  /**
   * The record type of the account or application; `access` for a group: all users, the people of an organization, identities of a provider with some claims.
   */
  type: PlannedType
  /**
   * The record, or the grant that names the group. Left out: `count` more.
   */
  key?: RecordKey
  /**
   * Number of others with the same gains and losses. Left out: one.
   */
  count?: Count
  /**
   * Roles with the place where they count, and new means of control such as a password or a redirect URI.
   */
  gains: string[]
  /**
   * What it could do before, and not after.
   */
  loses: string[]
  /**
   * The changes by which it gains that.
   */
  because: Referrer[]
  /**
   * The difference as a sentence.
   */
  message: string
}
/**
 * What an apply would do with one record.
 */
export interface Change {
  /**
   * The record type; `access` for a grant.
   */
  type: PlannedType
  /**
   * The record.
   */
  key: RecordKey
  /**
   * The action. move: the record gets another key and keeps everything that belongs to it.
   */
  action: 'create' | 'update' | 'delete' | 'move'
  /**
   * The key before a move. Only on moves.
   */
  from?: RecordKey
  /**
   * you: the models changed. drift: somebody changed the platform since the last apply. both: both did.
   */
  cause: 'you' | 'drift' | 'both'
  /**
   * Who changed the record on the platform since the last apply. Only where the cause is not `you`.
   */
  drift?: Drift
  /**
   * Where the record stands in the models.
   */
  source?: SourcePosition
  /**
   * The difference from before to after as JSON Patch (RFC 6902).
   */
  patch: PatchOperation[]
  /**
   * The record on the platform. null: there is none.
   */
  before: {
    [k: string]: Json
  } | null
  /**
   * The record after the apply. null: it is gone.
   */
  after: {
    [k: string]: Json
  } | null
  /**
   * Digest of the record on the platform. An apply is refused as stale when it moved. null: there is none.
   */
  beforeDigest: Digest | null
  /**
   * Digest of the record after the apply. null: it is gone.
   */
  afterDigest: Digest | null
  /**
   * Whether the secret of the record differs; the secret itself is never shown. Only on record types that hold one. generated: the platform makes one that nobody knows. no longer generated: one of the models replaces such a secret.
   */
  secret?: 'changed' | 'generated' | 'no longer generated' | 'unchanged' | 'not compared'
  /**
   * The reason of a change that follows from another one, such as a link whose service is deleted.
   */
  reason?: string
  /**
   * Who refers to the record now. Only on deletes and moves.
   */
  referrers?: Referrer[]
  /**
   * How much belongs to the record.
   */
  impact: Impact
  /**
   * What stops an apply of the change.
   */
  guards: Guard[]
}
/**
 * Who changed a record on the platform, and when.
 */
export interface Drift {
  /**
   * Who made the last change.
   */
  actor: string
  /**
   * When it was made.
   */
  at: string
}
/**
 * A place in a file of the models.
 */
export interface SourcePosition {
  /**
   * The file, with / between its parts.
   */
  file: string
  /**
   * The line, counted from 1.
   */
  line: number
  /**
   * The column, counted from 1.
   */
  column: number
}
/**
 * One operation of a JSON Patch (RFC 6902).
 */
export interface PatchOperation {
  /**
   * What is done at the path.
   */
  op: 'add' | 'remove' | 'replace'
  /**
   * The place in the record, as a JSON Pointer (RFC 6901).
   */
  path: string
  /**
   * The new value. Not on `remove`.
   */
  value?: Json
}
/**
 * How much depends on a record. Missing numbers are zero.
 */
export interface Impact {
  /**
   * Systems.
   */
  systems?: Count
  /**
   * Components.
   */
  components?: Count
  /**
   * Datapoints.
   */
  datapoints?: Count
  /**
   * Events.
   */
  events?: Count
  /**
   * Setpoints.
   */
  setpoints?: Count
  /**
   * Users.
   */
  users?: Count
}
/**
 * A reason for which an apply is refused until somebody acknowledges it.
 */
export interface Guard {
  /**
   * Names the guard.
   */
  code: GuardCode
  /**
   * true: the guard is passed.
   */
  acknowledged: boolean
  /**
   * What would happen, and what to do.
   */
  message: string
  /**
   * The first affected points. Left out: there are none, or the reader of the plan may not read data.
   */
  examples?: StoredExample[]
}
/**
 * A point that is stored.
 */
export interface StoredExample {
  /**
   * Its time.
   */
  at: string
  /**
   * Its value as JSON text, shortened where it is long.
   */
  value: string
  /**
   * The uuid of its system.
   */
  system: string
  /**
   * The uuid of its component.
   */
  component: string
}
/**
 * A record that refers to the one that changes.
 */
export interface Referrer {
  /**
   * The record type; `access` for a grant.
   */
  type: PlannedType
  /**
   * The record.
   */
  key: RecordKey
}
/**
 * A record that the changes refer to without changing it.
 */
export interface PlanReference {
  /**
   * The record type.
   */
  type: RecordType
  /**
   * The record.
   */
  key: RecordKey
  /**
   * Digest of the record when the plan was made. null: there was none; only for a metadata type that would apply to the changed records.
   */
  digest: Digest | null
}
/**
 * Another place that a finding is about.
 */
export interface RelatedPlace {
  /**
   * The file, where the place is known.
   */
  file?: string
  /**
   * The line, counted from 1.
   */
  line?: number
  /**
   * The column, counted from 1.
   */
  column?: number
  /**
   * The place in the merged import document, or in holdfast.yaml, as a JSON Pointer.
   */
  pointer: string
}
/**
 * Something found in the models.
 */
export interface Diagnostic {
  /**
   * An error stops the plan; a warning does not.
   */
  severity: 'error' | 'warning'
  /**
   * Names the kind of finding.
   */
  code: string
  /**
   * What is wrong, and what to do.
   */
  message: string
  /**
   * The file, where the place is known.
   */
  file?: string
  /**
   * The line, counted from 1.
   */
  line?: number
  /**
   * The column, counted from 1.
   */
  column?: number
  /**
   * The place in the merged import document, or in holdfast.yaml, as a JSON Pointer (RFC 6901).
   */
  pointer: string
  /**
   * Other places that the message is about.
   */
  related?: RelatedPlace[]
}
/**
 * A field that somebody changed on the platform and that the models do not name. Its values and author are left out if the reader of the plan may not read the data model.
 */
export interface FieldDrift {
  /**
   * The record type; `access` for a grant.
   */
  type: PlannedType
  /**
   * The record, by the key that it has in the models.
   */
  key: RecordKey
  /**
   * The field, named as in the models.
   */
  field: string
  /**
   * The value after the last apply. null: not set. `(secret)` stands for any secret.
   */
  before?: Json
  /**
   * What the platform has now. null: not set.
   */
  after?: Json
  /**
   * Who changed it last.
   */
  actor?: string
  /**
   * When that was.
   */
  at?: string
}
/**
 * A record that equals the models except for its secret, which is unknown.
 */
export interface NotCompared {
  /**
   * The record type.
   */
  type: RecordType
  /**
   * The record.
   */
  key: RecordKey
  /**
   * The field that holds the secret.
   */
  field: string
  /**
   * not-resolved: the models refer to a secret that is not set here. still-generated: the same, and the platform has one that it generated. too-many-guesses: too many wrong ones were tried within an hour. no-platform: an export holds no secrets.
   */
  reason: 'not-resolved' | 'still-generated' | 'too-many-guesses' | 'no-platform'
}
/**
 * Number of hidden changes of one type.
 */
export interface Withheld {
  /**
   * The record type; access for grants.
   */
  type: PlannedType
  /**
   * The action. move: the record gets another key and keeps everything that belongs to it.
   */
  action: 'create' | 'update' | 'delete' | 'move'
  /**
   * How many.
   */
  count: Count
  /**
   * How many of them an open guard stops.
   */
  stopped: Count
}
