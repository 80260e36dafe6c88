import { html, type Html } from '../../server/html.ts'

/** A field that shows what contains a text. It is a form of its own, so it works without a script and stays in the address. */
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
