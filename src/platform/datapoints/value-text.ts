import type { StoredValue, ValueRules } from '../../datapoints/rules/value.ts'

/** JSON text of a value as the API shows it: of two values of one characteristic, equal where they are. */
export function valueText(rules: ValueRules, value: StoredValue): string {
  return JSON.stringify(rules.show(value))
}
