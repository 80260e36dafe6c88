import { READ_DATAPOINTS } from './data-points-read.ts'
import { ADD_DATAPOINTS } from './data-points.ts'
import { IMPORT_DOCUMENT_SCHEMA, OPENAPI } from './descriptions.ts'
import { IMPORT } from './import.ts'
import type { RestRoute } from './rest-route.ts'
import { TAKE_SETPOINTS } from './set-points-pending.ts'
import { ADD_SETPOINTS, ANSWER_SETPOINTS } from './set-points.ts'

/** All routes of the REST API, in the order in which OpenAPI describes them. */
export const REST_ROUTES: readonly RestRoute[] = [
  IMPORT,
  ADD_DATAPOINTS,
  READ_DATAPOINTS,
  ADD_SETPOINTS,
  TAKE_SETPOINTS,
  ANSWER_SETPOINTS,
  IMPORT_DOCUMENT_SCHEMA,
  OPENAPI,
]
