// Generated from schemas/ by "npm run types". Do not edit.
import type { DeletionKind, AuthenticationMethodKind, SetpointState, IdentityRefusalReason } from './entities.ts'
import type { Status, GrantType, CharacteristicType, DataType, ComponentType, EventType, EventEntityType, EventLevel, MetadataEntityType, MetadataDataType } from './import-document.ts'
import type { GuardCode, RecordType, Role, Everyone, GuardedType } from './settings.ts'

/** The members of each closed set, by the name of its definition. */
export interface ClosedSets {
  AuthenticationMethodKind: AuthenticationMethodKind
  CharacteristicType: CharacteristicType
  ComponentType: ComponentType
  DataType: DataType
  DeletionKind: DeletionKind
  EventEntityType: EventEntityType
  EventLevel: EventLevel
  EventType: EventType
  Everyone: Everyone
  GrantType: GrantType
  GuardCode: GuardCode
  GuardedType: GuardedType
  IdentityRefusalReason: IdentityRefusalReason
  MetadataDataType: MetadataDataType
  MetadataEntityType: MetadataEntityType
  RecordType: RecordType
  Role: Role
  SetpointState: SetpointState
  Status: Status
}
