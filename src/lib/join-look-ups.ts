/** The number of look-ups that run at once. With two, the next group is on its way while an answer is being read. */
const AT_ONCE = 2

/** The maximum number of keys of one look-up, so that later keys need not wait for a whole flood of keys. */
const MOST_KEYS = 200

interface Waiting<Key, Value> {
  readonly key: Key
  resolve(value: Value | PromiseLike<Value>): void
  reject(error: unknown): void
}

/**
 * Joins look-ups of single keys into few look-ups of several keys. If fewer than two look-ups run, a key is looked up
 * at once and alone. Otherwise keys wait, and go together in the next look-up, as in a group commit. A value is never
 * older than the call that asks for it. `lookUp` must return a value for each key, in their order, or a promise that can
 * fail for its key alone. If it fails itself, it fails for all its keys.
 */
export function joinLookUps<Key, Value>(
  lookUp: (keys: readonly Key[]) => Promise<readonly (Value | PromiseLike<Value>)[]>,
): (key: Key) => Promise<Value> {
  const waiting: Waiting<Key, Value>[] = []
  let underWay = 0
  const next = async (): Promise<void> => {
    const group = waiting.splice(0, MOST_KEYS)
    underWay += 1
    try {
      const values = await lookUp(group.map(({ key }) => key))
      for (const [index, { resolve }] of group.entries()) resolve(values[index]!)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
    underWay -= 1
    if (waiting.length > 0) void next()
  }
  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (underWay < AT_ONCE) void next()
    })
}
