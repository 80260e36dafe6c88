import type { MissingRight } from '../../auth/require-right.ts'
import { html } from '../../server/login/html.ts'
import type { View } from '../page.ts'

const SHOWN = [400, 403, 404, 409, 422] as const

/** What happened, whether anything changed, and under which number the log has more. */
export function failureView(status: number, message: string, traceId: string): View {
  const shown = SHOWN.find((one) => one === status)
  return {
    title: status === 404 ? 'There is nothing here' : 'That did not work',
    ...(shown !== undefined && { status: shown }),
    verdict: html`${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`,
    place: [html`Nothing was changed`, html`trace <code>${traceId}</code>`],
    body: html`<p><a class="button" href="/">Go to the first page</a></p>`,
  }
}

export function forbiddenView({ message }: MissingRight): View {
  return {
    title: 'You may not see this',
    status: 403,
    verdict: html`${message}`,
    body: html`<p><a class="button" href="/">Go to the first page</a></p>`,
  }
}
