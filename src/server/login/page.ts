import { raw } from 'hono/html'
import { html, type Html } from './html.ts'
import { PAGE_POLICY, STYLE } from './style.ts'

export interface Page {
  /** The heading; also what a tab of the browser shows. */
  readonly title: string
  readonly body: Html
  /** What went wrong, told before everything else. */
  readonly problem?: string | undefined
}

/** To the letter what the policy's hash is of, so no formatter may touch it. */
const STYLE_ELEMENT = raw(`<style>${STYLE}</style>`)

/** One page of the login UI, whole. */
export function page({ title, body, problem }: Page): string {
  const heading = problem === undefined ? title : `Problem: ${title}`
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${heading}</title>
        <link rel="icon" href="data:," />
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${problem === undefined ? null : alert(problem)} ${body}
        </main>
      </body>
    </html>`.toString()
}

/** Read out at once, since it is there when the page is; the next stop of the keyboard is the field to correct. */
function alert(problem: string): Html {
  return html`<div class="alert" role="alert" id="problem"><p>${problem}</p></div>`
}

/** For pages that are answered by Hono and by others alike. */
export const PAGE_HEADERS: { readonly [name: string]: string } = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': PAGE_POLICY,
  'cache-control': 'no-store',
  'x-frame-options': 'DENY',
}

export function pageResponse(content: Page, status = 200, headers: { readonly [name: string]: string } = {}): Response {
  return new Response(page(content), { status, headers: { ...PAGE_HEADERS, ...headers } })
}
