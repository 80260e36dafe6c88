/** Steps of which each is tried, whatever becomes of the others. */
export class Attempts {
  readonly #errors: unknown[] = []
  readonly #failed: (error: unknown) => void

  /** `failed` is told of each failed step at once; without it, `end` throws all of them. */
  constructor(failed?: (error: unknown) => void) {
    this.#failed = failed ?? ((error) => this.#errors.push(error))
  }

  /** Runs a step; the result is null where it fails. */
  async make<T>(step: () => Promise<T>): Promise<T | null> {
    try {
      return await step()
    } catch (error) {
      this.#failed(error)
      return null
    }
  }

  /** Fails with what the steps failed with, the first one first. */
  end(): void {
    const [first] = this.#errors
    if (this.#errors.length === 1) throw first
    if (this.#errors.length > 1) throw new AggregateError(this.#errors, this.#errors.map(messageOf).join('; '))
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
