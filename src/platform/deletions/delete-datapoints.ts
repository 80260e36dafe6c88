import { createHash } from 'node:crypto'
import type { DeletedSeries } from '../../../generated/entities.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { fenceFlushes } from '../../store/datapoints/arriving/writer-slots.ts'
import { countErasedRanges, insertErasedRanges } from '../../store/datapoints/erased-ranges.ts'
import { fetchReadableSeries, type SeriesFilter } from '../../store/datapoints/series/readable-series.ts'
import { fetchModelVersions } from '../../store/model/model-versions.ts'
import { withinReach } from '../systems/reach.ts'
import { NOTHING, rangeOf, type DeletionTarget, type Wanted } from './deletion-target.ts'

/** The maximum number of series whose datapoints one deletion deletes. Each gets a row, in one transaction. */
export const MOST_SERIES_OF_DELETION = 20_000
/**
 * The maximum number of deletions of one series whose points are not removed yet. A reader compares each point with all
 * of them.
 */
export const MOST_DELETIONS_OF_SERIES = 64

type Datapoints = Extract<Wanted, { kind: 'DATAPOINTS' }>

/** Datapoints are hidden at once, and removed by upkeep (docs/decisions/0074). */
export const DATAPOINTS: DeletionTarget<Datapoints> = {
  async find({ sql, context: { domain }, actor }, { series, from, to }, moment) {
    const most = MOST_SERIES_OF_DELETION
    const found = await fetchReadableSeries(sql, domain.id, withinReach(actor, filterOf(series)), most + 1)
    if (found.length > most) throw tooMany(most)
    // Later series have only later points.
    const meant = found.filter(({ id }) => id <= (moment?.lastSeries ?? Infinity))
    const seriesIds = meant.map(({ id }) => id).sort((a, b) => a - b)
    // A restored database draws the numbers of series and flushes again.
    const { identity } = await fetchModelVersions(sql, domain.id)
    return {
      described: { subject: null, name: null, series, from, to },
      counts: NOTHING,
      seriesIds,
      state: createHash('sha256')
        .update([identity, ...seriesIds].join(' '))
        .digest('base64url'),
      needsFence: seriesIds.length > 0,
    }
  },

  async remove({ sql, context: { domain } }, { seriesIds, described }, moment, deletionUuid) {
    if (seriesIds.length === 0) return
    if ((await countErasedRanges(sql, domain.id, seriesIds)) >= MOST_DELETIONS_OF_SERIES) throw tooOften()
    await insertErasedRanges(sql, domain.id, deletionUuid, seriesIds, rangeOf(described, moment))
    // Servers then forget what they know of erased ranges.
    await fenceFlushes(sql, domain.id)
  },
}

function filterOf({ systems, components, services, characteristics }: DeletedSeries): SeriesFilter {
  return {
    systems: systems ?? undefined,
    components: components ?? undefined,
    services: services ?? undefined,
    characteristics: characteristics ?? undefined,
  }
}

function tooMany(limit: number): HoldfastError {
  const most = limit.toLocaleString('en-US')
  return new HoldfastError(
    'LIMIT_EXCEEDED',
    `one deletion deletes the datapoints of at most ${most} series; name fewer systems or components`,
  )
}

function tooOften(): HoldfastError {
  return new HoldfastError(
    'UNAVAILABLE',
    `datapoints of one of these series were deleted ${MOST_DELETIONS_OF_SERIES} times within some seconds, and are still being removed; try again in a moment`,
  )
}
