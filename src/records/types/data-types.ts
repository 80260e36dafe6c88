import type { RecordTypeName } from '../record-type.ts'

/**
 * The record types that describe systems, their components and their data. Code that works with these is about them
 * alone; all other code treats the record types alike.
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
