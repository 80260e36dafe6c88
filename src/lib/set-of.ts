const SETS = new WeakMap<readonly string[], ReadonlySet<string>>()

/** The texts of a list as a set, which is made once. The list must not change. */
export function setOf(list: readonly string[]): ReadonlySet<string> {
  let set = SETS.get(list)
  if (set === undefined) SETS.set(list, (set = new Set(list)))
  return set
}
