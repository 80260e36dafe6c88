/** The longest time that other work waits for its turn. */
const LONGEST_MS = 10

/** Lets other work run between two steps of a long one, where it has waited for long enough. */
export function breather(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < LONGEST_MS) return
    await new Promise(setImmediate)
    since = performance.now()
  }
}
