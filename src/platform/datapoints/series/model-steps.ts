interface Step {
  readonly version: number
  readonly systems: ReadonlySet<string>
}

/** So many steps are remembered. What was looked up before them is looked up again. */
const MOST_STEPS = 100

/** The last steps from one version of a model to the next, by which what was looked up in between is judged. */
export class ModelSteps {
  #steps: Step[] = []
  /** Up to this version nothing that was looked up is known to hold. */
  #since = Infinity

  /** Notes a step after which nothing holds that was looked up before. */
  begin(version: number): void {
    this.#steps = []
    this.#since = version
  }

  /** Notes a step after which all holds but what was looked up of these systems. */
  add(version: number, systems: readonly string[]): void {
    this.#steps.push({ version, systems: new Set(systems) })
    if (this.#steps.length > MOST_STEPS) this.#since = this.#steps.shift()?.version ?? version
  }

  /** Tells whether what was looked up of these systems in a version holds after the last step. */
  holds(version: number, systems: readonly string[]): boolean {
    if (version < this.#since) return false
    const later = this.#steps.filter((step) => step.version > version)
    return later.every((step) => !systems.some((uuid) => step.systems.has(uuid)))
  }
}
