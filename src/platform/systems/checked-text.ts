import { textProblem } from '../../documents/checks/text-checks.ts'
import { HoldfastError } from '../../lib/errors.ts'

export const LONGEST_LINE = 500
/** Texts are read with all else of a page of a thousand. */
export const LONGEST_TEXT = 10_000

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

/** Checks that the database stores a text unchanged. */
export function checkedText(text: string, what: string): string {
  const problem = textProblem(text)
  if (problem !== null) throw new HoldfastError('BAD_USER_INPUT', `${what} ${problem.message}`)
  if (text.length <= LONGEST_TEXT) return text
  throw new HoldfastError(
    'LIMIT_EXCEEDED',
    `${what} has ${text.length} characters; at most ${LONGEST_TEXT} are possible`,
  )
}

/** Checks a name or key: one short line of visible text. */
export function checkedLine(text: string, what: string): string {
  checkedText(text, what)
  if (text.trim() === '') throw new HoldfastError('BAD_USER_INPUT', `${what} must not be empty`)
  if (CONTROL.test(text)) throw new HoldfastError('BAD_USER_INPUT', `${what} holds a control character; remove it`)
  if (text.length <= LONGEST_LINE) return text
  throw new HoldfastError(
    'LIMIT_EXCEEDED',
    `${what} has ${text.length} characters; at most ${LONGEST_LINE} are possible`,
  )
}
