import type { Entity, EntityName, EntityDeclaration } from './entity.ts'
import { DATA_TYPES } from './types/data-types.ts'

export const SYSTEM = {
  definition: 'System',
  table: 'systems',
  columns: { metadataKeyValueStore: 'metadata' },
  records: { organizationUnit: { type: DATA_TYPES.unit, column: 'unit_uuid' } },
  system: 'uuid',
  metadataEntity: 'SYSTEM',
  order: { by: 'name', isDescending: false },
  rights: { read: 'data:read', write: 'model:write' },
} as const satisfies EntityDeclaration<'System'>

export const COMPONENT = {
  definition: 'Component',
  table: 'components',
  columns: { metadataKeyValueStore: 'metadata' },
  records: { componentModel: { type: DATA_TYPES.componentModel, column: 'model_uuid' } },
  system: 'systemUuid',
  metadataEntity: 'COMPONENT',
  order: { by: 'name', isDescending: false },
  rights: { read: 'data:read', write: 'model:write' },
} as const satisfies EntityDeclaration<'Component'>

export const EVENT = {
  definition: 'Event',
  table: 'events',
  columns: { at: 'begins_at', endAt: 'ends_at', metadataKeyValueStore: 'metadata' },
  records: { eventModel: { type: DATA_TYPES.eventModel, column: 'model_uuid' } },
  inherited: { eventType: 'eventModel', eventLevel: 'eventModel' },
  system: 'systemUuid',
  metadataEntity: 'EVENT',
  order: { by: 'begins_at', isDescending: true },
  rights: { read: 'data:read', write: 'datapoints:write' },
} as const satisfies EntityDeclaration<'Event'>

export const SETPOINT = {
  definition: 'Setpoint',
  table: 'setpoints',
  records: {
    service: { type: DATA_TYPES.service, column: 'service_uuid' },
    characteristic: { type: DATA_TYPES.characteristic, column: 'characteristic_uuid' },
  },
  system: 'systemUuid',
  order: { by: 'created_at', isDescending: true },
  rights: { read: 'data:read', write: 'setpoints:write' },
} as const satisfies EntityDeclaration<'Setpoint'>

export const RETENTION = {
  definition: 'Retention',
  table: 'retentions',
  columns: { changedBy: 'actor' },
  records: { characteristic: { type: DATA_TYPES.characteristic, column: 'characteristic_uuid' } },
  computed: ['earliest'],
  system: null,
  rights: { read: 'data:read', write: 'model:write' },
} as const satisfies EntityDeclaration<'Retention'>

export const SYSTEM_CREDENTIAL = {
  definition: 'SystemCredential',
  table: 'system_credentials',
  columns: { uuid: 'account_uuid' },
  // The username is the key of the account.
  computed: ['username'],
  // Credentials have no system here, because only administrators of the whole domain see them.
  system: null,
  order: { by: 'created_at', isDescending: false },
  rights: { read: 'access:admin', write: 'access:admin' },
} as const satisfies EntityDeclaration<'SystemCredential'>

export const AUTHENTICATION_METHOD = {
  definition: 'DomainAuthenticationMethod',
  table: 'authentication_methods',
  computed: ['advice', 'callbackPath'],
  system: null,
  rights: { read: 'access:admin', write: 'access:admin' },
} as const satisfies EntityDeclaration<'DomainAuthenticationMethod'>

export const EXTERNAL_IDENTITY = {
  definition: 'ExternalIdentity',
  table: 'external_identities',
  columns: { method: 'method_uuid', emailVerified: 'email_verified', firstSeenAt: 'created_at' },
  // The account is a record of the model, or a platform record.
  computed: ['account'],
  system: null,
  order: { by: 'created_at', isDescending: true },
  rights: { read: 'access:admin', write: 'access:admin' },
} as const satisfies EntityDeclaration<'ExternalIdentity'>

export const REFUSED_DATAPOINT = {
  definition: 'RefusedDatapoint',
  table: 'refused_datapoints',
  system: 'systemUuid',
  order: { by: 'last_at', isDescending: true },
  rights: { read: 'data:read', write: 'datapoints:write' },
} as const satisfies EntityDeclaration<'RefusedDatapoint'>

export const DELETION = {
  definition: 'Deletion',
  table: 'deletions',
  columns: { from: 'since', to: 'until', deletedBy: 'actor', deletedAt: 'created_at' },
  // The system, if there was one, exists no longer.
  system: null,
  rights: { read: 'data:read', write: 'data:delete' },
} as const satisfies EntityDeclaration<'Deletion'>

/** The declaration of each definition that `schemas/entities.schema.json` lists. */
const DECLARED: { readonly [name in EntityName]: Entity<name> } = {
  System: SYSTEM,
  Component: COMPONENT,
  Event: EVENT,
  Setpoint: SETPOINT,
  Retention: RETENTION,
  SystemCredential: SYSTEM_CREDENTIAL,
  DomainAuthenticationMethod: AUTHENTICATION_METHOD,
  ExternalIdentity: EXTERNAL_IDENTITY,
  RefusedDatapoint: REFUSED_DATAPOINT,
  Deletion: DELETION,
}

export const ENTITIES: readonly Entity[] = Object.values(DECLARED)
