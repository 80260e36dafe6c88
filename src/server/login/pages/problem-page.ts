import { html } from '../../html.ts'
import type { Page } from '../page.ts'

export interface Problem {
  readonly title: string
  /** The problem and its remedy, one paragraph each. */
  readonly lines: readonly string[]
  /** The link to continue with. */
  readonly link?: { readonly href: string; readonly text: string } | undefined
  readonly traceId?: string | undefined
}

export function problemPage({ title, lines, link, traceId }: Problem): Page {
  const body = html`${lines.map((line) => html`<p>${line}</p>`)}
  ${link === undefined ? null : html`<a class="button main" href="${link.href}">${link.text}</a>`}
  ${traceId === undefined ? null : html`<p class="hint">If you ask for help, give this number: ${traceId}</p>`}`
  return { title, body }
}
