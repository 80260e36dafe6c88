/** Returns a value that must exist, such as an item at a valid index, or the value of a key that was just set. */
export function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a value is missing that was there before')
  return value
}
