import { entriesOf } from '../../lib/entries.ts'
import { html, type Html } from '../html.ts'
import { pageResponse } from '../login/page.ts'
import { ERROR_KINDS, type ErrorKind } from '../requests/error-kinds.ts'

/** Returns a page with a section for each error code, whose id is the code. */
export function errorsPage(): Response {
  const body = html`<p>Each answer with an error has one of these codes.</p>
    ${entriesOf(ERROR_KINDS).map(([code, kind]) => section(code, kind))}`
  return pageResponse({ title: 'Errors', body })
}

function section(code: string, { status, title, others = {}, meaning, remedy }: ErrorKind): Html {
  const more = Object.entries(others)
  return html`<section id="${code}">
    <h2>${code}</h2>
    <p class="hint">${title}, HTTP ${status}</p>
    <p>${marked(meaning)}</p>
    <p>${marked(remedy)}</p>
    ${
      more.length > 0 &&
      html`<ul>
        ${more.map(([other, when]) => html`<li>HTTP ${other}: ${marked(when)}</li>`)}
      </ul>`
    }
  </section>`
}

/** Shows the text between backticks as code. */
function marked(text: string): readonly (string | Html)[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))
}
