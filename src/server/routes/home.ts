import type { Hono } from 'hono'
import { html } from 'hono/html'
import type { AppEnv } from '../app-env.ts'

/** What somebody sees who opens the address in a browser. */
export function homeRoute(app: Hono<AppEnv>): void {
  app.get('/', (context) => context.html(PAGE))
}

const PAGE = html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>Holdfast</title>
    </head>
    <body>
      <h1>Holdfast</h1>
      <p>A device data platform. This server is running.</p>
      <ul>
        <li><a href="/readyz">Readiness</a></li>
        <li>
          <a href="/rest/v1/import-document.schema.json">JSON Schema of the import document</a> (needs a bearer token)
        </li>
        <li>GraphQL is at <code>POST /graphql</code> (needs a bearer token)</li>
      </ul>
    </body>
  </html>`
