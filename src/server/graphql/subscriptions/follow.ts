import { accountOf } from '../../../platform/access/grants/actor.ts'
import { timestampText } from '../../../datapoints/wire/timestamp-text.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import type { Topic } from '../../../platform/change-signals.ts'
import type { PartSize } from '../../../platform/changes/feed.ts'
import type { StoredFlush } from '../../../platform/changes/flush-reader.ts'
import { openStream } from '../../../platform/changes/open-stream.ts'
import { markOf, readFlushPosition, readNumberPosition, writePosition } from '../../../platform/changes/cursor-text.ts'
import { rowParts, weightOfRow } from '../../../platform/changes/row-source.ts'
import type { SeenFlushes } from '../../../platform/changes/seen-flushes.ts'
import { flushOf, partsOf, weightAlone, weightOf, type StoredPoint } from '../../../platform/changes/shown-flushes.ts'
import { shownCell } from '../../../platform/datapoints/reading/shown-cell.ts'
import type { SeriesFilter } from '../../../store/datapoints/series/readable-series.ts'
import type { Call } from '../call.ts'
import type { SeriesPoint } from '../datapoints/types.ts'
import { PART } from './message-size.ts'
import type { Followed } from './open-streams.ts'

/**
 * A client that continues after the cursor misses nothing. If the connection drops inside a block, the stream sends the
 * whole block again (docs/decisions/0036).
 */
export interface Changes<Item> {
  readonly cursor: string
  readonly items: readonly Item[]
}

/** The actor who follows changes, and the connection that answers. */
type FollowingCall = Pick<Call, 'actor' | 'tokenHash' | 'streams'> & {
  readonly context: Pick<Call['context'], 'domain'>
}

interface Following {
  readonly call: FollowingCall
  /** The cursor after which to continue; left out: from now on. */
  readonly after?: string | null | undefined
  readonly followed: Followed
}

export async function followDatapoints(
  { call, after, followed }: Following,
  filter: SeriesFilter,
): Promise<AsyncIterable<Changes<SeriesPoint>>> {
  const { streams, account, owner, domain } = following(call)
  const mark = markOf(await streams.feeds.identity(), domain.uuid)
  return streams.open(owner, followed, (ends) =>
    openStream<SeenFlushes, StoredFlush, SeriesFilter, Changes<SeriesPoint>>(streams.feeds, {
      domainId: domain.id,
      topic: 'datapoints',
      filter,
      after: after == null ? null : (now) => readFlushPosition(domain, mark, after, now),
      keep: (flush, seen) => (seen?.has(flush.generation) === true ? null : flushOf(flush, filter)),
      count: weightOf,
      weigh: weightAlone,
      account,
      *show(delivery) {
        for (const { points, position } of partsOf(delivery, followed.part ?? PART))
          yield { cursor: writePosition('datapoints', mark, position), items: points.map(toPoint) }
      },
      most: streams.backlog,
      ...ends,
    }),
  )
}

function toPoint({ series, at, value }: StoredPoint): SeriesPoint {
  return { series, timestamp: timestampText(at), value: shownCell(value, series.rules) }
}

interface Rows<Row, Item> {
  readonly topic: Exclude<Topic, 'datapoints'>
  isMeant(row: Row): boolean
  show(row: Row): Item
  /** The size limit of a message; left out to use that of the subscription. */
  readonly part?: PartSize
}

export async function followRows<Row, Item>(
  { call, after, followed }: Following,
  { topic, isMeant, show, part = followed.part ?? PART }: Rows<Row, Item>,
): Promise<AsyncIterable<Changes<Item>>> {
  const { streams, account, owner, domain } = following(call)
  const mark = markOf(await streams.feeds.identity(), domain.uuid)
  return streams.open(owner, followed, (ends) =>
    openStream<number, Row, null, Changes<Item>>(streams.feeds, {
      domainId: domain.id,
      topic,
      filter: null,
      after: after == null ? null : () => readNumberPosition(topic, mark, after),
      keep: (row) => (isMeant(row) ? row : null),
      count: weightOfRow,
      weigh: weightOfRow,
      account,
      *show(delivery) {
        for (const { rows, position } of rowParts(delivery, part))
          yield { cursor: writePosition(topic, mark, position), items: rows.map(show) }
      },
      most: streams.backlog,
      ...ends,
    }),
  )
}

function following({ context: { domain }, actor, tokenHash, streams }: FollowingCall) {
  if (streams === null) throw tooLarge()
  return { streams, domain, account: accountOf(actor), owner: { actor, domainId: domain.id, tokenHash } }
}

/** Returns the error for a request that another thread answers because it is too large. No stream can open there. */
function tooLarge(): HoldfastError {
  return new HoldfastError('LIMIT_EXCEEDED', 'a subscription may have at most 1 MiB; this one is larger')
}
