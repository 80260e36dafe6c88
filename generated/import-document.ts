// Generated from schemas/import-document.schema.json by "npm run types". Do not edit.
import type { Json } from '../src/lib/json.ts'

/**
 * A metadata value that says its type: an object with exactly one of these keys.
 */
export type TypedMetadataValue =
  | {
      /**
       * A text.
       */
      string: string
      float?: never
      integer?: never
      boolean?: never
      timestamp?: never
      uuid?: never
    }
  | {
      string?: never
      /**
       * A number.
       */
      float: number
      integer?: never
      boolean?: never
      timestamp?: never
      uuid?: never
    }
  | {
      string?: never
      float?: never
      /**
       * A whole number; beyond 2^53 its digits as a text.
       */
      integer: number | string
      boolean?: never
      timestamp?: never
      uuid?: never
    }
  | {
      string?: never
      float?: never
      integer?: never
      /**
       * true or false.
       */
      boolean: boolean
      timestamp?: never
      uuid?: never
    }
  | {
      string?: never
      float?: never
      integer?: never
      boolean?: never
      /**
       * A date-time (RFC 3339).
       */
      timestamp: string
      uuid?: never
    }
  | {
      string?: never
      float?: never
      integer?: never
      boolean?: never
      timestamp?: never
      /**
       * A UUID.
       */
      uuid: string
    }
/**
 * Only ACTIVATED records work. DEACTIVATED: switched off. ARCHIVED: kept for its data only.
 */
export type Status = 'ACTIVATED' | 'DEACTIVATED' | 'ARCHIVED'
/**
 * A way to obtain tokens (OAuth 2.0).
 */
export type GrantType = 'AUTHORIZATION_CODE' | 'PASSWORD' | 'REFRESH_TOKEN'
/**
 * MEASUREMENT: only the device sets the value. SETTING: the user sets the value.
 */
export type CharacteristicType = 'MEASUREMENT' | 'SETTING'
/**
 * The kind of value of a characteristic.
 */
export type DataType =
  'BLOB' | 'BOOLEAN' | 'DATE' | 'FLOAT' | 'INTEGER' | 'JSON' | 'SELECT' | 'STRING' | 'TIME' | 'TIMESPAN' | 'TIMESTAMP'
/**
 * DEVICE: measures or acts. GATEWAY: connects devices. VIRTUAL: exists in software only.
 */
export type ComponentType = 'DEVICE' | 'GATEWAY' | 'VIRTUAL'
/**
 * RANGED: has a beginning and an end. SINGLE_POINT: happens at one moment.
 */
export type EventType = 'RANGED' | 'SINGLE_POINT'
/**
 * What reports an event.
 */
export type EventEntityType = 'COMPONENT' | 'SYSTEM'
/**
 * How serious an event is.
 */
export type EventLevel = 'ERROR' | 'INFO' | 'SUCCESS' | 'WARNING'
/**
 * What carries a metadata value.
 */
export type MetadataEntityType =
  | 'CHARACTERISTIC'
  | 'COMPONENT'
  | 'COMPONENT_MODEL'
  | 'EVENT'
  | 'EVENT_MODEL'
  | 'ORGANIZATION'
  | 'ORGANIZATION_UNIT'
  | 'SERVICE'
  | 'SYSTEM'
  | 'USER'
/**
 * The kind of value of a metadata key.
 */
export type MetadataDataType = 'BOOLEAN' | 'FLOAT' | 'INTEGER' | 'STRING' | 'TIMESTAMP' | 'UUID'

/**
 * The data model of one domain. Each key holds all records of one type. A key that is left out is not managed: nothing of that type is created, changed or deleted. A key that is present is managed: records of the platform that it does not list are deleted, so `[]` deletes all.
 */
export interface ImportDocument {
  /**
   * Where editors find this JSON Schema. Ignored otherwise.
   */
  $schema?: string
  /**
   * Applications that may sign in, each with its client secret and grant types. Left out: not managed.
   */
  applicationConsumers?: ApplicationConsumer[]
  /**
   * What can be measured or set: temperature, power, operating mode. Left out: not managed.
   */
  characteristics?: Characteristic[]
  /**
   * Which service supports which characteristic. The same links can be written inside the services; where this key is present, the links are exactly those of both spellings together. Left out: only the lists inside the services count.
   */
  characteristicServiceLinks?: CharacteristicServiceLink[]
  /**
   * Models of devices, gateways and virtual components. Left out: not managed.
   */
  componentModels?: ComponentModel[]
  /**
   * Where data comes from. Left out: not managed.
   */
  dataSources?: DataSource[]
  /**
   * Kinds of events that components and systems can report. Left out: not managed.
   */
  eventModels?: EventModel[]
  /**
   * Accounts for programs, with a password. Left out: not managed.
   */
  machineUsers?: MachineUser[]
  /**
   * Which metadata keys there are, on what kind of entity, and of which type. Left out: not managed.
   */
  metadataTypes?: MetadataType[]
  /**
   * Groups of characteristics that belong together, such as heating or metering. Left out: not managed.
   */
  services?: Service[]
  /**
   * Which component model offers which service. The same links can be written inside the component models; where this key is present, the links are exactly those of both spellings together. Left out: only the lists inside the component models count.
   */
  serviceComponentModelLinks?: ServiceComponentModelLink[]
  /**
   * Organizations with their tree of units. Left out: not managed.
   */
  organizations?: Organization[]
  /**
   * People who sign in. Left out: not managed.
   */
  users?: User[]
}
/**
 * An application that may sign in. Identified by its slug.
 */
export interface ApplicationConsumer {
  /**
   * Name shown to people, for example when they are asked for consent.
   */
  name: string
  /**
   * Short name that identifies the application; its client_id begins with it. Changing it makes another application.
   */
  slug: string
  /**
   * The client secret. Write a reference such as ${env:NAME} or ${file:PATH}, never the secret itself. ${generated}: the platform makes one that nobody knows, and keeps it.
   */
  secret: string
  /**
   * How the application may obtain tokens. With REFRESH_TOKEN it also receives a refresh token.
   */
  grantTypes: GrantType[]
  /**
   * Only an ACTIVATED application can sign in. Left out: ACTIVATED.
   */
  status?: Status
  /**
   * Where people return after signing in when the request names no address; an address as in redirectUris. null: none. Left out: stays as it is on the platform.
   */
  defaultRedirectUri?: string | null
  /**
   * Addresses to which people may be sent back after signing in: https; http of this machine (localhost, 127.0.0.1, [::1]); or the scheme of an app, with a dot in it, which makes PKCE mandatory. null: none. Left out: stays as it is on the platform.
   */
  redirectUris?: string[] | null
  /**
   * true: people are not asked whether the application may act for them. Left out: stays as it is on the platform.
   */
  noExplicitConsentRequired?: boolean
  /**
   * The scopes that the application may ask for. Left out: stays as it is on the platform.
   *
   * Items: Name of a scope.
   */
  scopes?: string[]
}
/**
 * Something that is measured or set. Identified by its code.
 */
export interface Characteristic {
  /**
   * Identifies the characteristic in the domain. Changing it makes another characteristic; to keep its data, list the change under `moved` in holdfast.yaml.
   */
  code: string
  /**
   * Name shown to people.
   */
  name: string
  /**
   * What the characteristic means. Left out: null, no description.
   */
  description?: null | string
  /**
   * Datapoints are accepted for ACTIVATED characteristics only. Left out: ACTIVATED.
   */
  status?: Status
  /**
   * MEASUREMENT: only the device sets the value. SETTING: the user sets the value.
   */
  characteristicType: CharacteristicType
  /**
   * What kind of value is stored.
   */
  dataType: DataType
  /**
   * Symbol shown beside the value, usually the unit. Left out: null, none.
   */
  symbol?: null | string
  /**
   * Metadata of the characteristic. []: none. Left out: stays as it is on the platform.
   */
  metadataKeyValueStore?: MetadataItem[]
  /**
   * true: several options may be chosen at once. Only for dataType SELECT, otherwise ignored. Left out: false.
   */
  multiple?: boolean
  /**
   * The choices of dataType SELECT, in the order in which they are shown; without any it takes no value. Left out: stays as it is on the platform.
   */
  options?: CharacteristicOption[]
  /**
   * JSON Schema that values of dataType JSON must meet: the schema itself, or a string that holds it. A $ref may name another part of it, also the schema itself; a pattern may have neither lookaround nor backreferences. Otherwise ignored. null: any JSON. Left out: stays as it is on the platform.
   */
  schema?:
    | {
        [k: string]: Json
      }
    | string
    | null
  /**
   * Smallest value allowed, written like a value of the dataType: a number, date, time or date-time; a whole number beyond 2^53 as its digits in a text. Any other text or number is stored and not enforced. Only for DATE, FLOAT, INTEGER, TIME and TIMESTAMP, otherwise ignored. null: no limit. Left out: stays as it is on the platform.
   */
  boundaryMin?: string | number | null
  /**
   * Largest value allowed, written like boundaryMin. Only for DATE, FLOAT, INTEGER, TIME and TIMESTAMP, otherwise ignored. null: no limit. Left out: stays as it is on the platform.
   */
  boundaryMax?: string | number | null
  /**
   * Step between allowed values: 0.5 allows 0, 0.5, 1, 1.5 and so on, and those counted from boundaryMin. Only for FLOAT and INTEGER, otherwise ignored. null: any value. Left out: stays as it is on the platform.
   */
  boundaryStep?: number | null
  /**
   * How many decimal places are shown, from 0 to 15. Only for FLOAT, otherwise ignored. null: as sent. Left out: stays as it is on the platform.
   */
  precision?: number | null
}
/**
 * One choice of a characteristic of dataType SELECT.
 */
export interface CharacteristicOption {
  /**
   * The value that is stored and sent. Unique among the options.
   */
  key: string
  /**
   * Text shown to people.
   */
  label: string
  /**
   * More about the option, as pairs of texts. Left out: [], nothing.
   */
  meta?: CharacteristicOptionMeta[]
}
/**
 * One pair of texts about an option.
 */
export interface CharacteristicOptionMeta {
  /**
   * What the text is about.
   */
  key: string
  /**
   * The text.
   */
  value: string
}
/**
 * Says that a service supports a characteristic. Identified by both codes together.
 */
export interface CharacteristicServiceLink {
  /**
   * Code of the characteristic.
   */
  characteristicCode: string
  /**
   * Code of the service that supports it.
   */
  serviceCode: string
}
/**
 * The model of a device, gateway or virtual component. Identified by its code.
 */
export interface ComponentModel {
  /**
   * Identifies the component model in the domain. Changing it makes another model; to keep its components, list the change under `moved` in holdfast.yaml.
   */
  code: string
  /**
   * Name shown to people.
   */
  name: string
  /**
   * What the model is. Left out: null, no description.
   */
  description?: null | string
  /**
   * DEVICE: measures or acts. GATEWAY: connects devices. VIRTUAL: exists in software only.
   */
  componentType: ComponentType
  /**
   * Datapoints are accepted for components of ACTIVATED models only. Left out: ACTIVATED.
   */
  status?: Status
  /**
   * true: components of this model connect others. Left out: false.
   */
  isConnective?: boolean
  /**
   * Metadata of the component model. []: none. Left out: stays as it is on the platform.
   */
  metadataKeyValueStore?: MetadataItem[]
  /**
   * Services that the model offers. []: none. Left out: stays as it is on the platform, or follows serviceComponentModelLinks where that key is present.
   */
  services?: ComponentModelService[]
}
/**
 * A service that a component model offers.
 */
export interface ComponentModelService {
  /**
   * Code of the service.
   */
  code: string
  /**
   * Position of the service in the component model. Left out: 0.
   */
  index?: number
}
/**
 * Where data comes from. Identified by its code.
 */
export interface DataSource {
  /**
   * Identifies the data source in the domain. Changing it makes another data source.
   */
  code: string
  /**
   * Name shown to people. Left out: stays as it is on the platform.
   */
  name?: string
  /**
   * What the data source delivers. Left out: null, no description.
   */
  description?: null | string
  /**
   * How the source is named elsewhere, for example its address. Left out: null, none.
   */
  reference?: null | string
}
/**
 * A kind of event. Identified by its code.
 */
export interface EventModel {
  /**
   * Identifies the event model in the domain. Changing it makes another event model.
   */
  code: string
  /**
   * RANGED: has a beginning and an end. SINGLE_POINT: happens at one moment.
   */
  eventType: EventType
  /**
   * What reports the event: a component or a whole system.
   */
  entityType: EventEntityType
  /**
   * How serious the event is. Left out: INFO.
   */
  eventLevel?: EventLevel
  /**
   * Text shown for the event. Left out: null, none.
   */
  message?: null | string
  /**
   * Metadata of the event model. []: none. Left out: stays as it is on the platform.
   */
  metadataKeyValueStore?: MetadataItem[]
  /**
   * Whether the event model is in use. Left out: ACTIVATED.
   */
  status?: Status
  /**
   * true: only prototypes report the event: components and systems whose isPrototype is true (GraphQL), and all components of such a system; of others it is refused. Left out: false.
   */
  limitToPrototypes?: boolean
}
/**
 * An account for a program. Identified by its username.
 */
export interface MachineUser {
  /**
   * Name to sign in with. Changing it makes another account.
   */
  username: string
  /**
   * The password. Write a reference such as ${env:NAME} or ${file:PATH}, never the password itself. ${generated}: the platform makes one that nobody knows, and keeps it; right where the account signs in by delegation only.
   */
  password: string
  /**
   * Only an ACTIVATED account can sign in. Left out: ACTIVATED.
   */
  status?: Status
}
/**
 * Declares a metadata key for one kind of entity. Identified by entityType and key together.
 */
export interface MetadataType {
  /**
   * The metadata key, as written in metadataKeyValueStore.
   */
  key: string
  /**
   * What the metadata means. null: no description. Left out: stays as it is on the platform.
   */
  description?: string | null
  /**
   * The kind of entity that carries this metadata.
   */
  entityType: MetadataEntityType
  /**
   * What kind of value the metadata holds.
   */
  dataType: MetadataDataType
  /**
   * Value where an entity gives none; a value of the dataType, a TIMESTAMP as a date-time and a UUID as text. null: none. Left out: stays as it is on the platform.
   */
  default?: string | number | boolean | null
  /**
   * true: no two entities may have the same value. Only for INTEGER and STRING. Left out: stays as it is on the platform.
   */
  unique?: boolean
}
/**
 * A group of characteristics. Identified by its code.
 */
export interface Service {
  /**
   * Identifies the service in the domain. Changing it makes another service; to keep its data, list the change under `moved` in holdfast.yaml.
   */
  code: string
  /**
   * Name shown to people.
   */
  name: string
  /**
   * What the service is for. Left out: stays as it is on the platform.
   */
  description?: string
  /**
   * Datapoints are accepted for ACTIVATED services only. Left out: ACTIVATED.
   */
  status?: Status
  /**
   * Metadata of the service. []: none. Left out: stays as it is on the platform.
   */
  metadataKeyValueStore?: MetadataItem[]
  /**
   * Characteristics that the service supports. []: none. Left out: stays as it is on the platform, or follows characteristicServiceLinks where that key is present.
   */
  characteristics?: ServiceCharacteristic[]
}
/**
 * A characteristic that a service supports.
 */
export interface ServiceCharacteristic {
  /**
   * Code of the characteristic.
   */
  code: string
}
/**
 * Says that a component model offers a service. Identified by both codes together.
 */
export interface ServiceComponentModelLink {
  /**
   * Code of the service.
   */
  serviceCode: string
  /**
   * Code of the component model that offers it.
   */
  componentModelCode: string
  /**
   * Position of the service in the component model. Left out: 0.
   */
  index?: number
}
/**
 * An organization with its tree of units. Identified by its alias, or by its name where it has no alias.
 */
export interface Organization {
  /**
   * Name shown to people.
   */
  name: string
  /**
   * Short name by which users refer to the organization. null: none. Left out: stays as it is on the platform.
   */
  alias?: string | null
  /**
   * Whether the organization is in use. Left out: ACTIVATED.
   */
  status?: Status
  /**
   * Metadata of the organization. []: none. Left out: stays as it is on the platform.
   */
  metadataKeyValueStore?: MetadataItem[]
  /**
   * Units directly below the organization. []: none. Left out: stays as it is on the platform.
   */
  organizationUnits?: OrganizationUnit[]
}
/**
 * A unit of an organization, such as a building, floor or department. Identified by its alias, or by its name where it has no alias, below its parent.
 */
export interface OrganizationUnit {
  /**
   * Name shown to people.
   */
  name: string
  /**
   * Short name of the unit. null: none. Left out: stays as it is on the platform.
   */
  alias?: string | null
  /**
   * Metadata of the unit. []: none. Left out: stays as it is on the platform.
   */
  metadataKeyValueStore?: MetadataItem[]
  /**
   * Whether the unit is in use. Left out: ACTIVATED.
   */
  status?: Status
  /**
   * Units directly below this one. []: none. Left out: stays as it is on the platform.
   */
  directChildren?: OrganizationUnit[]
}
/**
 * A person who signs in. Identified by the e-mail address; upper and lower case are the same.
 */
export interface User {
  /**
   * E-mail address to sign in with. Changing it makes another user.
   */
  email: string
  /**
   * Name shown to people. null: none. Left out: stays as it is on the platform.
   */
  name?: string | null
  /**
   * Only an ACTIVATED user can sign in. Left out: ACTIVATED.
   */
  status?: Status
  /**
   * Metadata of the user. []: none. Left out: stays as it is on the platform.
   */
  metadataKeyValueStore?: MetadataItem[]
  /**
   * The organization to which the user belongs. Left out: null, none.
   */
  organization?: UserOrganization | null
}
/**
 * Names the organization of a user.
 */
export interface UserOrganization {
  /**
   * Alias of the organization. Left out: null, no organization.
   */
  alias?: string | null
}
/**
 * One metadata value under its key.
 */
export interface MetadataItem {
  /**
   * The metadata key. Unique within the list.
   */
  key: string
  /**
   * The value: plain text, a number, true or false, null, or an object that says its type.
   */
  value: (string | number | boolean | null) | TypedMetadataValue
}
