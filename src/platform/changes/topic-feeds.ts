import type { Database } from '../../db/sql.ts'
import { fetchAppliesOf, type ApplyRow } from '../../store/model/applies.ts'
import type { SeriesFilter } from '../../store/datapoints/readable-series.ts'
import { fetchEvents, type StoredEvent } from '../../store/systems/events.ts'
import { fetchSetpoints, type StoredSetpoint } from '../../store/setpoints/setpoints.ts'
import type { Topic } from './change-signals.ts'
import { DatapointSource } from './datapoint-source.ts'
import { Feed, type LookStatus } from './feed.ts'
import type { StoredFlush } from './flush-reader.ts'
import { RowSource, type RowTable } from './row-source.ts'
import type { SeenFlushes } from './seen-flushes.ts'
import type { Snapshot } from './snapshot.ts'

export interface TopicFeeds {
  readonly datapoints: Feed<SeenFlushes, StoredFlush, SeriesFilter>
  readonly setpoints: Feed<Snapshot, StoredSetpoint, null>
  readonly events: Feed<Snapshot, StoredEvent, null>
  readonly applies: Feed<Snapshot, ApplyRow, null>
}

export interface FeedPlace {
  readonly database: Database
  readonly domainId: number
  readonly topic: Topic
  now(): Date
}

export function beginFeed({ database, domainId, topic, now }: FeedPlace, status: LookStatus) {
  if (topic === 'datapoints') return Feed.begin(new DatapointSource(database, domainId), status)
  const rows = <Row extends { readonly uuid: string }>(fetch: RowTable<Row>['fetch']) =>
    Feed.begin(new RowSource(database, domainId, { table: topic, fetch }), status)
  if (topic === 'events') return rows(fetchEvents)
  if (topic === 'applies') return rows(fetchAppliesOf)
  return rows((sql, of, uuids) => fetchSetpoints(sql, of, uuids, now()))
}
