import type { Aggregation } from '../../../datapoints/buckets/aggregate.ts'
import { storedValue, type Cell } from '../../../datapoints/chunks/point-columns.ts'
import type { StoredValue, ValueRules } from '../../../records/values/value.ts'
import type { Json } from '../../../lib/json.ts'

type Showing = Pick<ValueRules, 'show'>

/** A value in the form of the API; null if there is none. */
export function shownCell(cell: Cell, rules: Showing): Json {
  return cell === null ? null : show(storedValue(cell), rules)
}

/** Shows a value. Text of an earlier dataType may not be JSON, and is then shown as text. */
function show(value: StoredValue, rules: Showing): Json {
  try {
    return rules.show(value)
  } catch (error) {
    if (error instanceof SyntaxError && typeof value === 'string') return value
    throw error
  }
}

const VALUES: readonly Aggregation[] = ['min', 'max', 'first', 'last']

/** Shows a figure. One of the values is shown like it. Others are numbers, or decimal text if not exact. */
export function shownFigure(aggregation: Aggregation, cell: Cell, rules: Showing): Json {
  if (cell === null || typeof cell === 'number') return cell
  if (VALUES.includes(aggregation)) return shownCell(cell, rules)
  const number = storedValue(cell)
  return typeof number === 'bigint' ? String(number) : number
}
