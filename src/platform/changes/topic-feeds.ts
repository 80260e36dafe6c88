import type { Database } from '../../db/sql.ts'
import { fetchAppliesOf, type ApplyRow } from '../../store/model/applies.ts'
import type { SeriesFilter } from '../../store/datapoints/series/readable-series.ts'
import { fetchEvents, type StoredEvent } from '../../store/systems/events.ts'
import { fetchSetpoints, type StoredSetpoint } from '../../store/setpoints/setpoints.ts'
import { bytesOf, withValues } from '../setpoints/setpoint.ts'
import type { Topic } from './change-signals.ts'
import { DatapointSource } from './datapoint-source.ts'
import { Feed, type PollStatus } from './feed.ts'
import type { StoredFlush } from './flush-reader.ts'
import { RowSource, type RowTable } from './row-source.ts'
import type { SeenFlushes } from './seen-flushes.ts'

export interface TopicFeeds {
  readonly datapoints: Feed<SeenFlushes, StoredFlush, SeriesFilter>
  readonly setpoints: Feed<number, StoredSetpoint, null>
  readonly events: Feed<number, StoredEvent, null>
  readonly applies: Feed<number, ApplyRow, null>
}

export interface FeedContext {
  readonly database: Database
  readonly domainId: number
  readonly topic: Topic
  now(): Date
}

export function beginFeed({ database, domainId, topic, now }: FeedContext, status: PollStatus) {
  if (topic === 'datapoints') return Feed.begin(new DatapointSource(database, domainId), status)
  const rows = <Row extends { readonly uuid: string }>(fetch: RowTable<Row>['fetch']) =>
    Feed.begin(new RowSource(database, domainId, { topic, fetch }), status)
  if (topic === 'events') return rows(fetchEvents)
  if (topic === 'applies') return rows(fetchAppliesOf)
  return rows(async (sql, of, uuids, mostBytes) => {
    const found = await fetchSetpoints(sql, of, uuids, now())
    return found.length > 1 && bytesOf(found) > mostBytes ? null : withValues(sql, of, found)
  })
}
