import importDocument from '../../../schemas/import-document.schema.json' with { type: 'json' }
import { issuerOf } from '../oidc/issuer.ts'
import { answer, json } from '../openapi/responses.ts'
import { ref } from '../openapi/schemas.ts'
import type { RestRoute } from './rest-route.ts'

// Routes that describe the API in machine-readable form.

const IMPORT_DOCUMENT = JSON.stringify(importDocument)
const SCHEMA_TYPE = 'application/schema+json'

export const IMPORT_DOCUMENT_SCHEMA: RestRoute = {
  operation: 'GET /rest/v1/import-document.schema.json',
  right: 'domain:read',
  keepsWithin: true,
  operationId: 'readImportDocumentSchema',
  tag: 'Descriptions',
  summary: 'The JSON Schema of the import document',
  description: 'Draft 2020-12, in the form that editors use.',
  responses: { 200: answer('The schema.', { [SCHEMA_TYPE]: { schema: ref('ImportDocumentSchema') } }) },
  handle: () => (context) => context.body(IMPORT_DOCUMENT, 200, { 'content-type': SCHEMA_TYPE }),
}

export const OPENAPI: RestRoute = {
  operation: 'GET /rest/v1/openapi.json',
  right: 'domain:read',
  keepsWithin: true,
  operationId: 'readOpenApi',
  tag: 'Descriptions',
  summary: 'This description',
  description: 'OpenAPI 3.1.',
  responses: { 200: answer('The description.', json(ref('OpenApi'))) },
  handle:
    ({ platform, limits, routes }) =>
    async (context) => {
      const { openApiDocument } = await import('./openapi-document.ts')
      const host = context.req.header('host') ?? new URL(context.req.url).host
      const issuer = issuerOf(platform().baseUrl, context.get('domain'), host)
      return context.json(openApiDocument(routes, { issuer, limits }))
    },
}
