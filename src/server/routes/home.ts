import type { Hono } from 'hono'
import type { AppEnv } from '../app-env.ts'
import { html } from '../html.ts'
import { pageResponse, type Page } from '../login/page.ts'

/** The page for a person who opens the address in a browser. */
export function homeRoute(app: Hono<AppEnv>): void {
  app.get('/', () => pageResponse(HOME))
}

const HOME: Page = {
  title: 'Holdfast',
  body: html`<p>A device data platform. This server is running.</p>
    <ul>
      <li>GraphQL is at <code>POST /graphql</code>, with a bearer token.</li>
      <li>
        REST is described at <code>/rest/v1/openapi.json</code>, the import document at
        <code>/rest/v1/import-document.schema.json</code>, with a bearer token.
      </li>
      <li>Sign-in: <a href="/.well-known/openid-configuration">OpenID configuration</a></li>
      <li><a href="/readyz">Readiness</a></li>
    </ul>`,
}
