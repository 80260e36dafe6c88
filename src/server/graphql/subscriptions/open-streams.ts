import type { ServerResponse } from 'node:http'
import { requireRight } from '../../../auth/require-right.ts'
import type { Right } from '../../../auth/scopes.ts'
import type { Database } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { accountOf, acting, hasSameReach, type Actor } from '../../../platform/access/grants/actor.ts'
import type { GrantKeeper } from '../../../platform/access/grants/grant-keeper.ts'
import { identifyAgain } from '../../../platform/access/sessions/identify-bearer.ts'
import type { EndableStream } from '../../../platform/changes/delivery-stream.ts'
import type { PartSize } from '../../../platform/changes/feed.ts'
import type { Limits } from '../../requests/limits.ts'

/** The actor and token of an open stream. */
export interface StreamOwner {
  readonly actor: Actor
  readonly domainId: number
  readonly tokenHash: Uint8Array
}

/** The connection that answers a stream. */
export interface Connection {
  /** Fires when the client has disconnected. */
  readonly left: AbortSignal
  /** Closes the connection if the client has not read all of the answer. */
  disconnect(): void
}

/** Called when a stream ends. */
export interface StreamEnds {
  closed(): void
  ending(): void
}

export type MakeStream<View> = (ends: StreamEnds) => Promise<EndableStream<View>>

/** The field of the schema to which the client subscribes. */
export interface Followed {
  readonly field: string
  readonly right: Right
  /** Whether a role within an organization is enough. */
  readonly keepsWithin: boolean
  /** The limit of one message; left out: the usual one. */
  readonly part?: PartSize
}

export interface OpenStreamsParts {
  readonly database: Database
  readonly grants: GrantKeeper
  readonly limits: Pick<Limits, 'streams' | 'streamsOfAccount'>
  now(): Date
}

interface Open extends StreamOwner, Followed {
  fail(error: unknown): void
}

interface Check {
  checkedAt: number
  isUnderWay: boolean
  /**
   * Whether a check was tried after the limit had passed. A process that was paused has not tried yet, so it keeps its
   * streams.
   */
  isTriedLate: boolean
}

/** The interval at which the tokens of all streams are checked. */
const CHECK_EVERY_MS = 1_000
/** If the tokens could not be checked for this long, all streams end. */
const UNCHECKED_MS = 10_000
/** A client that has not read the reason for the end of its stream after this time is disconnected. */
const LAST_WORD_MS = 30_000

/**
 * Returns a function that closes the connection before the answer is complete. Unread messages could block the reason
 * for the end.
 */
export function disconnecter(outgoing: ServerResponse | undefined): () => void {
  return () => void (outgoing?.writableFinished === false && outgoing.destroy())
}

/** All subscriptions of a process. It limits their number and ends those that lose their right. */
export class OpenStreams {
  readonly #parts: OpenStreamsParts
  readonly #open = new Set<Open>()
  #timer: NodeJS.Timeout | undefined
  /** The last checks of the tokens of each domain. On one machine, all domains are checked together, as domain 0. */
  readonly #checks = new Map<number, Check>()
  #isClosed = false

  constructor(parts: OpenStreamsParts) {
    this.#parts = parts
  }

  get count(): number {
    return this.#open.size
  }

  async add<View>(
    owner: StreamOwner,
    connection: Connection,
    followed: Followed,
    make: MakeStream<View>,
  ): Promise<EndableStream<View>> {
    this.#refuseTooMany(owner)
    let stream: EndableStream<View> | undefined
    let early: { readonly error: unknown } | undefined
    const fail = (error: unknown): void => {
      if (stream === undefined) early ??= { error }
      else stream.fail(error)
    }
    const open: Open = { ...owner, ...followed, fail }
    this.#open.add(open)
    this.#checkOf(this.#groupOf(open))
    this.#timer ??= setInterval(() => this.#checkAll(), CHECK_EVERY_MS)
    try {
      stream = await make({
        closed: () => this.#remove(open),
        ending: () => void setTimeout(() => connection.disconnect(), LAST_WORD_MS).unref(),
      })
    } catch (error) {
      this.#remove(open)
      throw error
    }
    if (early !== undefined) stream.fail(early.error)
    endWhenLeft(stream, connection.left)
    return stream
  }

  close(): void {
    this.#isClosed = true
    for (const open of this.#open) open.fail(stopping())
  }

  #refuseTooMany({ actor }: StreamOwner): void {
    if (this.#isClosed) throw stopping()
    const { streams, streamsOfAccount } = this.#parts.limits
    if (this.#open.size >= streams)
      throw new HoldfastError(
        'UNAVAILABLE',
        `this server has ${streams} subscriptions open, and no more are possible; try again later`,
      )
    const own = [...this.#open].filter((one) => accountOf(one.actor) === accountOf(actor))
    if (own.length < streamsOfAccount) return
    throw new HoldfastError(
      'LIMIT_EXCEEDED',
      `${actor.name} has ${streamsOfAccount} subscriptions open at this server, and no more are allowed; end one of them`,
    )
  }

  #remove(open: Open): void {
    this.#open.delete(open)
    if (this.#open.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#checks.clear()
  }

  /** On Citus, the node of a domain may be away, which must not end the streams of other domains. */
  #groupOf({ domainId }: Open): number {
    return this.#parts.database.isDistributed === true ? domainId : 0
  }

  #checkOf(group: number): Check {
    const check = this.#checks.get(group) ?? { checkedAt: performance.now(), isUnderWay: false, isTriedLate: false }
    this.#checks.set(group, check)
    return check
  }

  #checkAll(): void {
    const groups = Map.groupBy(this.#open, (open) => this.#groupOf(open))
    for (const group of this.#checks.keys()) if (!groups.has(group)) this.#checks.delete(group)
    for (const [group, streams] of groups) void this.#check(this.#checkOf(group), streams)
  }

  async #check(check: Check, streams: readonly Open[]): Promise<void> {
    const isLate = performance.now() - check.checkedAt > UNCHECKED_MS
    // This also ends streams if the database neither answers nor fails.
    if (isLate && check.isTriedLate) for (const open of streams) open.fail(uncheckable())
    check.isTriedLate = isLate
    if (check.isUnderWay) return
    check.isUnderWay = true
    try {
      await this.#endRevoked(streams)
      check.checkedAt = performance.now()
    } catch {
      // The timer tries again soon.
    } finally {
      check.isUnderWay = false
    }
  }

  async #endRevoked(streams: readonly Open[]): Promise<void> {
    // The operator of an embedded platform has no token that could be revoked.
    const known = streams.filter(({ actor }) => actor.account !== null)
    const byToken = Map.groupBy(
      known,
      ({ domainId, tokenHash }) => `${domainId} ${Buffer.from(tokenHash).toString('hex')}`,
    )
    const groups = [...byToken.values()]
    const keys = groups.flatMap(([first]) => first ?? [])
    if (keys.length === 0) return
    const actors = await identifyAgain(this.#parts, keys, this.#parts.now())
    for (const [index, group] of groups.entries())
      for (const open of group) {
        const error = whyNot(open, actors[index] ?? null)
        if (error !== null) open.fail(error)
      }
  }
}

/** Ends the stream of an answer that never began because the client had left. Nothing else would end it. */
function endWhenLeft(stream: EndableStream<unknown>, left: AbortSignal): void {
  const end = (): void => void stream.return?.()
  if (left.aborted) end()
  else left.addEventListener('abort', end, { once: true })
}

/** Returns the reason to end a subscription; null if it may continue. */
function whyNot({ actor, field, right, keepsWithin }: Open, now: Actor | null): unknown {
  if (now === null)
    return new HoldfastError(
      'UNAUTHENTICATED',
      'the bearer token is not valid any more; sign in, and subscribe again after the last cursor',
    )
  if (now.systemUuid !== actor.systemUuid)
    return new HoldfastError('FORBIDDEN', 'this account is now bound to another system; subscribe again')
  try {
    requireRight(field, right, now, keepsWithin)
    return hasSameReach(acting(now, right), actor) ? null : movedElsewhere()
  } catch (error) {
    return error
  }
}

/** Returns the error for a changed reach. The organizations of a subscription are fixed when it begins. */
function movedElsewhere(): HoldfastError {
  return new HoldfastError(
    'FORBIDDEN',
    'this account has a role within other organizations or units now; subscribe again',
  )
}

function stopping(): HoldfastError {
  return new HoldfastError('UNAVAILABLE', 'this server is stopping; subscribe again after the last cursor')
}

function uncheckable(): HoldfastError {
  return new HoldfastError(
    'UNAVAILABLE',
    'the server cannot check at the moment whether the bearer token is still valid; subscribe again after the last cursor',
  )
}
