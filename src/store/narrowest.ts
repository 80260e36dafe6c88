/** SQL of a condition, by the name of its filter. */
type Shown = (name: string, condition: string) => string

/**
 * Lets an index answer only the narrowest condition of a filter. All others are written `(…) is true`, which no index
 * answers. Without statistics (PGlite never has any, PostgreSQL not at once), the planner considers all conditions
 * equally rare, and might read all rows of a unit to find one component. `narrow` lists the conditions with an index
 * that selects few rows, the narrowest first.
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
