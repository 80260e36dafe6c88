import { HoldfastError } from '../../lib/errors.ts'
import { cellAt, storedValue, type Cell, type Values } from '../chunks/columns.ts'
import type { ValueRules } from './value.ts'
import { isViolation } from './violation.ts'

/** What a value had to meet when it was stored, and what it would have to meet. */
export interface Redefinition {
  readonly before: ValueRules
  readonly after: ValueRules
}

/** Whether a stored value fitted before and would not fit after: one that never did is nobody's loss. */
export function isMisfit({ before, after }: Redefinition, values: Values, place: number): boolean {
  const cell = cellAt(values, place)
  return !fits(cell, after) && fits(cell, before)
}

/** A stored value is taken again as the API would show it. */
function fits(cell: Exclude<Cell, null>, rules: ValueRules): boolean {
  try {
    return !isViolation(rules.accept(rules.show(storedValue(cell))))
  } catch (error) {
    // Not JSON, or too much work to check: nobody could send it.
    if (error instanceof SyntaxError || error instanceof HoldfastError) return false
    throw error
  }
}
