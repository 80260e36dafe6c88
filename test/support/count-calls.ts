/**
 * Counts the calls of a method while some work is done. The number of comparisons shows how work grows, whatever else the machine
 * does.
 */
export async function countCalls<Name extends string>(
  owner: { [name in Name]: (...given: never[]) => unknown },
  name: Name,
  work: () => unknown,
): Promise<number> {
  const method = owner[name]
  let count = 0
  owner[name] = function (this: unknown, ...given: never[]) {
    count += 1
    return method.apply(this, given)
  }
  try {
    await work()
  } finally {
    owner[name] = method
  }
  return count
}
