import { READ_DATAPOINTS } from './data-points-read.ts'
import { ADD_DATAPOINTS } from './data-points.ts'
import { GRAPHQL_SCHEMA, OPENAPI, SCHEMAS } from './descriptions.ts'
import { IMPORT } from './import.ts'
import type { PublicRoute, RestRoute } from './rest-route.ts'
import { TAKE_SETPOINTS } from './set-points-pending.ts'
import { ADD_SETPOINTS, ANSWER_SETPOINTS } from './set-points.ts'

/** The routes of the REST API that need a right, in the order in which OpenAPI describes them. */
export const REST_ROUTES: readonly RestRoute[] = [
  IMPORT,
  ADD_DATAPOINTS,
  READ_DATAPOINTS,
  ADD_SETPOINTS,
  TAKE_SETPOINTS,
  ANSWER_SETPOINTS,
]

/** The routes for everybody. */
export const PUBLIC_ROUTES: readonly PublicRoute[] = [...SCHEMAS, OPENAPI, GRAPHQL_SCHEMA]
