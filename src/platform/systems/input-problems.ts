import { HoldfastError } from '../../lib/errors.ts'
import { textProblem } from '../../documents/checks/text-checks.ts'

/** The maximum number of errors that are listed. Further errors are only counted. */
export const MOST_LISTED = 100

/** A problem of one input in a list. */
export interface InputProblem {
  readonly index: number
  readonly field: string
  readonly error: HoldfastError
}

/** The error with its place in a single input. */
export function atField(error: HoldfastError, field: string): HoldfastError {
  const { code, message, details } = error
  const place = { pointer: `/input/${field}`, code, detail: message }
  return new HoldfastError(code, message, { details: details.length > 0 ? details : [place], cause: error })
}

export function rethrowAt(field: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof HoldfastError ? atField(error, field) : error
  }
}

/** Refuses a list of inputs with all its problems. If there is only one input, the message does not give its place. */
export function refuseProblems(problems: readonly InputProblem[], inputs: readonly unknown[]): void {
  const inOrder = [...problems].sort((a, b) => a.index - b.index)
  const [first] = inOrder
  if (first === undefined) return
  if (inputs.length === 1) throw atField(first.error, first.field)
  const details = inOrder.slice(0, MOST_LISTED).map(({ index, field, error }) => {
    return { pointer: `${inputPointer(index)}/${field}`, code: error.code, detail: error.message }
  })
  const count = inOrder.length === 1 ? '' : `${inOrder.length} mistakes, and `
  const message = `${count}nothing was created. ${details[0]?.pointer}: ${details[0]?.detail}`
  throw new HoldfastError(first.error.code, message, { details })
}

export function inputPointer(index: number): string {
  return `/input/${index}`
}

export const LONGEST_LINE = 500
/** The longest text. A page of a thousand rows reads the texts with everything else. */
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
