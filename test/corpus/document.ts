// The shapes of specification section 2 that the corpus uses. They are written again on purpose: the corpus shares no
// code with src/, so that a mistake there cannot hide here.

export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain }

export type MetadataValue =
  | null
  | boolean
  | number
  | string
  | { string: string }
  | { float: number }
  | { integer: number }
  | { boolean: boolean }
  | { timestamp: string }
  | { uuid: string }

export interface MetadataItem {
  key: string
  value: MetadataValue
}

export interface Option {
  key: string
  label: string
  meta?: { key: string; value: string }[]
}

export interface Characteristic {
  code: string
  name: string
  description?: string | null
  characteristicType: 'MEASUREMENT' | 'SETTING'
  dataType: 'BOOLEAN' | 'FLOAT' | 'INTEGER' | 'JSON' | 'SELECT' | 'STRING'
  symbol?: string | null
  options?: Option[]
  schema?: Plain
  boundaryMin?: number
  boundaryMax?: number
  boundaryStep?: number
  precision?: number
  metadataKeyValueStore: MetadataItem[]
}

export interface Service {
  code: string
  name: string
  metadataKeyValueStore: MetadataItem[]
  characteristics?: { code: string }[]
}

export interface ComponentModel {
  code: string
  name: string
  description: string | null
  componentType: 'DEVICE' | 'GATEWAY'
  isConnective?: boolean
  metadataKeyValueStore: MetadataItem[]
  services?: { code: string; index?: number }[]
}

export interface EventModel {
  code: string
  eventType: 'RANGED' | 'SINGLE_POINT'
  entityType: 'COMPONENT'
  eventLevel?: 'ERROR' | 'WARNING'
  message: string
  metadataKeyValueStore: MetadataItem[]
}

export interface OrganizationUnit {
  name: string
  alias: string
}

export interface Organization {
  name: string
  alias: string
  metadataKeyValueStore: MetadataItem[]
  organizationUnits: OrganizationUnit[]
}

export interface MetadataType {
  key: string
  description: string
  entityType: 'CHARACTERISTIC' | 'COMPONENT_MODEL' | 'EVENT_MODEL' | 'ORGANIZATION' | 'SERVICE'
  dataType: 'BOOLEAN' | 'INTEGER' | 'STRING'
  unique?: boolean
}

/** A type rather than an interface, because interfaces have no index signature and so are not import documents. */
export type CorpusDocument = {
  characteristics: Characteristic[]
  characteristicServiceLinks: { characteristicCode: string; serviceCode: string }[]
  componentModels: ComponentModel[]
  dataSources: { code: string; name: string; reference: string }[]
  eventModels: EventModel[]
  metadataTypes: MetadataType[]
  services: Service[]
  serviceComponentModelLinks: { serviceCode: string; componentModelCode: string; index?: number }[]
  organizations: Organization[]
}
