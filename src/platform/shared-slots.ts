export interface SlotLimits {
  readonly most: number
  /** Fewer than all, so that one account cannot take every slot. */
  readonly mostOfAccount: number
}

/**
 * A limited number of slots that accounts take for a while. It is known at once whether one is free, and there is no
 * waiting line.
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
   * Which limit is reached: the total or that of this account; null if a slot is free. `own` slots of the account do not
   * count.
   */
  lacking(account: string, own = 0): 'all' | 'account' | null {
    if (this.takenBy(account) - own >= this.#limits.mostOfAccount) return 'account'
    return this.#all - own >= this.#limits.most ? 'all' : null
  }

  /** Takes a slot, or several, and returns the function that releases them, which must be called once. */
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
