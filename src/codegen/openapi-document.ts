import { DEFAULT_LIMITS } from '../server/requests/limits.ts'
import { openApiDocument } from '../server/routes/openapi-document.ts'
import { PUBLIC_ROUTES, REST_ROUTES } from '../server/routes/rest-routes.ts'
import type { Emitter } from './emitter.ts'

/** The OpenAPI document as the server of a domain returns it, for linters and generators of clients. */
export const openApi: Emitter = { path: 'generated/openapi.json', emit }

const ISSUER = 'https://holdfast.example'

async function emit(): Promise<string> {
  return `${JSON.stringify(openApiDocument([...REST_ROUTES, ...PUBLIC_ROUTES], { issuer: ISSUER, limits: DEFAULT_LIMITS }), null, 2)}\n`
}
