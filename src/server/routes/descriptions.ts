import type { Hono } from 'hono'
import importDocument from '../../../schemas/import-document.schema.json' with { type: 'json' }
import type { AppEnv } from '../app-env.ts'
import { restRoute } from './rest-route.ts'

const IMPORT_DOCUMENT = JSON.stringify(importDocument)

/** What the platform expects, in machine-readable form. */
export function descriptionRoutes(app: Hono<AppEnv>): void {
  restRoute(app, 'GET /rest/v1/import-document.schema.json', (context) =>
    context.body(IMPORT_DOCUMENT, 200, { 'content-type': 'application/schema+json' }),
  )
}
