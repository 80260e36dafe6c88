/** A value that must be there by what was done before: at an index within a list, under a key that was just set. */
export function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a value is missing that was there before')
  return value
}
