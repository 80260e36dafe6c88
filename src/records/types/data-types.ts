import type { RecordTypeName } from '../record-type.ts'

/** The record types that describe systems, components and their data. All other code handles record types alike. */
export const DATA_TYPES = {
  characteristic: 'characteristics',
  characteristicLink: 'characteristicServiceLinks',
  service: 'services',
  serviceLink: 'serviceComponentModelLinks',
  componentModel: 'componentModels',
  eventModel: 'eventModels',
  unit: 'organizations',
} as const satisfies { readonly [role: string]: RecordTypeName }
