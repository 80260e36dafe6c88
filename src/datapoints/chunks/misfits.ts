import { HoldfastError } from '../../lib/errors.ts'
import { cellAt, storedValue, type Cell, type Values } from './point-columns.ts'
import type { Summary } from './summary.ts'
import type { ValueRules } from '../../records/values/value.ts'
import { isViolation } from '../../records/values/violation.ts'

/** The rules of a characteristic before and after a change. */
export interface Redefinition {
  readonly before: ValueRules
  readonly after: ValueRules
}

/** Tells whether a stored value fits the rules before, but not those after. A value that never fitted is no loss. */
export function isMisfit({ before, after }: Redefinition, values: Values, index: number): boolean {
  const cell = cellAt(values, index)
  return !fits(cell, after) && fits(cell, before)
}

/** The number of values of a chunk that are misfits; `unknown` if the summaries do not tell. */
export type Share = 'none' | 'all' | 'unknown'

export function misfitShare({ before, after }: Redefinition, summaries: readonly Summary[]): Share {
  const judge = (rules: ValueRules, verdict: 'accepted' | 'refused'): boolean =>
    summaries.every(
      (summary) => 'least' in summary && rules.judgeRange?.(summary.least.value, summary.most.value) === verdict,
    )
  if (judge(after, 'accepted')) return 'none'
  return judge(after, 'refused') && judge(before, 'accepted') ? 'all' : 'unknown'
}

/** Checks a stored value in the form in which the API would show it. */
function fits(cell: Exclude<Cell, null>, rules: ValueRules): boolean {
  const value = storedValue(cell)
  // The quick check comes first, because a refusal with a message takes longer.
  const verdict = typeof value === 'number' || typeof value === 'bigint' ? rules.judgeRange?.(value, value) : null
  if (verdict === 'accepted' || verdict === 'refused') return verdict === 'accepted'
  try {
    return !isViolation(rules.accept(rules.show(value)))
  } catch (error) {
    // The value is not JSON, or checking it costs too much. No client could send it.
    if (error instanceof SyntaxError || error instanceof HoldfastError) return false
    throw error
  }
}
