export type Severity = 'error' | 'warning'

/** A place in a source file; line and column count from 1. */
export interface SourcePosition {
  readonly file: string
  readonly line: number
  readonly column: number
}

/**
 * Something found in a document. Findings are collected, never thrown: a person wants all of them in one run.
 * `pointer` is a JSON Pointer into the merged import document, or into the settings beside it, whose keys are others;
 * a finding about a file as a whole has the pointer `''`.
 */
export interface Diagnostic extends Partial<SourcePosition> {
  readonly severity: Severity
  /** Stable and kebab-case, e.g. `unknown-key`. */
  readonly code: string
  /** What is wrong and what to do about it, in one sentence or two. */
  readonly message: string
  readonly pointer: string
  /** Other places that the message is about, e.g. where an identity was used first. */
  readonly related?: readonly RelatedPlace[]
}

export interface RelatedPlace extends Partial<SourcePosition> {
  readonly pointer: string
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error')
}
