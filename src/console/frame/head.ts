import { html, type Html } from '../../server/html.ts'
import { shortText } from '../parts/short-text.ts'
import type { Crumb, Tab, View } from '../page.ts'

/** The head of a page: its path, title, state and actions. */
export function head({ title, crumbs = [], verdict, place = [], actions = [], tabs = [] }: View): Html {
  return html`${crumbs.length > 0 ? crumbList(crumbs) : null}
    <div class="head">
      <div class="words">
        <h1>${shortText(title)}</h1>
        ${verdict === undefined ? null : html`<p>${verdict}</p>`}
        ${place.length === 0 ? null : html`<p class="place">${place.map((part) => html`<span>${part}</span>`)}</p>`}
      </div>
      ${actions.length === 0 ? null : html`<div class="actions">${actions}</div>`}
    </div>
    ${tabs.length === 0 ? null : tabList(tabs)}`
}

function crumbList(crumbs: readonly Crumb[]): Html {
  return html`<nav class="crumbs" aria-label="Breadcrumb">
    <ol>
      ${crumbs.map(({ label, href }) => html`<li><a href="${href}">${shortText(label)}</a></li>`)}
    </ol>
  </nav>`
}

function tabList(tabs: readonly Tab[]): Html {
  return html`<nav class="tabs" aria-label="Parts of this page">
    <ul>
      ${tabs.map(
        ({ label, href, isCurrent, count }) =>
          html`<li>
            <a href="${href}" ${isCurrent ? html`aria-current="page"` : null}
              >${label}${count === undefined ? null : html` <span class="count">${count}</span>`}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`
}
