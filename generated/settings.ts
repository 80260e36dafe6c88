// Generated from schemas/settings.schema.json by "npm run types". Do not edit.

/**
 * The key of a record: in a tree, the path down to it. No control characters.
 */
export type WrittenKey = string
/**
 * deletes-data: data belongs to the record. invalidates-data: stored data would no longer fit, or is of another type. relabels-data: stored data would be read in another unit. strands-data: stored data stays, and new data is refused. mass-delete: unusually many deletes in one type. takes-over: records of a type that no apply managed before would be deleted. empties-type: the list became []. leaves-scope: the list vanished. takes-ownership: the record type belongs to another owner. protected: the record is listed under `protect`. widens-access: somebody could do more than before, or an account with rights would be controlled in another way. overwrites-later: a rollback would overwrite what somebody changed later.
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
 * viewer: reads the data model and the data. operator: also sends datapoints, sets setpoints and reports events. editor: also changes the data model, except who may sign in and who may do what. administrator: everything.
 */
export type Role = 'viewer' | 'operator' | 'editor' | 'administrator'
/**
 * users: people. machineUsers: programs.
 */
export type Everyone = 'users' | 'machineUsers'
/**
 * A record type, named as in the import document, or `access` for grants.
 */
export type GuardedType =
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
 * holdfast.yaml beside the models: decisions about changes, and who may do what; reviewed in Git. Not part of the data model.
 */
export interface HoldfastSettings {
  /**
   * Where editors find this JSON Schema. Ignored otherwise.
   */
  $schema?: string
  /**
   * The name of these models as owner of their record types, if they are applied without a token of a forge. A job with such a token needs none: its repository and folder are the owner. Left out: the models are local, and other models may take their record types.
   */
  owner?: string
  /**
   * Guards that may be passed: changes that an apply would refuse otherwise. An entry without effect gives a warning. Left out: none.
   */
  acknowledge?: Acknowledgement[]
  /**
   * Records that no apply may delete. Left out: none.
   */
  protect?: Protection[]
  /**
   * Records that have another key now. They keep their uuid, links, components and datapoints. An entry does nothing once the move is done. Left out: none.
   */
  moved?: Move[]
  /**
   * Who may do what: all grants of the domain. Grants that are not listed are revoked. Left out: grants are unmanaged, neither given nor revoked.
   */
  access?: Grant[]
}
/**
 * One guard that may be passed.
 */
export interface Acknowledgement {
  /**
   * The code of the guard, as the plan shows it.
   */
  code: GuardCode
  /**
   * The record type whose change is guarded; `access` for grants.
   */
  type: GuardedType
  /**
   * The key of the record, as the plan shows it. Left out: the guard on the record type as a whole.
   */
  key?: WrittenKey
  /**
   * For widens-access: the digest of the access diff, as the plan shows it. Left out for other guards.
   */
  digest?: `sha256:${string}`
  /**
   * Why the change is intended, for those who review it. Left out: no reason is shown.
   */
  reason?: string
}
/**
 * One record that no apply may delete.
 */
export interface Protection {
  /**
   * The record type of the protected record.
   */
  type: RecordType
  /**
   * The key of the protected record, as the plan shows it.
   */
  key: WrittenKey
}
/**
 * One record that has another key now.
 */
export interface Move {
  /**
   * The record type of the record.
   */
  type: RecordType
  /**
   * The key on the platform so far.
   */
  from: WrittenKey
  /**
   * The key in the models now.
   */
  to: WrittenKey
}
/**
 * A role and its holder: exactly one of `user`, `machineUser`, `organization`, `everyone` and `identities`.
 */
export interface Grant {
  /**
   * What they may do.
   */
  role: Role
  /**
   * The e-mail address of a user.
   */
  user?: string
  /**
   * The user name of a machine user.
   */
  machineUser?: string
  /**
   * The alias of an organization, or its name where it has none: all users who belong to it.
   */
  organization?: string
  /**
   * All users, or all machine users, of the data model.
   */
  everyone?: Everyone
  /**
   * People of another OpenID provider with certain claims.
   */
  identities?: GrantedIdentities
  /**
   * The key of an organization or organization unit, as the plan shows it: the role counts for systems, users and units of it and below. Left out: the whole domain.
   */
  within?: string
  /**
   * Whether the role counts only within the organization that the user belongs to.
   */
  withinOwnOrganization?: boolean
}
/**
 * Identities of an OpenID delegated authentication method.
 */
export interface GrantedIdentities {
  /**
   * The issuer of the authentication method.
   */
  issuer: string
  /**
   * The clientId of the authentication method.
   */
  clientId: string
  /**
   * Required claims, each a text or a list of allowed texts.
   */
  claims: {}
}
