/**
 * Makes a function that computes each result of another function only once. The results stay in memory as long as the
 * function does.
 */
export function remembering<Key, Value extends {}>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const value = compute(key)
    known.set(key, value)
    return value
  }
}
