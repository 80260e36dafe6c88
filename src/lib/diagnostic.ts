import { isObject } from './json.ts'

export type Severity = 'error' | 'warning'

/** A position in a source file. Line and column count from 1. */
export interface SourcePosition {
  readonly file: string
  readonly line: number
  readonly column: number
}

/**
 * A finding about a document. Findings are collected and never thrown, so that one run shows all of them. `pointer`
 * is a JSON Pointer into the merged import document or into the settings, which have no key in common. A finding about
 * a whole file has the pointer `''`.
 */
export interface Diagnostic extends Partial<SourcePosition> {
  readonly severity: Severity
  /** A stable code in kebab case, e.g. `unknown-key`. */
  readonly code: string
  /** One or two sentences that say what is wrong and what to do about it. */
  readonly message: string
  readonly pointer: string
  /** Other positions that matter for the message, e.g. where an identity was used first. */
  readonly related?: readonly RelatedPosition[]
}

export interface RelatedPosition extends Partial<SourcePosition> {
  readonly pointer: string
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error')
}

export function isDiagnostic(detail: unknown): detail is Diagnostic {
  return isObject(detail) && typeof detail['severity'] === 'string' && typeof detail['pointer'] === 'string'
}
