import type { RecordTypeName } from '../record-type.ts'

/**
 * The record types that describe systems, their components and their data. Only code about these uses this list. All
 * other code handles the record types alike.
 */
export const DATA_TYPES = {
  characteristic: 'characteristics',
  characteristicLink: 'characteristicServiceLinks',
  service: 'services',
  serviceLink: 'serviceComponentModelLinks',
  componentModel: 'componentModels',
  eventModel: 'eventModels',
  unit: 'organizations',
} as const satisfies { readonly [role: string]: RecordTypeName }
