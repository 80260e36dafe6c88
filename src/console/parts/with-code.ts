import { html, type Html } from '../../server/html.ts'

/** Formats a message. Text between backticks becomes code, as in Markdown. */
export function withCode(message: string): Html {
  const parts = message.split('`')
  // An unmatched backtick is an ordinary character.
  if (parts.length % 2 === 0) return html`${message}`
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`
}
