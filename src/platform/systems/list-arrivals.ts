import {
  countNeverSent,
  countSilent,
  fetchArrivals,
  KEPT_QUARTERS,
  QUARTER_MS,
  type ArrivalsOfSystem,
  type NeverSentCount,
  type SilentCount,
} from '../../store/datapoints/arriving/system-arrivals.ts'
import { readDomain } from '../../store/domains.ts'
import type { DomainContext } from '../domain-context.ts'

/** A system of which nothing has arrived for so long is silent. Counts of a large fleet are a quarter of an hour old. */
const SILENT_AFTER_MS = 3_600_000
const DAY_MS = 86_400_000
/** Longer silence is no news: it is counted, and not listed. */
const NEWS_MS = 30 * DAY_MS
const MOST_COUNTED = 1_000

export interface SystemArrival {
  readonly systemUuid: string
  readonly name: string
  readonly lastAt: Date
  readonly isSilent: boolean
  /** How many datapoints were stored in each quarter of an hour of the last day, the present one last. */
  readonly quarters: readonly number[]
}

export interface Arrivals {
  /** The silent systems, the latest first, and then the sending ones, as far as there is room. */
  readonly systems: readonly SystemArrival[]
  readonly silent: SilentCount
  /** How many systems in use have never sent anything, counted up to a limit. */
  readonly neverSent: NeverSentCount
  /** Whether these are all that ever sent something. */
  readonly isAll: boolean
}

/** Which systems have fallen silent, and what arrived of a few, in four statements however many systems there are. */
export async function listArrivals({ database, domain, now }: DomainContext, most: number): Promise<Arrivals> {
  const time = now().getTime()
  const since = new Date(time - SILENT_AFTER_MS)
  return readDomain(database, domain.id, async (sql) => {
    const silent = await countSilent(sql, domain.id, since, MOST_COUNTED)
    const neverSent = await countNeverSent(sql, domain.id, MOST_COUNTED)
    const news = await fetchArrivals(sql, domain.id, { from: new Date(time - NEWS_MS), to: since, most })
    // A clock of another server may be ahead.
    const ahead = new Date(time + DAY_MS)
    const sending = await fetchArrivals(sql, domain.id, { from: since, to: ahead, most: most + 1 - news.length })
    const isAll = silent.count === news.length && news.length + sending.length <= most
    // Where not all have room, nobody needs those that send.
    const shown = isAll || news.length === 0 ? sending.slice(0, most) : []
    return {
      systems: [
        ...news.map((one) => shownOf(one, true, time)),
        ...byName(shown).map((one) => shownOf(one, false, time)),
      ],
      silent,
      neverSent,
      isAll,
    }
  })
}

function byName(systems: readonly ArrivalsOfSystem[]): readonly ArrivalsOfSystem[] {
  return systems.toSorted((one, other) => one.name.localeCompare(other.name))
}

function shownOf({ quarter, counts, ...system }: ArrivalsOfSystem, isSilent: boolean, time: number): SystemArrival {
  const present = Math.floor(time / QUARTER_MS)
  const quarters = Array.from({ length: KEPT_QUARTERS }, (_, index) => {
    const wanted = present - (KEPT_QUARTERS - 1 - index)
    return counts[quarter - wanted] ?? 0
  })
  return { ...system, isSilent, quarters }
}
