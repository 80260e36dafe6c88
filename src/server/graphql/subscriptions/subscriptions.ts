import { ChangeFeeds } from '../../../platform/changes/change-feeds.ts'
import type { Limits } from '../../requests/limits.ts'
import { FailureLog } from '../../failure-log.ts'
import type { Logger } from '../../logger.ts'
import type { Platform } from '../../platform.ts'
import { OpenStreams, type Connection, type Followed, type MakeStream, type StreamOwner } from './open-streams.ts'

/** Opens streams that one connection sends. */
export interface Streams {
  readonly feeds: ChangeFeeds
  /** The maximum number of points that may wait for a slow client (src/platform/changes/feed.ts). */
  readonly backlog: number
  open<View>(owner: StreamOwner, followed: Followed, make: MakeStream<View>): Promise<AsyncIterable<View>>
}

export interface SubscriptionsParts {
  readonly platform: Pick<Platform, 'database' | 'grants' | 'changes' | 'now'>
  readonly limits: Limits
  readonly logger: Logger
  /** Fires when the server begins to stop. */
  readonly draining: AbortSignal
}

/** The subscriptions of this process. Each domain is read once for all its subscribers. */
export class Subscriptions {
  readonly #feeds: ChangeFeeds
  readonly #streams: OpenStreams
  readonly #limits: Limits

  constructor({ platform, limits, logger, draining }: SubscriptionsParts) {
    const { database, grants, changes, now } = platform
    this.#limits = limits
    const log = new FailureLog('looking for changes failed', logger)
    this.#feeds = new ChangeFeeds({
      database,
      changes,
      now,
      failed: (error) => log.failed(error),
    })
    this.#streams = new OpenStreams({ database, grants, limits, now })
    const close = (): void => {
      this.#streams.close()
      this.#feeds.close()
    }
    if (draining.aborted) close()
    else draining.addEventListener('abort', close, { once: true })
  }

  /** The number of open subscriptions. */
  get count(): number {
    return this.#streams.count
  }

  streamsFor(connection: Connection): Streams {
    return {
      feeds: this.#feeds,
      backlog: this.#limits.streamBacklog,
      open: (owner, followed, make) => this.#streams.add(owner, connection, followed, make),
    }
  }
}
