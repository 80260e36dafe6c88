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

/** A system without arrivals for this long is silent. Counts of a large fleet are up to a quarter of an hour old. */
const SILENT_AFTER_MS = 3_600_000
const DAY_MS = 86_400_000
/** Systems that are silent for longer are counted, but not listed. */
const NEWS_MS = 30 * DAY_MS
const MOST_COUNTED = 1_000

export interface SystemArrival {
  readonly systemUuid: string
  readonly name: string
  readonly lastAt: Date
  readonly isSilent: boolean
  /** The number of datapoints that were stored in each quarter of an hour of the last day, the present one last. */
  readonly quarters: readonly number[]
}

export interface Arrivals {
  /** The silent systems, latest first, and then the sending ones, up to the limit. */
  readonly systems: readonly SystemArrival[]
  readonly silent: SilentCount
  /** The number of systems in use that have never sent anything, counted up to a limit. */
  readonly neverSent: NeverSentCount
  /** Whether the list has all systems that ever sent something. */
  readonly isAll: boolean
}

/**
 * Lists the systems that have fallen silent, and the arrivals of a few others. It runs four statements for any number
 * of systems.
 */
export async function listArrivals({ database, domain, now }: DomainContext, most: number): Promise<Arrivals> {
  const time = now().getTime()
  const since = new Date(time - SILENT_AFTER_MS)
  return readDomain(database, domain.id, async (sql) => {
    const silent = await countSilent(sql, domain.id, since, MOST_COUNTED)
    const neverSent = await countNeverSent(sql, domain.id, MOST_COUNTED)
    const news = await fetchArrivals(sql, domain.id, { from: new Date(time - NEWS_MS), to: since, most })
    // The clock of another server may be ahead.
    const ahead = new Date(time + DAY_MS)
    const sending = await fetchArrivals(sql, domain.id, { from: since, to: ahead, most: most + 1 - news.length })
    const isAll = silent.count === news.length && news.length + sending.length <= most
    // If not all systems fit, the sending ones are left out.
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
