export interface SlotLimits {
  readonly most: number
  /** Less than the total, so that one account cannot take every slot. */
  readonly mostOfAccount: number
}

/**
 * A limited number of slots that accounts take for a while. There is no queue: it is known at once whether a slot is
 * free.
 */
export class SharedSlots {
  readonly #limits: SlotLimits
  readonly #taken = new Map<string, number>()
  #all = 0

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  get taken(): number {
    return this.#all
  }

  takenBy(account: string): number {
    return this.#taken.get(account) ?? 0
  }

  /**
   * The limit that is reached: that of all accounts, or that of this account; null if a slot is free. `own` slots of
   * the account do not count.
   */
  lacking(account: string, own = 0): 'all' | 'account' | null {
    if (this.takenBy(account) - own >= this.#limits.mostOfAccount) return 'account'
    return this.#all - own >= this.#limits.most ? 'all' : null
  }

  /** Takes one or several slots. Returns the function that releases them, which must be called once. */
  take(account: string, slots = 1): () => void {
    this.#count(account, slots)
    return () => this.#count(account, -slots)
  }

  #count(account: string, change: number): void {
    const own = this.takenBy(account) + change
    this.#all += change
    if (own === 0) this.#taken.delete(account)
    else this.#taken.set(account, own)
  }
}
