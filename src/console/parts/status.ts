import { html, type Html } from '../../server/html.ts'

/** Most things are activated, so that is said quietly. Left out, it is ACTIVATED. */
export function statusText(status: unknown): Html {
  const text = typeof status === 'string' ? status.toLowerCase() : 'activated'
  return html`<span class="${text === 'activated' ? 'soft' : ''}">${text}</span>`
}
