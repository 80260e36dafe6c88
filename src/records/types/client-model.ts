import type { MetadataEntityType } from '../../../generated/import-document.ts'
import type { RecordTypeName } from '../record-type.ts'

// The types that "holdfast types" writes for clients have three parts: values of component models, events, and
// metadata. A component model has the value `service/characteristic` if it offers the service, and the service has the
// characteristic.

/** The record types from which the types for clients are made, by the part that each one describes. */
export const CLIENT_MODEL = {
  model: 'componentModels',
  service: 'services',
  value: 'characteristics',
  offer: 'serviceComponentModelLinks',
  support: 'characteristicServiceLinks',
  event: 'eventModels',
  metadata: 'metadataTypes',
} as const satisfies { readonly [part: string]: RecordTypeName }

/** The service and the component model that the key of an offer names. */
export function offerOf(key: string): { readonly service: string; readonly model: string } {
  const [service = '', model = ''] = key.split('/')
  return { service, model }
}

/** The characteristic and the service that the key of a support names. */
export function supportOf(key: string): { readonly value: string; readonly service: string } {
  const [value = '', service = ''] = key.split('/')
  return { value, service }
}

/** Everything that can have metadata. */
export const METADATA_ENTITIES: { readonly [entity in MetadataEntityType]: true } = {
  CHARACTERISTIC: true,
  COMPONENT: true,
  COMPONENT_MODEL: true,
  EVENT: true,
  EVENT_MODEL: true,
  ORGANIZATION: true,
  ORGANIZATION_UNIT: true,
  SERVICE: true,
  SYSTEM: true,
  USER: true,
}
