import { html, type Html } from '../../server/html.ts'

/** A message as a page shows it: what it has between backticks, as the terminal and Markdown write it, is code. */
export function withCode(message: string): Html {
  const parts = message.split('`')
  // Without its second one, a backtick is a character of the message.
  if (parts.length % 2 === 0) return html`${message}`
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`
}
