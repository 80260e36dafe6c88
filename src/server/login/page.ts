import { raw } from 'hono/html'
import { html, type Html } from '../html.ts'
import { MARK, MARK_ICON } from '../mark.ts'
import { PAGE_POLICY, STYLE } from './style.ts'

export interface Page {
  /** The heading, which is also the title of the browser tab. */
  readonly title: string
  readonly body: Html
  /** The name of the domain, so that people do not confuse platforms; left out if it is not known. */
  readonly domain?: string
  /** The problem, shown above all other content. */
  readonly problem?: string | undefined
}

/** The element must match its hash in the policy exactly, so a formatter must not change it. */
const STYLE_ELEMENT = raw(`<style>${STYLE}</style>`)

/** A whole page of the login UI. */
export function page({ title, body, problem, domain }: Page): string {
  const heading = problem === undefined ? title : `Problem: ${title}`
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${heading}</title>
        <link rel="icon" href="${MARK_ICON}" />
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <p class="brand">${MARK} Holdfast ${domain === undefined ? null : html`<span>${domain}</span>`}</p>
          <h1>${title}</h1>
          ${problem === undefined ? null : alert(problem)} ${body}
        </main>
      </body>
    </html>`.toString()
}

/** Returns a message that screen readers announce at once. The field to correct follows in the tab order. */
function alert(problem: string): Html {
  return html`<div class="alert" role="alert" id="problem"><p>${problem}</p></div>`
}

/** The headers of pages, for answers of Hono and of oidc-provider. */
export const PAGE_HEADERS: { readonly [name: string]: string } = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': PAGE_POLICY,
  'cache-control': 'no-store',
  'x-frame-options': 'DENY',
}

export function pageResponse(content: Page, status = 200, headers: { readonly [name: string]: string } = {}): Response {
  return new Response(page(content), { status, headers: { ...PAGE_HEADERS, ...headers } })
}
