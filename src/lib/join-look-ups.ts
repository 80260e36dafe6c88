/** How many look-ups are under way at once. With two, the next group is on its way while an answer is being read. */
const AT_ONCE = 2

/** The most keys of one look-up, so that a flood of them does not keep those that come later waiting for all of it. */
const MOST_KEYS = 200

interface Waiting<Key, Value> {
  readonly key: Key
  resolve(value: Value): void
  reject(error: unknown): void
}

/**
 * Look-ups of single keys as few look-ups of several. A key that comes while fewer than two are under way is looked up at
 * once and alone; those that come meanwhile wait and go together next, as commits of a database do. A value is never older
 * than the call that asks for it. `lookUp` gives a value for each key, in their order; where it fails, it fails for all
 * of its keys.
 */
export function joinLookUps<Key, Value>(
  lookUp: (keys: readonly Key[]) => Promise<readonly Value[]>,
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
