import type { Right } from './scopes.ts'

/**
 * The right that each operation of the REST API needs. The routes and their documentation are made from this table.
 */
export const REST_RIGHTS = {
  'GET /rest/v1/import-document.schema.json': 'domain:read',
  'GET /rest/v1/openapi.json': 'domain:read',
  'POST /rest/v1/import': 'model:plan',
  'GET /rest/v1/data-points': 'data:read',
  'POST /rest/v1/data-points/add': 'datapoints:write',
  'POST /rest/v1/set-points/add': 'setpoints:write',
  'GET /rest/v1/set-points/pending': 'datapoints:write',
  'POST /rest/v1/set-points/acknowledge': 'datapoints:write',
} as const satisfies { readonly [operation: string]: Right }

export type RestOperation = keyof typeof REST_RIGHTS

/** The operations for which a role within an organization is enough, because they affect nothing outside of it. */
export const KEEPS_WITHIN: ReadonlySet<RestOperation> = new Set<RestOperation>([
  'GET /rest/v1/import-document.schema.json',
  'GET /rest/v1/openapi.json',
  'GET /rest/v1/data-points',
  'POST /rest/v1/data-points/add',
  'POST /rest/v1/set-points/add',
  'GET /rest/v1/set-points/pending',
  'POST /rest/v1/set-points/acknowledge',
])
