import { html, type Html } from '../../server/html.ts'

interface Block {
  readonly title: string
  readonly note?: string | Html
  readonly more?: { readonly label: string; readonly href: string }
  readonly body: Html
}

/** A part of a page: heading, rule, rows. */
export function block({ title, note, more, body }: Block): Html {
  return html`<section class="block">
    <header>
      <h2>${title}</h2>
      ${note === undefined ? null : html`<span class="note">${note}</span>`}
      ${more === undefined ? null : html`<a class="more" href="${more.href}">${more.label}</a>`}
    </header>
    ${body}
  </section>`
}

/** The text of an empty block: the reason, and the next step. */
export function empty(why: string | Html, next: Html | null = null): Html {
  return html`<div class="empty">
    <p>${why}</p>
    ${next}
  </div>`
}

/** Names with their values. */
export function pairs(
  entries: readonly (readonly [name: Html | string, value: Html | string | number | null])[],
): Html {
  return html`<dl class="pairs">
    ${entries.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`
}

export type NoticeKind = 'info' | 'good' | 'warn' | 'bad'

/** A notice that must not be missed. A page has at most one. */
export function notice(kind: NoticeKind, title: string | Html, body: Html | string | null = null): Html {
  return html`<div class="notice ${kind}" ${kind === 'bad' ? html`role="alert"` : null}>
    <p><strong>${title}</strong></p>
    ${body === null ? null : html`<div>${body}</div>`}
  </div>`
}

/** Text for a machine. If scripts run, it has a button to copy it. */
export function code(id: string, text: string): Html {
  return html`<div class="paste">
    <button type="button" class="button scripted" data-copy="${id}">Copy</button>
    <pre class="code" tabindex="0" id="${id}">${text}</pre>
  </div>`
}
