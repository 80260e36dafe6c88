import { raw } from 'hono/html'
import type { Html } from '../../server/html.ts'

/** The longest text in a table or heading. Browsers take seconds to break ten thousand letters in a narrow column. */
const LONGEST = 160

/** The longest description. */
export const LONGEST_SENTENCE = 500

/** Shortens a text for a table or heading. The page of its object and CSV files contain the whole text. */
export function shortText(text: string, longest = LONGEST): string {
  if (text.length <= longest) return text
  // Removes half of a surrogate pair at the end.
  return `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…`
}

const LONG_TEXT = new RegExp(`(?<=^|>)[^<>]{${LONGEST + 1},}`, 'g')
/**
 * Matches the part of escaped text that is shown. An escaped character such as `&amp;` counts as one. The pattern is
 * unambiguous, so matching takes linear time.
 */
const SHOWN = new RegExp(`^\\s*(?!\\s)(?:&#?\\w+;|[^&]){${LONGEST}}`, 'u')

/** Shortens a text or, in HTML, each text between tags. */
export function shorten(shown: string | Html): string | Html {
  return isMade(shown) ? shortTexts(shown) : shortText(shown)
}

/** Whether the value is HTML. Escaped text is an object. */
function isMade(shown: unknown): shown is Html {
  return typeof shown === 'object'
}

function shortTexts(made: Html): Html {
  return raw(
    made.replace(LONG_TEXT, (text) => {
      const [head = text] = SHOWN.exec(text) ?? []
      return text.slice(head.length).trim() === '' ? text : `${head}…`
    }),
  )
}
