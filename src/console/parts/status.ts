import { html, type Html } from '../../server/html.ts'
import type { Sign } from './sign.ts'

/** The status as text. ACTIVATED is muted, because it is the normal case. It is also the default. */
export function statusText(status: unknown): Html {
  const text = typeof status === 'string' ? status.toLowerCase() : 'activated'
  return html`<span class="${text === 'activated' ? 'soft' : ''}">${text}</span>`
}

/** The sign of an object that was taken out of use, which is not an error. */
export function statusSign(status: unknown): Sign {
  return status === undefined || status === 'ACTIVATED' ? 'quiet' : 'inactive'
}
