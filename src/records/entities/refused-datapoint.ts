import type { EntityDeclaration } from '../entity.ts'

export const REFUSED_DATAPOINT = {
  definition: 'RefusedDatapoint',
  table: 'refused_datapoints',
  system: 'systemUuid',
  rights: { read: 'data:read', write: 'datapoints:write' },
} as const satisfies EntityDeclaration<'RefusedDatapoint'>
