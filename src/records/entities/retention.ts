import type { EntityDeclaration } from '../entity.ts'
import { DATA_TYPES } from '../types/data-types.ts'

export const RETENTION = {
  definition: 'Retention',
  table: 'retentions',
  columns: { changedBy: 'actor' },
  records: { characteristic: { type: DATA_TYPES.characteristic, column: 'characteristic_uuid' } },
  computed: ['earliest'],
  system: null,
  rights: { read: 'data:read', write: 'model:write' },
} as const satisfies EntityDeclaration<'Retention'>
