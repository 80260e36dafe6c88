import { AnswerBudget } from '../../platform/answer-budget.ts'
import { html, type Html } from '../../server/html.ts'
import { MARK, MARK_ICON } from '../../server/mark.ts'
import { FONT_HREF, SCRIPT_HREF, STYLE_HREF } from '../assets.ts'
import { withoutTold } from '../once.ts'
import type { View, Visit } from '../page.ts'
import { SIGN_OUT } from '../session/sign-out.ts'
import { shortText } from '../parts/short-text.ts'
import { timeOfDay } from '../parts/time.ts'
import { keysAreOff } from './keys.ts'
import { AREAS, areasOf, type AreaName } from './areas.ts'
import { head } from './head.ts'
import { csrfField } from '../../server/login/csrf.ts'

/** The content security policy: scripts, style and fonts come from the platform only. */
const POLICY = [
  `default-src 'none'`,
  `font-src 'self'`,
  `script-src 'self'`,
  `connect-src 'self'`,
  `img-src 'self' data:`,
  `form-action 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ')

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-frame-options': 'DENY',
}

/**
 * The answer with a whole page. Throws if the page is too long. `area` is null if the page belongs to none, such as the
 * page for an unknown address.
 */
export function pageAnswer(visit: Visit, area: AreaName | null, view: View): Response {
  const text = pageText(visit, area, view)
  new AnswerBudget().check(text.length)
  const nonce = view.styleNonce === undefined ? '' : ` 'nonce-${view.styleNonce}'`
  const headers = {
    ...HEADERS,
    'content-security-policy': `${POLICY}; style-src 'self'${nonce}`,
    'content-length': String(Buffer.byteLength(text)),
  }
  return withoutTold(new Response(text, { status: view.status ?? 200, headers }), visit)
}

function pageText(visit: Visit, area: AreaName | null, view: View): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${titleOf(view)} · ${visit.context.domain.name}</title>
        <link rel="icon" href="${MARK_ICON}" />
        <link rel="preload" href="${FONT_HREF}" as="font" type="font/woff2" crossorigin />
        <link rel="stylesheet" href="${STYLE_HREF}" />
        <script src="${SCRIPT_HREF}" type="module"></script>
        ${view.style === undefined ? null : html`<link rel="stylesheet" href="${view.style}" />`}
        ${view.script === undefined ? null : html`<script src="${view.script}" type="module"></script>`}
      </head>
      <body
        ${keysAreOff(visit.request) ? html`data-keys="off"` : null}
        ${visit.request.req.method === 'GET' && visit.once === null ? html`data-may-reload` : null}
      >
        <a class="skip" href="#content">Go to the content</a>
        ${bar(visit, area)}
        <main id="content" class="${view.isWide === true ? 'page wide' : 'page'}">${head(view)} ${view.body}</main>
        ${foot(visit)}
      </body>
    </html>`.toString()
}

/** The title of the tab. Pages of one object share a heading, so the title also names the page. */
function titleOf({ title, tabs = [] }: View): string {
  const part = tabs.find(({ isCurrent }) => isCurrent)?.label ?? title
  return part === title ? shortText(title) : `${shortText(title)} · ${part}`
}

function bar(visit: Visit, area: AreaName | null): Html {
  return html`<header class="bar">
    <div class="brand">
      <a href="/">${MARK} Holdfast</a>
      <span class="domain">${visit.url.host}</span>
    </div>
    <nav class="areas" aria-label="Areas">
      <ul>
        ${areasOf(visit.caller).map((name) => areaLink(name, name === area))}
      </ul>
    </nav>
    ${searchField(visit)}
    <div class="person">
      <span class="soft">${visit.actor.name}</span>
      <form method="post" action="${SIGN_OUT}">
        ${csrfField(visit.csrf)}
        <button>Sign out</button>
      </form>
    </div>
  </header>`
}

/** The search field. It is a separate form, so it works without a script. */
function searchField({ url, caller }: Visit): Html | null {
  if (!areasOf(caller).includes('home')) return null
  const wanted = url.pathname === '/search' ? (url.searchParams.get('q') ?? '') : ''
  return html`<form class="anything" role="search" aria-label="Everything" action="/search">
    <input
      class="field"
      type="search"
      name="q"
      value="${wanted}"
      placeholder="Search anything"
      aria-label="Search anything"
    />
    <kbd aria-hidden="true">/</kbd>
  </form>`
}

function areaLink(name: AreaName, isCurrent: boolean): Html {
  const { label, href, key } = AREAS[name]
  return html`<li>
    <a href="${href}" data-key="${key}" ${isCurrent ? html`aria-current="true"` : null}>${label}</a>
  </li>`
}

function foot({ zone, now, url }: Visit): Html {
  return html`<footer class="foot">
    <div>
      Times are ${zone === 'UTC' ? 'UTC' : zone}
      <form method="post" action="/console/zone">
        <input type="hidden" name="to" value="${url.pathname + url.search}" />
        <button name="zone" value="${zone === 'UTC' ? 'local' : 'UTC'}">
          ${zone === 'UTC' ? 'Show local time' : 'Show UTC'}
        </button>
      </form>
    </div>
    <span
      ><a href="/api">API</a> <span class="between">·</span> <a href="/keys">Keys</a>
      <span class="between">·</span> Server time ${timeOfDay(now, zone)}</span
    >
  </footer>`
}
