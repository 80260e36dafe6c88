import type { JsonObject } from '../../../src/lib/json.ts'

const OPTIONS = ['on', 'off'].map((key) => ({ key, label: key }))

/** The characteristics of the device that values are sent of. */
export const DEVICE = {
  boolean: { dataType: 'BOOLEAN' },
  string: { dataType: 'STRING' },
  integer: { dataType: 'INTEGER' },
  blob: { dataType: 'BLOB' },
  date: { dataType: 'DATE' },
  time: { dataType: 'TIME' },
  timestamp: { dataType: 'TIMESTAMP' },
  timespan: { dataType: 'TIMESPAN' },
  step: { dataType: 'FLOAT', boundaryStep: 0.5 },
  shifted: { dataType: 'FLOAT', boundaryStep: 0.5, boundaryMin: 0.25 },
  bounded: { dataType: 'FLOAT', boundaryMin: 0, boundaryMax: 21 },
  day: { dataType: 'DATE', boundaryMin: '2026-01-01', boundaryMax: '2026-12-31' },
  hour: { dataType: 'TIME', boundaryMin: '06:00:00', boundaryMax: 'PT22H' },
  moment: { dataType: 'TIMESTAMP', boundaryMin: '2026-01-01T00:00:00Z', boundaryMax: '2026-06-01T00:00:00Z' },
  measured: { dataType: 'BOOLEAN', characteristicType: 'MEASUREMENT' },
  precise: { dataType: 'FLOAT', precision: 1 },
  select: { dataType: 'SELECT', options: OPTIONS },
  multiple: { dataType: 'SELECT', options: OPTIONS, multiple: true },
  json: { dataType: 'JSON', schema: { type: 'object', properties: { level: { type: 'number' } } } },
  tree: { dataType: 'JSON', schema: { properties: { level: { type: 'number' }, below: { items: { $ref: '#' } } } } },
} as const satisfies { readonly [code: string]: JsonObject }

export type DeviceCode = keyof typeof DEVICE
