import type { RecordTypeName } from '../record-type.ts'

/**
 * The record types that systems, their components and their data are made by. What works with these is about them and no
 * others; everything else treats all record types alike.
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
