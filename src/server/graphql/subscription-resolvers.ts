import { timestampText } from '../../datapoints/wire/timestamp-text.ts'
import type { SubscriptionResolvers } from '../../graphql/subscription-resolvers.ts'
import type { Right } from '../../auth/scopes.ts'
import type { Actor } from '../../platform/access/grants/actor.ts'
import { toApply } from '../../platform/imports/applies.ts'
import type { ChangeFeeds } from '../../platform/changes/change-feeds.ts'
import type { Topic } from '../../platform/changes/change-signals.ts'
import type { EndableStream } from '../../platform/changes/delivery-stream.ts'
import type { Delivery } from '../../platform/changes/feed.ts'
import { openStream } from '../../platform/changes/open-stream.ts'
import { markOf, readFlushPosition, readSnapshotPosition, writePosition } from '../../platform/changes/position-text.ts'
import { flushOf, partsOf, type StoredPoint } from '../../platform/changes/shown-flushes.ts'
import { rowParts } from '../../platform/changes/row-source.ts'
import type { SeenFlushes } from '../../platform/changes/seen-flushes.ts'
import type { Snapshot } from '../../platform/changes/snapshot.ts'
import { checkedFilter } from '../../platform/changes/subscription-filter.ts'
import type { StoredFlush } from '../../platform/changes/flush-reader.ts'
import { shownCell } from '../../platform/datapoints/reading/shown-cell.ts'
import type { DomainContext } from '../../platform/domain-context.ts'
import { toSetpoint } from '../../platform/setpoints/setpoint.ts'
import type { ApplyRow } from '../../store/model/applies.ts'
import type { SeriesFilter } from '../../store/datapoints/readable-series.ts'
import type { StoredEvent } from '../../store/systems/events.ts'
import type { StoredSetpoint } from '../../store/setpoints/setpoints.ts'
import type { Limits } from '../requests/limits.ts'
import { toView as toEventView } from './event-resolvers.ts'
import type { Followed } from './open-streams.ts'
import { toView as toApplyView } from './resolvers.ts'
import { toSetpointView } from './setpoint-resolvers.ts'
import { eventFilter, isEventMeant, isSetpointMeant, seriesFilter } from './subscription-filters.ts'

/** What a stream is told at its end. */
export interface StreamEnds {
  closed(): void
  ending(): void
}

type Make<View> = (ends: StreamEnds) => Promise<EndableStream<View>>

export interface Following {
  readonly context: DomainContext
  readonly actor: Actor
  readonly feeds: ChangeFeeds
  readonly limits: Pick<Limits, 'streamBacklog'>
  /** Opens a stream for the caller, and keeps an eye on it. */
  open<View>(followed: Followed, make: Make<View>): Promise<AsyncIterable<View>>
}

/** So many things of a stream go together. */
const PART = 1_000

/** What changes, as somebody follows it. */
export function subscriptionResolversFor(following: Following): SubscriptionResolvers {
  const { context, actor } = following
  return {
    async subscribeToDatapoints({ after, ...args }) {
      const filter = await checkedFilter(context, actor, seriesFilter(args))
      return followFlushes(following, filter, after ?? null)
    },
    async subscribeToSetpoints({ after, ...args }) {
      const filter = await checkedFilter(context, actor, seriesFilter(args))
      return followRows<StoredSetpoint, ReturnType<typeof toSetpointView>, 'setpoints'>(following, {
        topic: 'setpoints',
        right: 'data:read',
        keepsWithin: true,
        after: after ?? null,
        isMeant: (setpoint) => isSetpointMeant(setpoint, filter),
        show: (setpoint) => toSetpointView(toSetpoint(setpoint)),
      })
    },
    async subscribeToEvents({ after, ...args }) {
      const filter = await checkedFilter(context, actor, eventFilter(args))
      return followRows<StoredEvent, ReturnType<typeof toEventView>, 'events'>(following, {
        topic: 'events',
        right: 'data:read',
        keepsWithin: true,
        after: after ?? null,
        isMeant: (event) => isEventMeant(event, filter),
        show: toEventView,
      })
    },
    subscribeToApplies: ({ after }) =>
      followRows<ApplyRow, ReturnType<typeof toApplyView>, 'applies'>(following, {
        topic: 'applies',
        right: 'model:read',
        keepsWithin: false,
        after: after ?? null,
        isMeant: () => true,
        show: (row) => toApplyView(toApply(row)),
      }),
  }
}

async function followFlushes(following: Following, filter: SeriesFilter, after: string | null) {
  const { context, feeds, limits } = following
  const { domain } = context
  const mark = markOf(await feeds.identity(), domain.uuid)
  return following.open({ field: 'datapoints', right: 'data:read', keepsWithin: true }, (ends) =>
    openStream<SeenFlushes, StoredFlush, SeriesFilter, ReturnType<typeof newDatapoints>>(feeds, {
      domainId: domain.id,
      topic: 'datapoints',
      filter,
      after: after === null ? null : (now) => readFlushPosition(domain, mark, after, now),
      keep: (flush, seen) => (seen?.has(flush.generation) === true ? null : flushOf(flush, filter)),
      count: ({ count }) => count,
      *show(delivery) {
        for (const { points, position } of partsOf(delivery, PART))
          yield newDatapoints(writePosition('datapoints', mark, position), points)
      },
      most: limits.streamBacklog,
      ...ends,
    }),
  )
}

function newDatapoints(cursor: string, points: readonly StoredPoint[]) {
  return {
    cursor,
    datapoints: points.map(({ series, at, value }) => ({
      series,
      timestamp: timestampText(at),
      value: shownCell(value, series.rules),
    })),
  }
}

interface Rows<Row, View, Name extends Exclude<Topic, 'datapoints'>> {
  readonly topic: Name
  readonly right: Right
  readonly keepsWithin: boolean
  readonly after: string | null
  isMeant(row: Row): boolean
  show(row: Row): View
}

async function followRows<Row, View, Name extends Exclude<Topic, 'datapoints'>>(
  following: Following,
  { topic, right, keepsWithin, after, isMeant, show }: Rows<Row, View, Name>,
) {
  const { context, feeds, limits } = following
  const mark = markOf(await feeds.identity(), context.domain.uuid)
  type Shown = { readonly cursor: string } & { readonly [name in Name]: readonly View[] }
  return following.open({ field: topic, right, keepsWithin }, (ends) =>
    openStream<Snapshot, Row, null, Shown>(feeds, {
      domainId: context.domain.id,
      topic,
      filter: null,
      after: after === null ? null : () => readSnapshotPosition(topic, mark, after),
      keep: (row) => (isMeant(row) ? row : null),
      count: () => 1,
      *show(delivery: Delivery<Snapshot, Row>) {
        for (const { rows, position } of rowParts(delivery, PART))
          yield { cursor: writePosition(topic, mark, position), [topic]: rows.map(show) } as Shown
      },
      most: limits.streamBacklog,
      ...ends,
    }),
  )
}
