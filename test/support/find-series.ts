import { findAll, findSeries, type SeriesName } from '../../src/platform/datapoints/reading/series/find-series.ts'
import type { ReadableSeries } from '../../src/platform/datapoints/reading/series/readable-series.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import type { Reach } from '../../src/platform/systems/reach.ts'
import type { SeriesFilter } from '../../src/store/datapoints/series/readable-series.ts'
import { readDomain } from '../../src/store/domains.ts'

type Context = Pick<DomainContext, 'database' | 'domain' | 'now'>

export function requireSeries(context: Context, actor: Reach, name: SeriesName): Promise<ReadableSeries> {
  return readDomain(context.database, context.domain.id, async (sql) =>
    (await findSeries(sql, context, actor, name)).named(),
  )
}

export function findSeriesOf(context: Context, actor: Reach, filter: SeriesFilter): Promise<ReadableSeries[]> {
  return readDomain(context.database, context.domain.id, async (sql) =>
    (await findAll(sql, context, actor, filter)).named(),
  )
}
