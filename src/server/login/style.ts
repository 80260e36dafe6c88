import { hash } from 'node:crypto'
import { fontHref } from '../fonts/fonts.ts'

/** The style of all pages of the login UI. One column. Both colour schemes meet the contrast of WCAG 2.2 AA. */
export const STYLE = `
@font-face { font-family: 'Plex Sans'; src: url('${fontHref('plex-sans-latin.woff2')}') format('woff2'); font-weight: 100 700; font-display: swap; }
:root {
  color-scheme: light dark;
  --back: light-dark(#f5f6f8, #14171c);
  --card: light-dark(#ffffff, #1b1f25);
  --line: light-dark(#dfe3e8, #2e353f);
  --edge: light-dark(#7b8494, #7d8796);
  --text: light-dark(#1b1f26, #e6eaef);
  --soft: light-dark(#515a69, #a6afbc);
  --main: light-dark(#1f5fae, #8fbcf5);
  --on-main: light-dark(#ffffff, #10151c);
  --main-strong: light-dark(#174a8a, #b4d3fa);
  --bad: light-dark(#9b1c1c, #ffb4ab);
  --bad-back: light-dark(#fdf0ef, #2e1e20);
}
* { box-sizing: border-box; }
html { font: 100%/1.5 'Plex Sans', system-ui, sans-serif; background: var(--back); color: var(--text); }
body { margin: 0; min-height: 100vh; display: grid; grid-template-columns: minmax(0, 26rem); place-content: safe center; padding: 1rem; overflow-wrap: anywhere; }
main { background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; padding: 2rem; }
.brand { display: flex; align-items: center; gap: 0.5rem; margin: 0 0 1.5rem; font-size: 0.875rem; font-weight: 600; }
.brand svg { flex: none; color: var(--main); }
.brand span { padding-inline-start: 0.5rem; border-inline-start: 1px solid var(--line); color: var(--soft); font-weight: 400; }
h1 { font-size: 1.375rem; font-weight: 600; line-height: 1.25; margin: 0 0 0.5rem; text-wrap: balance; }
h2 { font-size: 1rem; margin: 0 0 0.25rem; }
h1 + form, h1 + .alert { margin-top: 1rem; }
p { margin: 0 0 1rem; }
ul { margin: 0 0 1.25rem; padding-left: 1.25rem; }
li { margin: 0.25rem 0; }
.soft { color: var(--soft); }
.alert { background: var(--bad-back); border-left: 4px solid var(--bad); border-radius: 0.25rem; color: var(--bad); padding: 0.75rem 1rem; margin: 0 0 1.25rem; }
.alert p:last-child { margin: 0; }
label { display: block; font-weight: 600; margin: 0 0 0.25rem; }
.hint { color: var(--soft); font-size: 0.875rem; margin: 0 0 0.375rem; }
input:not([type='hidden']) { display: block; width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; margin: 0 0 1rem; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--edge); border-radius: 0.25rem; }
input[aria-invalid='true'] { border-color: var(--bad); }
.button { display: flex; align-items: center; justify-content: center; width: 100%; min-height: 2.75rem; padding: 0.5rem 1rem; margin: 0 0 0.75rem; font: inherit; font-weight: 600; text-align: center; text-decoration: none; border: 1px solid var(--edge); border-radius: 0.25rem; color: inherit; background: transparent; cursor: pointer; }
.button:hover { border-color: var(--main); color: var(--main); }
.button.main { background: var(--main); border-color: var(--main); color: var(--on-main); }
.button.main:hover { background: var(--main-strong); border-color: var(--main-strong); color: var(--on-main); }
.button.quiet { border-color: transparent; color: var(--soft); font-weight: 400; }
.button.quiet:hover { border-color: var(--edge); color: inherit; }
.or { display: flex; align-items: center; gap: 0.75rem; color: var(--soft); margin: 1.25rem 0; }
.or::before, .or::after { content: ''; flex: 1; border-top: 1px solid var(--line); }
a { color: var(--main); }
:is(a, button, input, [tabindex]):focus-visible { outline: 2px solid var(--main); outline-offset: 2px; }
main > :last-child, form:last-child > :last-child { margin-bottom: 0; }
@media (max-width: 30rem) {
  body { padding: 0; place-content: start stretch; grid-template-columns: minmax(0, 1fr); background: var(--card); }
  main { border: 0; border-radius: 0; padding: 1.5rem 1.25rem; }
}
@media (forced-colors: active) { .button, .alert { border: 1px solid; } }
`

const STYLE_HASH = hash('sha256', STYLE, 'base64')

/**
 * The content security policy of the login UI. Pages load only their style and its fonts. There is no `form-action`,
 * because Chromium also applies it to redirects after a form, including the one back to the application.
 */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; font-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'`
