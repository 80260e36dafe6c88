import { html } from './html.ts'

const PATH = 'M1 6.5h16M1 11.5h16M6 2v14M12 2v14'

/** The logo: a cleat, to which ropes are made fast. */
export const MARK = html`<svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
  <path d="${PATH}" fill="none" stroke="currentColor" stroke-width="2.25" stroke-linecap="round" />
</svg>`

const LINES = `d="${PATH}" fill="none" stroke="#3d7fd1" stroke-width="2.25" stroke-linecap="round"`
const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 18 18"><path ${LINES}/></svg>`

/** The logo for a browser tab, in a blue that is visible on light and dark tabs. */
export const MARK_ICON = `data:image/svg+xml,${encodeURIComponent(DRAWING)}`
