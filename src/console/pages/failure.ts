import type { MissingRight } from '../../auth/require-right.ts'
import { capitalized } from '../../lib/letter-case.ts'
import { withCode } from '../parts/with-code.ts'
import { html } from '../../server/html.ts'
import { AREAS, type AreaName } from '../frame/areas.ts'
import type { View } from '../page.ts'

/**
 * Shows the error, whether anything was changed, and the trace id for the log. If the platform or its database failed,
 * the change may have been made.
 */
export function failureView(status: number, message: string, traceId: string, area: AreaName = 'home'): View {
  const outcome = status < 500 ? 'Nothing was changed' : 'Check the present state before you try again'
  return {
    title: status === 404 ? 'There is nothing here' : 'That did not work',
    status,
    verdict: html`${withCode(capitalized(message))}.`,
    place: [html`${outcome}`, html`trace <code>${traceId}</code>`],
    body: html`<p>
      ${status === 404 && area !== 'home' ? html`<a class="button main" href="${AREAS[area].href}">Go to ${AREAS[area].label}</a>` : null}
      <a class="button" href="/">Go to the first page</a>
    </p>`,
  }
}

export function forbiddenView({ message }: MissingRight): View {
  return {
    title: 'You may not see this',
    status: 403,
    verdict: withCode(message),
    body: html`<p><a class="button" href="/">Go to the first page</a></p>`,
  }
}
