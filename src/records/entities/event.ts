import type { EntityDeclaration } from '../entity.ts'
import { DATA_TYPES } from '../types/data-types.ts'

export const EVENT = {
  definition: 'Event',
  table: 'events',
  columns: { at: 'begins_at', endAt: 'ends_at', metadataKeyValueStore: 'metadata' },
  records: { eventModel: { type: DATA_TYPES.eventModel, column: 'model_uuid' } },
  inherited: { eventType: 'eventModel', eventLevel: 'eventModel' },
  system: 'systemUuid',
  metadataEntity: 'EVENT',
  rights: { read: 'data:read', write: 'datapoints:write' },
} as const satisfies EntityDeclaration<'Event'>
