// Generated from schemas/entities.schema.json by "npm run types". Do not edit.
import type { EventLevel, EventType, MetadataItem, Status } from './import-document.ts'

/**
 * What was deleted.
 */
export type DeletionKind = 'SYSTEM' | 'COMPONENT' | 'EVENT' | 'DATAPOINTS'
/**
 * How a method identifies people.
 */
export type AuthenticationMethodKind = 'internal' | 'openid-delegated'
/**
 * State of a setpoint.
 */
export type SetpointState = 'PENDING' | 'SENT' | 'ACKNOWLEDGED' | 'APPLIED' | 'REJECTED' | 'EXPIRED' | 'SUPERSEDED'
/**
 * Why a person of a provider is refused.
 */
export type IdentityRefusalReason =
  'no-rule-fits' | 'not-for-people' | 'no-machine-user' | 'not-activated' | 'address-not-trusted' | 'unbound'

/**
 * The types of each entity.
 */
export interface Entities {
  System: {
    entity: System
    created: NewSystem
    patch: SystemPatch
    filter: SystemFilter
  }
  Component: {
    entity: Component
    created: NewComponent
    patch: ComponentPatch
    filter: ComponentFilter
  }
  Event: {
    entity: Event
    created: NewEvent
    filter: EventFilter
  }
  Setpoint: {
    entity: Setpoint
    filter: SetpointFilter
  }
  Retention: {
    entity: Retention
  }
  SystemCredential: {
    entity: SystemCredential
  }
  DomainAuthenticationMethod: {
    entity: DomainAuthenticationMethod
  }
  ExternalIdentity: {
    entity: ExternalIdentity
  }
  RefusedDatapoint: {
    entity: RefusedDatapoint
    filter: RefusedDatapointFilter
  }
  Deletion: {
    entity: Deletion
  }
}
/**
 * An installation: a number of components in one place that belong together.
 */
export interface System {
  /**
   * Identifies the system for ever.
   */
  uuid: string
  /**
   * Name shown to people.
   */
  name: string
  /**
   * Data is accepted for ACTIVATED systems only. Stored data stays readable in every status.
   */
  status: Status
  /**
   * Whether it is a prototype, with all of its components: see `limitToPrototypes` of event models.
   */
  isPrototype: boolean
  /**
   * The record key of its organization or organization unit; null: none.
   */
  organizationUnit: string | null
  /**
   * Its metadata, ruled by the metadata types of the entity SYSTEM.
   */
  metadataKeyValueStore: readonly MetadataItem[]
  /**
   * When it was created.
   */
  createdAt: Date
  /**
   * When it was changed last.
   */
  updatedAt: Date
}
/**
 * A device, gateway or virtual part of a system, made by a component model.
 */
export interface Component {
  /**
   * Identifies the component for ever: the component_uuid of its datapoints.
   */
  uuid: string
  /**
   * Its system: the system_uuid of its datapoints.
   */
  systemUuid: string
  /**
   * The record key of its component model.
   */
  componentModel: string
  /**
   * Name shown to people.
   */
  name: string
  /**
   * Data is accepted for ACTIVATED components only. Stored data stays readable in every status.
   */
  status: Status
  /**
   * Whether it is a prototype by itself: see `limitToPrototypes` of event models. All components of a prototype system are prototypes.
   */
  isPrototype: boolean
  /**
   * Its metadata, ruled by the metadata types of the entity COMPONENT.
   */
  metadataKeyValueStore: readonly MetadataItem[]
  /**
   * When it was created.
   */
  createdAt: Date
  /**
   * When it was changed last.
   */
  updatedAt: Date
}
/**
 * Something that happened to a system or a component, as its event model describes.
 */
export interface Event {
  /**
   * Identifies the event.
   */
  uuid: string
  /**
   * The record key of its event model.
   */
  eventModel: string
  /**
   * A single point in time or a range, as in its model.
   */
  eventType: EventType
  /**
   * The level, from its model.
   */
  eventLevel: EventLevel
  /**
   * The message for people: its own, or the one of its model.
   */
  message: string | null
  /**
   * The affected system, also if a component is affected.
   */
  systemUuid: string
  /**
   * The affected component; null if the whole system is affected.
   */
  componentUuid: string | null
  /**
   * When it happened, or began.
   */
  at: number
  /**
   * When the range ended; null while it has not, and for a single point in time.
   */
  endAt: number | null
  /**
   * Its metadata, ruled by the metadata types of the entity EVENT.
   */
  metadataKeyValueStore: readonly MetadataItem[]
  /**
   * The reporter of the event.
   */
  actor: string
  /**
   * When the platform received it.
   */
  createdAt: Date
}
/**
 * A value that a device shall set for one of its characteristics.
 */
export interface Setpoint {
  /**
   * Identifies the setpoint.
   */
  uuid: string
  /**
   * The system of the component.
   */
  systemUuid: string
  /**
   * The component that shall set it.
   */
  componentUuid: string
  /**
   * The uuid of the service.
   */
  serviceUuid: string
  /**
   * The record key of the service.
   */
  service: string
  /**
   * The uuid of the characteristic.
   */
  characteristicUuid: string
  /**
   * The record key of the characteristic.
   */
  characteristic: string
  /**
   * The value; an integer beyond 2^53 as a decimal string.
   */
  value: unknown
  /**
   * Its state.
   */
  state: SetpointState
  /**
   * The answer of the device.
   */
  reason: string | null
  /**
   * Who set it.
   */
  actor: string
  /**
   * When it was set, according to the sender.
   */
  setAt: number
  /**
   * When the platform received it.
   */
  createdAt: Date
  /**
   * Time at which it expires unless it is applied; null: never.
   */
  expiresAt: Date | null
  /**
   * When its state changed last.
   */
  changedAt: Date
}
/**
 * How long datapoints are kept. Older points are rejected, hidden and deleted.
 */
export interface Retention {
  /**
   * The characteristic; null: all characteristics without a retention of their own.
   */
  characteristicUuid: string | null
  /**
   * The record key of the characteristic.
   */
  characteristic: string | null
  /**
   * An ISO 8601 duration of whole days, weeks, months or years; null: for ever.
   */
  keep: string | null
  /**
   * The earliest time that is kept today: the beginning of a day (UTC). Null: everything is kept.
   */
  earliest: number | null
  /**
   * Who set it; null for roles within an organization.
   */
  changedBy: string | null
  /**
   * When it was set; null: never.
   */
  changedAt: Date | null
}
/**
 * The machine user that a device of a system signs in as. No import document names it.
 */
export interface SystemCredential {
  /**
   * Identifies the account.
   */
  uuid: string
  /**
   * The only system whose data it may use.
   */
  systemUuid: string
  /**
   * The user name that the device signs in with.
   */
  username: string
  /**
   * When it was created.
   */
  createdAt: Date
}
/**
 * Number of refused datapoints of one series, for one reason, on one day (UTC); never their values.
 */
export interface RefusedDatapoint {
  /**
   * Identifies it.
   */
  uuid: string
  /**
   * The reason, as in the answer to the batch: out-of-bounds, unknown-component and so on.
   */
  code: string
  /**
   * The system, if the sender may send to it; for a device always its own. Null: unknown.
   */
  systemUuid: string | null
  /**
   * The component as the sender named it, which may not exist; null if none was named.
   */
  componentUuid: string | null
  /**
   * The service as the sender named it.
   */
  serviceUuid: string | null
  /**
   * The characteristic as the sender named it.
   */
  characteristicUuid: string | null
  /**
   * The sender: the uuid of the account, or its name if it has none. Null for roles within an organization, and for a merged entry.
   */
  sender: string | null
  /**
   * Whether it merges older entries: of one sender, or of all if it has no sender. It names no series.
   */
  isRest: boolean
  /**
   * Number of refused datapoints. Retries count again.
   */
  count: number
  /**
   * When the first of them was refused.
   */
  firstAt: Date
  /**
   * When the last of them was refused.
   */
  lastAt: Date
}
/**
 * What somebody deleted: a system, a component, an event or datapoints.
 */
export interface Deletion {
  /**
   * Identifies it.
   */
  uuid: string
  /**
   * What was deleted.
   */
  kind: DeletionKind
  /**
   * The uuid of the system, component or event; null for datapoints.
   */
  subject: string | null
  /**
   * The name of the system or component, or the event model of the event; null for datapoints.
   */
  name: string | null
  /**
   * The series whose datapoints were deleted; null for everything else.
   */
  series: DeletedSeries | null
  /**
   * Datapoints from this time on were deleted; null if there was no beginning.
   */
  from: number | null
  /**
   * Datapoints before this time were deleted; null if there was no end.
   */
  to: number | null
  /**
   * What was deleted, as the preview counted it.
   */
  counts: DeletionCounts
  /**
   * Who deleted it.
   */
  deletedBy: string
  /**
   * When it was deleted.
   */
  deletedAt: Date
}
/**
 * Selects series by uuids, or record keys for services and characteristics. A series must match all lists that are not null.
 */
export interface DeletedSeries {
  /**
   * Series of these systems.
   */
  systems: readonly string[] | null
  /**
   * Series of these components.
   */
  components: readonly string[] | null
  /**
   * Series of these services.
   */
  services: readonly string[] | null
  /**
   * Series of these characteristics.
   */
  characteristics: readonly string[] | null
}
/**
 * How much a deletion deletes.
 */
export interface DeletionCounts {
  /**
   * Number of systems.
   */
  systems: number
  /**
   * Number of components.
   */
  components: number
  /**
   * Number of datapoints. A datapoint that was sent again counts once.
   */
  datapoints: number
  /**
   * Number of events.
   */
  events: number
  /**
   * Number of setpoints.
   */
  setpoints: number
  /**
   * Number of credentials of devices.
   */
  credentials: number
  /**
   * Number of remembered Idempotency-Keys of these devices.
   */
  idempotencyKeys: number
}
/**
 * A way for people and programs to prove who they are. Only ACTIVATED methods work.
 */
export interface DomainAuthenticationMethod {
  /**
   * Identifies the method.
   */
  uuid: string
  /**
   * Counts on every request, for live tokens too.
   */
  status: Status
  /**
   * As the login page shows it.
   */
  name: string
  /**
   * How the method identifies people.
   */
  kind: AuthenticationMethodKind
  /**
   * The path of the redirect URI to register at the provider, below the address of this platform; null if people do not sign in by it.
   */
  callbackPath: string | null
  /**
   * Advice about this provider, for administrators; null if there is none. It has no effect.
   */
  advice: string | null
  /**
   * Present for an OpenID delegated method; null for the internal one.
   */
  configuration: OpenIdDelegatedConfiguration | null
}
/**
 * A person or program of another provider, and the account on this platform.
 */
export interface ExternalIdentity {
  /**
   * Identifies it, for unbindIdentity.
   */
  uuid: string
  /**
   * The provider.
   */
  issuer: string
  /**
   * The provider's name for the person (sub).
   */
  subject: string
  /**
   * The uuid of the authentication method of the last sign-in.
   */
  method: string | null
  /**
   * The latest value from the provider.
   */
  email: string | null
  /**
   * Whether the provider has verified that address.
   */
  emailVerified: boolean
  /**
   * When they signed in, or were refused, for the first time.
   */
  firstSeenAt: Date
  /**
   * When they signed in, or were refused, for the last time.
   */
  lastSeenAt: Date
  /**
   * The account on this platform; null if there is none, or none any more.
   */
  account: IdentityAccount | null
  /**
   * Reason of the last refusal; null if the last sign-in succeeded.
   */
  refusal: IdentityRefusalReason | null
  /**
   * The same, in a sentence.
   */
  refusalDetail: string | null
}
/**
 * How another OpenID provider is trusted.
 */
export interface OpenIdDelegatedConfiguration {
  /**
   * The required audience of its tokens.
   */
  clientId: string
  /**
   * Its issuer URL, exactly as in its tokens.
   */
  issuer: string
  /**
   * Whether there is a client secret, for people who sign in with a browser. It is never shown.
   */
  hasClientSecret: boolean
  /**
   * The scopes of its tokens if there are no rules.
   */
  scopes: readonly string[]
  /**
   * The domains of e-mail addresses, such as example.com, for which a verified address of this provider identifies a user: the person is the user with that address. List only domains whose addresses the provider issues itself. Subdomains count only where they are listed.
   */
  emailDomains: readonly string[]
  /**
   * Whether a verified address makes somebody the user of the model with that address while emailDomains is empty. It does not if emailDomains of another method has the domain, if the user is bound to another provider, or if the issuer signs for strangers and no rules limit it. Such a method gives no administration. False for a method of an earlier release until an administrator sets it.
   */
  matchesUsers: boolean
  /**
   * If there are rules, a token must fit one. The first fitting rule counts.
   */
  rules: readonly FederationRule[]
  /**
   * The ready rules for jobs of GitHub Actions.
   */
  githubActions: GithubActionsTrust | null
  /**
   * All rules, those for GitHub Actions included.
   */
  effectiveRules: readonly FederationRule[]
}
/**
 * A rule for tokens of another provider: which are accepted, and for whom.
 */
export interface FederationRule {
  /**
   * For people to read.
   */
  name: string
  /**
   * Required claims of a token: each with a value, or a list of allowed values.
   */
  claims: unknown
  /**
   * The user name of the machine user that the token acts as; null: the person of the token.
   */
  machineUser: string | null
  /**
   * The scopes of such a token.
   */
  scopes: readonly string[]
}
/**
 * The repository on GitHub whose jobs may plan and apply without a stored secret.
 */
export interface GithubActionsTrust {
  /**
   * The permanent number of the repository: repository_id of its tokens.
   */
  repositoryId: string
  /**
   * The number of its owner: repository_owner_id of its tokens.
   */
  repositoryOwnerId: string
  /**
   * The branch whose pushes may apply.
   */
  ref: string
  /**
   * The environment whose protection rules an apply must have passed.
   */
  environment: string
  /**
   * The only workflow that may apply, owner/name/path@ref. Null: any workflow of the repository.
   */
  jobWorkflowRef: string | null
  /**
   * Whether an apply may run on machines that are not GitHub's.
   */
  selfHostedRunners: boolean
  /**
   * Whether a run by hand (workflow_dispatch) may apply everything that differs. The environment must then have reviewers.
   */
  runsByHand: boolean
  /**
   * The user name of the machine user that plans.
   */
  planMachineUser: string
  /**
   * The user name of the machine user that applies.
   */
  applyMachineUser: string
}
/**
 * The account of a person of another provider on this platform.
 */
export interface IdentityAccount {
  /**
   * The uuid of the user: sub of their tokens.
   */
  uuid: string
  /**
   * As the history shows them.
   */
  login: string
  /**
   * Counts on every request.
   */
  status: Status
  /**
   * Whether it is a user of the model; otherwise only the provider knows them.
   */
  isOfModel: boolean
}
/**
 * Selects systems; all given conditions must hold.
 */
export interface SystemFilter {
  /**
   * Only these.
   */
  uuids?: readonly string[]
  /**
   * Only those with one of these statuses.
   */
  status?: readonly Status[]
  /**
   * Only those of these organizations or units, and of units below.
   */
  organizationUnits?: readonly string[]
  /**
   * Only those with this text in their name, in any case.
   */
  search?: string
  /**
   * Only those with all of these metadata values. Each value is read by the metadata type of its key.
   */
  metadata?: readonly MetadataItem[]
}
/**
 * Selects components; all given conditions must hold.
 */
export interface ComponentFilter {
  /**
   * Only those with these uuids.
   */
  uuids?: readonly string[]
  /**
   * Only those of these systems.
   */
  systems?: readonly string[]
  /**
   * Only those of these component models.
   */
  componentModels?: readonly string[]
  /**
   * Only those with one of these statuses.
   */
  status?: readonly Status[]
  /**
   * Only those with this text in their name, in any case.
   */
  search?: string
  /**
   * Only those of systems of these organizations or units, and of units below.
   */
  organizationUnits?: readonly string[]
  /**
   * Only those with all of these metadata values. Each value is read by the metadata type of its key.
   */
  metadata?: readonly MetadataItem[]
}
/**
 * Selects refused datapoints; all given conditions must hold.
 */
export interface RefusedDatapointFilter {
  /**
   * Only those of these systems.
   */
  systems?: readonly string[]
  /**
   * Only those of these components.
   */
  components?: readonly string[]
  /**
   * Only those of these characteristics.
   */
  characteristics?: readonly string[]
  /**
   * Only those that were refused for one of these reasons.
   */
  codes?: readonly string[]
  /**
   * Only those with the last refusal at this time (RFC 3339) or later.
   */
  from?: string
  /**
   * Only those with the first refusal before this time (RFC 3339).
   */
  to?: string
}
/**
 * Selects events; all given conditions must hold.
 */
export interface EventFilter {
  /**
   * Only those of these systems and their components.
   */
  systems?: readonly string[]
  /**
   * Only those of these components.
   */
  components?: readonly string[]
  /**
   * Only those of these event models.
   */
  eventModels?: readonly string[]
  /**
   * Only events of these levels.
   */
  levels?: readonly EventLevel[]
  /**
   * Only events that are open, or that ended at this time (RFC 3339) or later.
   */
  from?: string
  /**
   * Only events that happened or began before this time (RFC 3339).
   */
  to?: string
  /**
   * true: only ranges that have not ended. false: only ended events.
   */
  isOpen?: boolean
  /**
   * Only those of systems of these organizations or units, and of units below.
   */
  organizationUnits?: readonly string[]
  /**
   * Only those with all of these metadata values. Each value is read by the metadata type of its key.
   */
  metadata?: readonly MetadataItem[]
}
/**
 * Selects setpoints; all given conditions must hold.
 */
export interface SetpointFilter {
  /**
   * Only those of these systems.
   */
  systems?: readonly string[]
  /**
   * Only those of these components.
   */
  components?: readonly string[]
  /**
   * Only those of these services; uuids or record keys.
   */
  services?: readonly string[]
  /**
   * Only those of these characteristics; uuids or record keys.
   */
  characteristics?: readonly string[]
  /**
   * Only those in one of these states now.
   */
  states?: readonly SetpointState[]
  /**
   * Only those that were made at this time (RFC 3339) or later.
   */
  from?: string
  /**
   * Only those that were made before this time (RFC 3339).
   */
  to?: string
}
/**
 * A new system.
 */
export interface NewSystem {
  /**
   * Left out: a new uuid. With a uuid of yours, you can retry the call safely.
   */
  uuid?: string | null
  /**
   * Name shown to people.
   */
  name: string
  /**
   * Left out: ACTIVATED.
   */
  status?: Status | null
  /**
   * Whether it is a prototype: see `limitToPrototypes` of event models. Left out: false.
   */
  isPrototype?: boolean | null
  /**
   * The record key of an organization or organization unit, such as `lindenhof/lindenhof-1`. Left out: none.
   */
  organizationUnit?: string | null
  /**
   * Its metadata. A key that is left out takes the default of its metadata type.
   */
  metadataKeyValueStore?: readonly MetadataItem[] | null
}
/**
 * Changes to a system. Fields that you leave out stay as they are.
 */
export interface SystemPatch {
  /**
   * The new name.
   */
  name?: string | null
  /**
   * The new status.
   */
  status?: Status | null
  /**
   * Whether it is a prototype from now on.
   */
  isPrototype?: boolean | null
  /**
   * The record key of an organization or organization unit, such as `lindenhof/lindenhof-1`. Null: none.
   */
  organizationUnit?: string | null
  /**
   * Replaces all of its metadata.
   */
  metadataKeyValueStore?: readonly MetadataItem[] | null
}
/**
 * A new component.
 */
export interface NewComponent {
  /**
   * Left out: a new uuid. With a uuid of yours, you can retry the call safely.
   */
  uuid?: string | null
  /**
   * The uuid of its system; it cannot change.
   */
  system: string
  /**
   * The record key of its component model, for ever.
   */
  componentModel: string
  /**
   * Name shown to people.
   */
  name: string
  /**
   * Left out: ACTIVATED.
   */
  status?: Status | null
  /**
   * Whether it is a prototype: see `limitToPrototypes` of event models. Left out: false.
   */
  isPrototype?: boolean | null
  /**
   * Its metadata. A key that is left out takes the default of its metadata type.
   */
  metadataKeyValueStore?: readonly MetadataItem[] | null
}
/**
 * Changes to a component. Fields that you leave out stay as they are.
 */
export interface ComponentPatch {
  /**
   * The new name.
   */
  name?: string | null
  /**
   * The new status.
   */
  status?: Status | null
  /**
   * Whether it is a prototype from now on.
   */
  isPrototype?: boolean | null
  /**
   * Replaces all of its metadata.
   */
  metadataKeyValueStore?: readonly MetadataItem[] | null
}
/**
 * A new event.
 */
export interface NewEvent {
  /**
   * Left out: a new uuid. With a uuid of yours, you can retry the call safely.
   */
  uuid?: string | null
  /**
   * The record key of its event model.
   */
  eventModel: string
  /**
   * Replaces the message of the model.
   */
  message?: string | null
  /**
   * The uuid of the system, where the entityType of the model is SYSTEM.
   */
  system?: string | null
  /**
   * The uuid of the component, where the entityType of the model is COMPONENT.
   */
  component?: string | null
  /**
   * When it happened, or began, as RFC 3339. Left out: now.
   */
  at?: string | null
  /**
   * End of a range that has ended, as RFC 3339.
   */
  endAt?: string | null
  /**
   * Its metadata. A key that is left out takes the default of its metadata type.
   */
  metadataKeyValueStore?: readonly MetadataItem[] | null
}
/**
 * How to trust another OpenID provider.
 */
export interface NewOpenIdDelegatedConfiguration {
  /**
   * The audience of its tokens: the provider's name for this platform.
   */
  clientId: string
  /**
   * The provider's issuer URL, exactly as its tokens name it.
   */
  issuer: string
  /**
   * The client secret from the provider, for people who sign in with a browser. Never shown again.
   */
  clientSecret?: string | null
  /**
   * The scopes of its tokens if there are no rules. Left out: openid service.
   */
  scopes?: readonly string[] | null
  /**
   * The domains of e-mail addresses, such as example.com, for which a verified address of this provider identifies a user: the person is the user with that address. List only domains whose addresses the provider issues itself. Subdomains count only where they are listed. At most 100. Left out: none; see matchesUsers.
   */
  emailDomains?: readonly string[] | null
  /**
   * Whether a verified address makes somebody the user of the model with that address while emailDomains is empty. Left out: true.
   */
  matchesUsers?: boolean | null
  /**
   * If there are rules, a token must fit one; the first fitting rule counts.
   */
  rules?: readonly NewFederationRule[] | null
  /**
   * Ready rules for jobs of GitHub Actions.
   */
  githubActions?: NewGithubActionsTrust | null
}
/**
 * Changes to a configuration. Fields that you leave out stay as they are, but another issuer removes the client secret and the e-mail domains.
 */
export interface OpenIdDelegatedConfigurationPatch {
  /**
   * The audience of its tokens: the provider's name for this platform.
   */
  clientId?: string | null
  /**
   * The provider's issuer URL, exactly as its tokens name it.
   */
  issuer?: string | null
  /**
   * The client secret from the provider, for people who sign in with a browser. Never shown again.
   */
  clientSecret?: string | null
  /**
   * The scopes of its tokens if there are no rules. Left out: openid service.
   */
  scopes?: readonly string[] | null
  /**
   * The domains of e-mail addresses, such as example.com, for which a verified address of this provider identifies a user: the person is the user with that address. List only domains whose addresses the provider issues itself. Subdomains count only where they are listed. At most 100. Left out: none; see matchesUsers.
   */
  emailDomains?: readonly string[] | null
  /**
   * Whether a verified address makes somebody the user of the model with that address while emailDomains is empty. Left out: true.
   */
  matchesUsers?: boolean | null
  /**
   * If there are rules, a token must fit one; the first fitting rule counts.
   */
  rules?: readonly NewFederationRule[] | null
  /**
   * Ready rules for jobs of GitHub Actions.
   */
  githubActions?: NewGithubActionsTrust | null
}
/**
 * A new federation rule.
 */
export interface NewFederationRule {
  /**
   * For people to read.
   */
  name: string
  /**
   * Required claims of a token, such as {"hd": "example.com"}: each claim with a value or a list of values.
   */
  claims: unknown
  /**
   * The user name of the machine user that the token acts as. Left out: the person of the token.
   */
  machineUser?: string | null
  /**
   * The scopes of such a token.
   */
  scopes: readonly string[]
}
/**
 * Lets the jobs of one repository plan (pull requests, the merge queue, schedules, pushes) and apply (pushes to one branch, in one environment; runs by hand if `runsByHand` is true).
 */
export interface NewGithubActionsTrust {
  /**
   * The permanent number of the repository: repository_id of its tokens.
   */
  repositoryId: string
  /**
   * The number of its owner: repository_owner_id of its tokens.
   */
  repositoryOwnerId: string
  /**
   * The branch whose pushes may apply. Left out: refs/heads/main.
   */
  ref?: string | null
  /**
   * The environment whose protection rules an apply must have passed.
   */
  environment: string
  /**
   * The only workflow that may apply, owner/name/path@ref. Null: any workflow of the repository. Left out: any workflow of the repository.
   */
  jobWorkflowRef?: string | null
  /**
   * Whether an apply may run on machines that are not GitHub's. Left out: no.
   */
  selfHostedRunners?: boolean | null
  /**
   * Whether a run by hand (workflow_dispatch) may apply everything that differs. The environment must then have reviewers. Left out: no.
   */
  runsByHand?: boolean | null
  /**
   * The user name of the machine user that plans.
   */
  planMachineUser: string
  /**
   * The user name of the machine user that applies.
   */
  applyMachineUser: string
}
/**
 * The types of the parts of entities.
 */
export interface EntityParts {
  DeletedSeries: {
    entity: DeletedSeries
  }
  DeletionCounts: {
    entity: DeletionCounts
  }
  OpenIdDelegatedConfiguration: {
    entity: OpenIdDelegatedConfiguration
    created: NewOpenIdDelegatedConfiguration
    patch: OpenIdDelegatedConfigurationPatch
  }
  FederationRule: {
    entity: FederationRule
    created: NewFederationRule
  }
  GithubActionsTrust: {
    entity: GithubActionsTrust
    created: NewGithubActionsTrust
  }
  IdentityAccount: {
    entity: IdentityAccount
  }
}
