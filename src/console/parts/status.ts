import { html, type Html } from '../../server/html.ts'
import type { Sign } from './sign.ts'

/** Most things are activated, so that is said quietly. Left out, it is ACTIVATED. */
export function statusText(status: unknown): Html {
  const text = typeof status === 'string' ? status.toLowerCase() : 'activated'
  return html`<span class="${text === 'activated' ? 'soft' : ''}">${text}</span>`
}

/** The sign of something that somebody has taken out of use, which is no failure. */
export function statusSign(status: unknown): Sign {
  return status === undefined || status === 'ACTIVATED' ? 'quiet' : 'inactive'
}
