import { HoldfastError } from '../../lib/errors.ts'
import { cellAt, storedValue, type Cell, type Values } from '../chunks/columns.ts'
import type { ValueRules } from './value.ts'
import { isViolation } from './violation.ts'

/** The rules of a characteristic before and after a change. */
export interface Redefinition {
  readonly before: ValueRules
  readonly after: ValueRules
}

/** Tells whether a stored value fitted before and does not fit after. A value that never fitted is no loss. */
export function isMisfit({ before, after }: Redefinition, values: Values, index: number): boolean {
  const cell = cellAt(values, index)
  return !fits(cell, after) && fits(cell, before)
}

/** Checks a stored value in the form in which the API would show it. */
function fits(cell: Exclude<Cell, null>, rules: ValueRules): boolean {
  try {
    return !isViolation(rules.accept(rules.show(storedValue(cell))))
  } catch (error) {
    // The value is not JSON, or checking it costs too much, so no client could send it.
    if (error instanceof SyntaxError || error instanceof HoldfastError) return false
    throw error
  }
}
