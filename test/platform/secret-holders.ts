import type { JsonObject } from '../../src/lib/json.ts'

export const STRONG = 'Zq7-first-secret-8Kd02mfPq71L'
export const OTHER = 'Zq7-other-secret-8Kd02mfPq71L'
export const REFERENCE = '${env:GATEWAY_PASSWORD}'

/** A record of each type with a secret. */
export const HOLDERS = [
  {
    type: 'machineUsers',
    key: 'gateway',
    field: 'password',
    document: (password: string, fields: JsonObject = {}) => ({
      machineUsers: [{ username: 'gateway', password, ...fields }],
    }),
  },
  {
    type: 'applicationConsumers',
    key: 'portal',
    field: 'secret',
    document: (secret: string, fields: JsonObject = {}) => ({
      applicationConsumers: [{ name: 'Portal', slug: 'portal', secret, grantTypes: ['PASSWORD'], ...fields }],
    }),
  },
] as const
