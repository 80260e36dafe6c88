import type { Right } from '../../src/auth/scopes.ts'
import { REST_ROUTES } from '../../src/server/routes/rest-routes.ts'

/** The operations of the REST API, and the right that each needs. */
export const REST_RIGHTS: readonly (readonly [operation: string, right: Right])[] = REST_ROUTES.map(
  ({ operation, right }) => [operation, right],
)
