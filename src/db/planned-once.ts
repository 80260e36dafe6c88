/** So many texts have names at most: those that were built differently each time would fill the memory of the database. */
const MOST_TEXTS = 100

/** Names under which connections keep the plans of statements. */
class PlanNames {
  readonly #prefix: string
  readonly #names = new Map<string, string>()

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  give(text: string): string | undefined {
    if (!this.#names.has(text) && this.#names.size < MOST_TEXTS)
      this.#names.set(text, `${this.#prefix}_${this.#names.size}`)
    return this.of(text)
  }

  of(text: string): string | undefined {
    return this.#names.get(text)
  }
}

/** pg notes by itself which statements it has prepared, so a name stands either for one that is run alone or for a part of a transaction. */
const alone = new PlanNames('alone')
const parts = new PlanNames('part')

/**
 * Marks a statement that each connection plans once, and not each time a transaction runs it: of what runs for a millisecond
 * or less, planning is half. It gives the text back. The plan is made for whatever values may come, so the text must leave no
 * choice that depends on them: each table is joined `lateral … offset 0` by an index that the text says, and no condition asks
 * whether a parameter is null.
 */
export function plannedOnce(text: string): string {
  parts.give(text)
  return text
}

/** The name of a part of a transaction; undefined where it is planned each time. */
export function nameOfPart(text: string): string | undefined {
  return parts.of(text)
}

/** The name of a statement that is a transaction of its own. Look-ups run the same few texts again and again. */
export function nameAlone(text: string): string | undefined {
  return alone.give(text)
}
