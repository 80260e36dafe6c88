import type { Right } from './scopes.ts'

/** What each operation of the REST API asks of a token. The routes are made from this table, and so is its documentation. */
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

/** Those for which a role within an organization is enough, since they touch nothing outside of it. */
export const KEEPS_WITHIN: ReadonlySet<RestOperation> = new Set<RestOperation>([
  'GET /rest/v1/import-document.schema.json',
  'GET /rest/v1/openapi.json',
  'GET /rest/v1/data-points',
  'POST /rest/v1/data-points/add',
  'POST /rest/v1/set-points/add',
  'GET /rest/v1/set-points/pending',
  'POST /rest/v1/set-points/acknowledge',
])
