import type { Hono } from 'hono'
import importDocument from '../../../schemas/import-document.schema.json' with { type: 'json' }
import type { AppEnv } from '../app-env.ts'
import type { Limits } from '../requests/limits.ts'
import { issuerOf } from '../oidc/issuer.ts'
import type { Platform } from '../process/platform.ts'
import { restRoute } from './rest-route.ts'

export interface DescriptionOptions {
  readonly platform: () => Platform
  readonly limits: Limits
}

const IMPORT_DOCUMENT = JSON.stringify(importDocument)

/** What the platform expects, in machine-readable form. */
export function descriptionRoutes(app: Hono<AppEnv>, { platform, limits }: DescriptionOptions): void {
  restRoute(app, 'GET /rest/v1/import-document.schema.json', (context) =>
    context.body(IMPORT_DOCUMENT, 200, { 'content-type': 'application/schema+json' }),
  )
  restRoute(app, 'GET /rest/v1/openapi.json', async (context) => {
    const { openApiDocument } = await import('../openapi/document.ts')
    const host = context.req.header('host') ?? new URL(context.req.url).host
    const issuer = issuerOf(platform().baseUrl, context.get('domain'), host)
    return context.json(openApiDocument({ issuer, limits }))
  })
}
