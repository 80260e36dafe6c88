import type { EntityDeclaration } from '../entity.ts'
import { DATA_TYPES } from '../types/data-types.ts'

export const COMPONENT = {
  definition: 'Component',
  table: 'components',
  columns: { metadataKeyValueStore: 'metadata' },
  records: { componentModel: { type: DATA_TYPES.componentModel, column: 'model_uuid' } },
  system: 'systemUuid',
  metadataEntity: 'COMPONENT',
  rights: { read: 'data:read', write: 'model:write' },
} as const satisfies EntityDeclaration<'Component'>
