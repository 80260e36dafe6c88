import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Context } from 'hono'
import { recentlyUsed } from '../../lib/recently-used.ts'
import type { AppEnv } from '../app-env.ts'
import { issuerFor } from '../oidc/issuer.ts'
import { answer, ENTITY_TAG, json, NOT_MODIFIED } from '../openapi/responses.ts'
import { ref } from '../openapi/schemas.ts'
import type { PublicRoute, RestServices } from './rest-route.ts'

// Routes that describe the API in machine-readable form. They contain no data of the domain, so they need no token.

const SCHEMA_TYPE = 'application/schema+json'
const SDL_TYPE = 'text/plain'

export const SCHEMAS: readonly PublicRoute[] = [
  schemaRoute('import-document', 'readImportDocumentSchema', 'the import document, in the form that editors use'),
  schemaRoute('settings', 'readSettingsSchema', 'holdfast.yaml'),
  schemaRoute('plan', 'readPlanSchema', 'a plan as JSON'),
]

function schemaRoute(name: string, operationId: string, what: string): PublicRoute {
  return {
    operation: `GET /rest/v1/${name}.schema.json`,
    operationId,
    tag: 'Descriptions',
    summary: `The JSON Schema of ${what}`,
    description: 'Draft 2020-12.',
    responses: responsesWith('The schema.', { [SCHEMA_TYPE]: { schema: ref('JsonSchema') } }),
    handle: describing(SCHEMA_TYPE, {
      async write() {
        const text = await readFile(new URL(`../../../schemas/${name}.schema.json`, import.meta.url), 'utf8')
        return JSON.stringify(JSON.parse(text))
      },
    }),
  }
}

export const OPENAPI: PublicRoute = {
  operation: 'GET /rest/v1/openapi.json',
  operationId: 'readOpenApi',
  tag: 'Descriptions',
  summary: 'This description',
  description: 'OpenAPI 3.1.',
  responses: responsesWith('The description.', json(ref('OpenApi'))),
  handle: describing('application/json', {
    about: (context, { platform }) => issuerFor(context, platform()),
    async write({ routes, limits }, issuer) {
      const { openApiDocument } = await import('./openapi-document.ts')
      return JSON.stringify(openApiDocument(routes, { issuer, limits }))
    },
  }),
}

export const GRAPHQL_SCHEMA: PublicRoute = {
  operation: 'GET /graphql/schema.graphql',
  operationId: 'readGraphqlSchema',
  tag: 'Descriptions',
  summary: 'The GraphQL schema',
  description: 'In the schema definition language.',
  responses: responsesWith('The schema.', { [SDL_TYPE]: { schema: { type: 'string' } } }),
  handle: describing(`${SDL_TYPE}; charset=utf-8`, {
    write: () => readFile(new URL('../../../generated/schema.graphql', import.meta.url), 'utf8'),
  }),
}

interface Description {
  /** The address of the platform, if the description contains it. */
  readonly about?: (context: Context<AppEnv>, services: RestServices) => string
  readonly write: (services: RestServices, about: string) => string | Promise<string>
}

/** The number of written descriptions that a route keeps. A client can use many addresses, because it chooses the port. */
const MOST_KEPT = 20

function describing(type: string, { about, write }: Description): PublicRoute['handle'] {
  return (services) => {
    const kept = recentlyUsed<{ readonly body: Uint8Array<ArrayBuffer>; readonly etag: string }>(MOST_KEPT)
    const headers = { 'content-type': type, 'cache-control': 'no-cache', vary: 'accept-encoding' }
    return async (context) => {
      const name = about?.(context, services) ?? ''
      let found = kept.get(name)
      if (found === undefined) {
        const body = Buffer.from(await write(services, name))
        found = { body, etag: `W/"${hash('sha256', body, 'base64url')}"` }
        kept.set(name, found)
      }
      return new Response(found.body, { headers: { ...headers, etag: found.etag } })
    }
  }
}

function responsesWith(description: string, content: Parameters<typeof answer>[1]): PublicRoute['responses'] {
  return { 200: answer(description, content, ENTITY_TAG), 304: NOT_MODIFIED }
}
