import { html } from './html.ts'

/** A cleat, to which a rope is made fast. */
export const MARK = html`<svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
  <path
    d="M1 6.5h16M1 11.5h16M6 2v14M12 2v14"
    fill="none"
    stroke="currentColor"
    stroke-width="2.25"
    stroke-linecap="round"
  />
</svg>`
