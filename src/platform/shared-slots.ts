export interface SlotLimits {
  readonly most: number
  /** This is less than the total, so that one account cannot take every slot. */
  readonly mostOfAccount: number
}

/** A limited number of slots that accounts take for a while. Without a queue: a slot is free, or refused at once. */
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
   * The limit that is reached: the limit of all accounts or the limit of this account; null if a slot is free. `own`
   * slots of the account do not count.
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
