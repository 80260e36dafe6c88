/**
 * Joins what is asked for one by one into one question: all that is asked before the event loop goes on. GraphQL asks
 * for a field of each item of a list in this way.
 */
export function inBatches<Value>(
  findAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  let waiting: { readonly keys: Set<string>; readonly found: Promise<ReadonlyMap<string, Value>> } | undefined
  const begin = () => {
    const keys = new Set<string>()
    const found = new Promise<void>((resolve) => {
      setImmediate(resolve)
    }).then(() => {
      waiting = undefined
      return findAll([...keys])
    })
    return { keys, found }
  }
  return async (key) => {
    waiting ??= begin()
    waiting.keys.add(key)
    return (await waiting.found).get(key)
  }
}
