/** A problem of a text value. The message continues a sentence that begins with the value. */
export interface TextProblem {
  readonly code: string
  readonly message: string
}

/** The maximum number of characters of a text, and of a whole record as JSON. A page reads a thousand records. */
export const MOST_CHARACTERS = { text: 65_536, record: 1_048_576 } as const

/** Finds a text of a record that is too long. */
export function lengthProblem({ length }: string): TextProblem | null {
  if (length <= MOST_CHARACTERS.text) return null
  return {
    code: 'text-too-long',
    message: `has ${length} characters; at most ${MOST_CHARACTERS.text} are possible`,
  }
}

/** Finds characters that PostgreSQL rejects (U+0000) or silently changes (a lone surrogate, a leading U+FEFF). */
export function textProblem(text: string): TextProblem | null {
  if (text.includes('\0')) {
    return { code: 'nul-character', message: 'contains the character U+0000, which no database stores; remove it.' }
  }
  if (!text.isWellFormed()) {
    return { code: 'lone-surrogate', message: 'contains half of a surrogate pair, which is no character; remove it.' }
  }
  if (text.startsWith('\ufeff')) {
    return { code: 'byte-order-mark', message: 'begins with an invisible byte order mark (U+FEFF); remove it.' }
  }
  return null
}

/** As a key, this name would replace the prototype of an object. */
export const FORBIDDEN_KEY = '__proto__'
export const FORBIDDEN_KEY_MESSAGE = `the key ${FORBIDDEN_KEY} is not allowed; rename it.`

export function duplicateKeyMessage(key: string): string {
  return `the key ${JSON.stringify(key)} appears twice in the same object; remove one.`
}

export function tooDeepMessage(maxDepth: number): string {
  return `the document is nested more than ${maxDepth} levels deep, which is the limit; make it flatter.`
}
