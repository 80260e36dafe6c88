import { earliestKept } from '../../datapoints/retention-time.ts'

const DAY = 86_400_000_000

/** How long points are kept, and what that means today. */
export interface KeptTime {
  readonly keep: string | null
  /** No earlier point is taken; microseconds since 1970. */
  readonly earliest: number
}

/** One for each length, shared by all series: when a day begins they move on, and the series need not be looked up again. */
export class KeptTimes {
  readonly #times = new Map<string | null, { readonly keep: string | null; earliest: number }>()
  #day = 0

  of(keep: string | null): KeptTime {
    const known = this.#times.get(keep) ?? { keep, earliest: earliestKept(keep, this.#day * DAY) }
    this.#times.set(keep, known)
    return known
  }

  moveTo(now: number): void {
    const day = Math.floor(now / DAY)
    if (day === this.#day) return
    this.#day = day
    for (const time of this.#times.values()) time.earliest = earliestKept(time.keep, now)
  }
}
