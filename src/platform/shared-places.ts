export interface PlaceLimits {
  readonly most: number
  /** Fewer than all, so that no account takes the places of all others. */
  readonly mostOfAccount: number
}

/** Places that many take for a while. Whether there is one is known at once; nobody waits in line. */
export class SharedPlaces {
  readonly #limits: PlaceLimits
  readonly #taken = new Map<string, number>()
  #all = 0

  constructor(limits: PlaceLimits) {
    this.#limits = limits
  }

  get taken(): number {
    return this.#all
  }

  /** What there is no place for: anybody, or only this account; null where there is one. */
  lacking(account: string): 'all' | 'account' | null {
    if ((this.#taken.get(account) ?? 0) >= this.#limits.mostOfAccount) return 'account'
    return this.#all >= this.#limits.most ? 'all' : null
  }

  /** Gives what to call, once, when the place is free again. */
  take(account: string): () => void {
    this.#count(account, 1)
    return () => this.#count(account, -1)
  }

  #count(account: string, change: number): void {
    const own = (this.#taken.get(account) ?? 0) + change
    this.#all += change
    if (own === 0) this.#taken.delete(account)
    else this.#taken.set(account, own)
  }
}
