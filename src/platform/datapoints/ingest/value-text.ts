import type { StoredValue, ValueRules } from '../../../datapoints/rules/value.ts'

/** The JSON text of a value as the API shows it. Texts of one characteristic are equal where its values are. */
export function valueText(rules: ValueRules, value: StoredValue): string {
  return JSON.stringify(rules.show(value))
}
