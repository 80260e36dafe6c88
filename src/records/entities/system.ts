import type { EntityDeclaration } from '../entity.ts'
import { DATA_TYPES } from '../types/data-types.ts'

export const SYSTEM = {
  definition: 'System',
  table: 'systems',
  columns: { metadataKeyValueStore: 'metadata' },
  records: { organizationUnit: { type: DATA_TYPES.unit, column: 'unit_uuid' } },
  system: 'uuid',
  metadataEntity: 'SYSTEM',
  rights: { read: 'data:read', write: 'model:write' },
} as const satisfies EntityDeclaration<'System'>
