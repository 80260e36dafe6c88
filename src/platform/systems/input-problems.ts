import { HoldfastError } from '../../lib/errors.ts'
import { MOST_LISTED } from '../datapoints/ingest/batch-error.ts'

/** A problem of one of several inputs, which are given as a list. */
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

/** Refuses a list of inputs for all that is wrong in it. The message about a single one does not name its place. */
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
