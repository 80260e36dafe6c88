import { html, type Html } from '../../server/html.ts'

/** A search field for a list. It is a form, so it works without a script, and the address contains the text. */
export function search(label: string, value: string): Html {
  return html`<form role="search">
    <input
      class="field search"
      type="search"
      name="search"
      value="${value}"
      placeholder="${label}"
      aria-label="${label}"
    />
  </form>`
}
