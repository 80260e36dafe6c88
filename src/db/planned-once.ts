/** So many texts have names at most: those that were built differently each time would fill the memory of the database. */
const MOST_TEXTS = 200

const names = new Map<string, string>()

/**
 * Marks a statement that each connection plans once, and not each time it is run: of what runs for a millisecond or less,
 * planning is half. It gives the text back. The plan is made for whatever values may come, so the text must leave no choice
 * that depends on them: what is looked up by an index is joined `lateral … offset 0`, and no condition says that a parameter
 * may be null.
 */
export function plannedOnce(text: string): string {
  if (!names.has(text) && names.size < MOST_TEXTS) names.set(text, `planned_${names.size}`)
  return text
}

/** The name under which connections keep the plan of a statement; undefined where it is planned each time. */
export function nameOf(text: string): string | undefined {
  return names.get(text)
}
