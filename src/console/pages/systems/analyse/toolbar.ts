import { html, type Html } from '../../../../server/html.ts'
import type { Visit } from '../../../page.ts'
import { dateText } from '../../../parts/time.ts'
import type { Look } from './look.ts'
import { linkTo, type Seen } from './seen.ts'
import { setLink } from './set/settable.ts'
import { fieldText, SPANS, type Window } from './span.ts'

/** The controls of the window and its appearance. Links and one form, so it works without a script. */
export function toolbar(visit: Visit, look: Look): Html {
  const { seen } = look
  const { display, window } = seen
  const csv = `${visit.url.pathname}/csv${linkTo(seen, { view: null, search: null })}`
  return html`<div class="toolbar" id="toolbar">
    ${spans(seen)} ${range(visit, seen)} ${liveLink(seen)} ${customForm(visit, seen)}
    <span class="end">${setLink(visit, look)}</span>
    <nav class="segments" aria-label="Display">
      <a href="${linkTo(seen, { view: null })}" data-key="chart" ${currentIf(display === 'chart')}>Chart</a>
      <a href="${linkTo(seen, { view: 'table' })}" data-key="table" ${currentIf(display === 'table')}>Table</a>
    </nav>
    <a class="button" href="${csv}" download data-window="${window.from} ${window.to}">CSV</a>
  </div>`
}

function spans(seen: Seen): Html {
  return html`<nav class="segments" aria-label="Window">
    ${SPANS.map(
      ({ name, label }) =>
        html`<a href="${linkTo(seen, { window: name, from: null })}" ${currentIf(seen.window.span === name)}
          >${label}</a
        >`,
    )}
  </nav>`
}

function currentIf(isCurrent: boolean): Html | null {
  return isCurrent ? html`aria-current="true"` : null
}

function range({ now, zone }: Pick<Visit, 'now' | 'zone'>, seen: Seen): Html {
  const { window } = seen
  const [from, to] = [window.from, window.to].map((at) => dateText(new Date(at), now, zone))
  const later = shifted(window, 1)
  return html`<nav class="segments range" aria-label="Move the window">
    <a href="${linkTo(seen, shifted(window, -1))}" aria-label="Earlier" data-key="earlier">←</a>
    <span id="range">${from} – ${to}</span>
    ${
      window.isNow
        ? html`<a aria-disabled="true" role="link" aria-label="Later">→</a>`
        : html`<a
            href="${linkTo(seen, Date.parse(later.to) >= now.getTime() ? { ...later, to: null } : later)}"
            aria-label="Later"
            data-key="later"
            >→</a
          >`
    }
  </nav>`
}

/** The window before or after this one. A window that would end in the future ends now. */
function shifted({ from, to, span }: Window, direction: 1 | -1) {
  const length = to - from
  const [start, end] = [from, to].map((at) => new Date(Math.round(at + direction * length)).toISOString())
  return { from: span === null ? (start ?? null) : null, to: end ?? '' }
}

function liveLink(seen: Seen): Html {
  const { isLive, window } = seen
  const to = isLive ? { live: 'off' } : { live: null, to: null }
  const words = isLive ? 'Live' : window.isNow ? 'Paused' : 'Go to now'
  return html`<a
    class="button live scripted"
    href="${linkTo(seen, to)}"
    id="live"
    data-key="live"
    aria-pressed="${String(isLive)}"
    role="button"
    ><span class="dot" aria-hidden="true"></span> <span id="live-words">${words}</span></a
  >`
}

/** The form for a window with chosen ends, in the person's time zone. */
function customForm({ zone }: Pick<Visit, 'zone'>, seen: Seen): Html {
  const { window, query } = seen
  const kept = [...query].filter(([name]) => !['from', 'to', 'window'].includes(name))
  return html`<details class="custom">
    <summary class="button">Other window</summary>
    <form method="get">
      ${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <label
        >From <input class="field" type="datetime-local" name="from" value="${fieldText(window.from, zone)}" required
      /></label>
      <label
        >To <input class="field" type="datetime-local" name="to" value="${fieldText(window.to, zone)}" required
      /></label>
      <button class="button main">Show</button>
    </form>
  </details>`
}
