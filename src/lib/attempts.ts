/** Runs steps independently: each step runs even if others fail. */
export class Attempts {
  readonly #errors: unknown[] = []
  readonly #failed: (error: unknown) => void

  /** `failed` gets the error of each failed step at once. Without it, `end` throws all errors. */
  constructor(failed?: (error: unknown) => void) {
    this.#failed = failed ?? ((error) => this.#errors.push(error))
  }

  /** Runs a step. The result is null if it fails. */
  async make<T>(step: () => Promise<T>): Promise<T | null> {
    try {
      return await step()
    } catch (error) {
      this.#failed(error)
      return null
    }
  }

  /** Throws the errors of the failed steps, in their order. */
  end(): void {
    const [first] = this.#errors
    if (this.#errors.length === 1) throw first
    // Each of thousands of domains may have an error.
    if (this.#errors.length > 1)
      throw new AggregateError(this.#errors, this.#errors.slice(0, 10).map(messageOf).join('; '))
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
