import type { Aggregation } from '../../../datapoints/buckets/aggregate.ts'
import { storedValue, type Cell } from '../../../datapoints/chunks/columns.ts'
import type { StoredValue, ValueRules } from '../../../datapoints/rules/value.ts'
import type { Json } from '../../../lib/json.ts'

type Showing = Pick<ValueRules, 'show'>

/** A value as the API shows it; null where there is none. */
export function shownCell(cell: Cell, rules: Showing): Json {
  return cell === null ? null : show(storedValue(cell), rules)
}

/** What was stored as text under an earlier dataType need not be JSON: then it is shown as that text. */
function show(value: StoredValue, rules: Showing): Json {
  try {
    return rules.show(value)
  } catch (error) {
    if (error instanceof SyntaxError && typeof value === 'string') return value
    throw error
  }
}

const VALUES: readonly Aggregation[] = ['min', 'max', 'first', 'last']

/** A figure that is one of the values is shown as one; others are numbers, or a decimal text where a double is too short. */
export function shownFigure(aggregation: Aggregation, cell: Cell, rules: Showing): Json {
  if (cell === null || typeof cell === 'number') return cell
  if (VALUES.includes(aggregation)) return shownCell(cell, rules)
  const number = storedValue(cell)
  return typeof number === 'bigint' ? String(number) : number
}
