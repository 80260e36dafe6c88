import type { ChangeFeeds } from './change-feeds.ts'
import type { Topic } from '../change-signals.ts'
import { DeliveryStream } from './delivery-stream.ts'
import type { Delivery, Feed } from './feed.ts'

interface Subscribing<Position, Item, Filter, View> {
  readonly domainId: number
  readonly topic: Topic
  /** Reads the position to continue from; null to begin now. `now` is the position of this process. */
  readonly after: ((now: Position) => Position) | null
  readonly filter: Filter
  /** Selects a subscriber's part of an item; null if none. `after` is the position that was read. */
  keep(item: Item, after: Position | null): Item | null
  count(item: Item): number
  /** The weight of an item that only this subscriber holds in memory. It counts for the account. */
  weigh(item: Item): number
  readonly account: string
  show(delivery: Delivery<Position, Item>): Iterator<View>
  /** The limit of what may wait, in the unit of `count`. */
  readonly most: number
  ending(): void
  closed(): void
}

type Listening<Position, Item, Filter, View> = Subscribing<Position, Item, Filter, View> & {
  readonly feed: Feed<Position, Item, Filter>
}

/**
 * A subscriber gets a message with only a newer cursor after this many unwanted changes, or this time without a
 * message. Otherwise its cursor would become too old to use (row-source.ts).
 */
const PASSED_OVER = { items: 1_000, ms: 60_000 }

/**
 * Streams the changes since a cursor and then new changes, each once. The first delivery comes at once, even if it is
 * empty, so that a subscriber that is disconnected early has a cursor to continue from.
 */
export async function openStream<Position, Item, Filter, View>(
  feeds: ChangeFeeds,
  subscribing: Subscribing<Position, Item, Filter, View>,
): Promise<DeliveryStream<Delivery<Position, Item>, View>> {
  const { domainId, topic, after } = subscribing
  return feeds.use(domainId, topic, async (any, isNew) => {
    const feed = any as unknown as Feed<Position, Item, Filter>
    const hold = feed.hold()
    try {
      // The cursor may come from another process that has seen more than this one. Without a cursor, what is stored
      // already is not new, even if the feed of other subscribers has not seen it.
      if (after !== null || !isNew) await feeds.refresh(feed)
      if (after === null) {
        const { stream, position } = listen({ ...subscribing, feed }, null)
        stream.begin({ items: [], before: position, after: position })
        return stream
      }
      const { account } = subscribing
      return await feeds.beginnings.read(domainId, account, (held) => goOn({ ...subscribing, feed }, after, held))
    } finally {
      hold.release()
    }
  })
}

async function goOn<Position, Item, Filter, View>(
  listening: Listening<Position, Item, Filter, View>,
  after: (now: Position) => Position,
  held: (weight: number) => () => void,
): Promise<DeliveryStream<Delivery<Position, Item>, View>> {
  const { feed, filter, keep, weigh } = listening
  const from = after(feed.position)
  const { stream, position } = listen(listening, from)
  try {
    const found = await feed.between(from, position, filter)
    const items = found.flatMap((item) => keep(item, null) ?? [])
    const release = held(items.reduce((sum, item) => sum + weigh(item), 0))
    stream.begin({ items, before: from, after: position }, release)
    return stream
  } catch (error) {
    await stream.return()
    throw error
  }
}

function listen<Position, Item, Filter, View>(
  { feed, keep, count, show, most, ending, closed }: Listening<Position, Item, Filter, View>,
  after: Position | null,
) {
  let [passedOver, toldAt] = [0, performance.now()]
  const listener = (delivery: Delivery<Position, Item>): void => {
    const items = delivery.items.flatMap((item) => keep(item, after) ?? [])
    passedOver += delivery.items.length
    const isQuiet = items.length === 0
    if (isQuiet && passedOver < PASSED_OVER.items && performance.now() - toldAt < PASSED_OVER.ms) return
    ;[passedOver, toldAt] = [0, performance.now()]
    stream.push({ ...delivery, items })
  }
  const stream = new DeliveryStream<Delivery<Position, Item>, View>({
    show,
    // A delivery with only a cursor takes some memory, too.
    count: ({ items }) => items.reduce((sum, item) => sum + count(item), 1),
    most,
    ending,
    closed: () => {
      feed.leave(listener)
      closed()
    },
  })
  return { stream, position: feed.join(listener, (error) => stream.fail(error)) }
}
