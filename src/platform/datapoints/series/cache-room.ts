import type { KnownComponent } from './series-entry.ts'

/**
 * The bytes of memory of a series, of its component with the entries of lists and maps, of a system, of a pair with the
 * rules of an ordinary definition, and of a domain, as measured with a million of each on Node 24 (docs/decisions/0084).
 */
export const BYTES = { series: 140, component: 680, system: 650, pair: 2_500, domain: 1_200 } as const

/**
 * The maximum number of bytes of all known series of a process. Entries that others still refer to take up to 40 %
 * more, and V8 lets the heap grow to 1.6 times this size. So a server with ten million series stays below 1.5 GB.
 */
export const MOST_CACHE_BYTES = 402_653_184

/** The number of components that are compared to find one that was not used for long. */
const SAMPLE = 8

/**
 * Limits the memory of the known series of all domains of a process. If it is full, it takes a small sample of
 * components, and evicts the one that was not used for the longest time. An exact order would cost a list operation for
 * each point. It evicts components and not series, because a look-up reads whole components.
 */
export class CacheRoom {
  readonly #most: number
  readonly #components: KnownComponent[] = []
  #bytes = 0

  constructor(most = MOST_CACHE_BYTES) {
    this.#most = most
  }

  get bytes(): number {
    return this.#bytes
  }

  take(bytes: number): void {
    this.#bytes += bytes
  }

  add(component: KnownComponent): void {
    component.place = this.#components.push(component) - 1
    this.take(BYTES.component)
  }

  remove(component: KnownComponent): void {
    const last = this.#components.pop()
    this.take(-BYTES.component)
    if (last === undefined || last === component) return
    this.#components[component.place] = last
    last.place = component.place
  }

  /** Evicts components, but not `kept`, until the others have room. */
  evict(kept: KnownComponent): void {
    while (this.#bytes > this.#most && this.#components.length > 1) {
      let [oldest, since] = [kept, Infinity]
      for (let index = 0; index < SAMPLE; index++) {
        const one = this.#components[Math.floor(Math.random() * this.#components.length)] ?? kept
        const used = one === kept ? Infinity : lastUse(one)
        if (used < since) [oldest, since] = [one, used]
      }
      if (oldest !== kept) oldest.system.home.evict(oldest)
    }
  }
}

/** The number of the last batch with one of its series. */
function lastUse({ series, since }: KnownComponent): number {
  let last = since
  for (const entry of series) if (entry !== undefined && entry.batch > last) last = entry.batch
  return last
}
