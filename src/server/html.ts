import { html as honoHtml } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

export type Html = HtmlEscapedString

/** Hono's `html`, which escapes inserted values, without promises. All values are known when a page is made. */
export function html(texts: TemplateStringsArray, ...values: readonly unknown[]): Html {
  const made = honoHtml(texts, ...values)
  if (made instanceof Promise) throw new TypeError('a page was made of something that is not there yet')
  return made
}
