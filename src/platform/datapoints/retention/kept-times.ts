import { earliestKept } from '../../../datapoints/retention-time.ts'

const DAY = 86_400_000_000

/** A retention, and the earliest time within it as of today. */
export interface KeptTime {
  readonly keep: string | null
  /** Earlier points are refused, in microseconds since 1970. */
  readonly earliest: number
}

/** One object for each retention, shared by all its series. Each day updates it, so no series is looked up again. */
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
