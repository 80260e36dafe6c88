import { html, type Html } from '../../server/html.ts'
import { code } from './block.ts'

interface Secret {
  readonly label: string
  readonly text: string
  /** The address where the person continues. */
  readonly done: string
  /** Commands to test the secret and to keep it out of Git. */
  readonly next: Html
}

/** A secret is shown once, right after the form that made it. */
export function secret({ label, text, done, next }: Secret): Html {
  return html`<div class="secret">
    <h2>${label}</h2>
    ${code('secret', text)}
    <p>The platform shows it only now, and keeps only a hash.</p>
    <form class="form" action="${done}">
      <label class="choice"><input type="checkbox" required /> <span>I have stored the secret</span></label>
      <p class="sends"><button class="button main">Done</button></p>
    </form>
    ${next}
  </div>`
}
