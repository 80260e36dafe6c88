import { raw } from 'hono/html'
import type { Html } from '../../server/html.ts'

/** Browsers take seconds to break a line of ten thousand letters in a narrow column. */
const LONGEST = 160

/** A description has more room. */
export const LONGEST_SENTENCE = 500

/** As it stands in a table or a heading; the whole of a very long one stands on the page of what it is of, and in CSV. */
export function shortText(text: string, longest = LONGEST): string {
  if (text.length <= longest) return text
  // Half of a letter is none.
  return `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…`
}

const LONG_TEXT = new RegExp(`(?<=^|>)[^<>]{${LONGEST + 1},}`, 'g')
/** An escaped character, such as `&amp;`, counts as one. Nothing matches in two ways, so matching takes linear time. */
const SHOWN = new RegExp(`^\\s*(?!\\s)(?:&#?\\w+;|[^&]){${LONGEST}}`, 'u')

/** A text, or each text between the tags of what is made of several. */
export function shorten(shown: string | Html): string | Html {
  return isMade(shown) ? shortTexts(shown) : shortText(shown)
}

/** Escaped text is an object. */
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
