import type { EntityDeclaration } from '../entity.ts'
import { DATA_TYPES } from '../types/data-types.ts'

export const SETPOINT = {
  definition: 'Setpoint',
  table: 'setpoints',
  records: {
    service: { type: DATA_TYPES.service, column: 'service_uuid' },
    characteristic: { type: DATA_TYPES.characteristic, column: 'characteristic_uuid' },
  },
  system: 'systemUuid',
  rights: { read: 'data:read', write: 'setpoints:write' },
} as const satisfies EntityDeclaration<'Setpoint'>
