/** SQL of a condition, by the name of what it is about. */
type Shown = (name: string, condition: string) => string

/**
 * Lets an index answer only the narrowest condition that a filter names; all others are written `(…) is true`, which no index
 * answers. Without statistics, which PGlite never has and PostgreSQL not at once, the planner takes all conditions for equally
 * rare: of a component and its unit it would as soon go through all rows of the unit. `narrow` has what selects few rows by
 * an index of its own, the narrowest first.
 */
export function narrowestOf(
  filter: object,
  narrow: readonly string[],
): { readonly narrowest: string | undefined; readonly shown: Shown } {
  const named = new Map<string, unknown>(Object.entries(filter))
  const narrowest = narrow.find((name) => (named.get(name) ?? null) !== null)
  const isShown = (name: string) => narrowest === undefined || name === narrowest
  return {
    narrowest,
    shown: (name, condition) => (isShown(name) ? condition : hidden(condition)),
  }
}

/** SQL of a condition that no index answers. */
export const hidden = (condition: string): string => `(${condition}) is true`
