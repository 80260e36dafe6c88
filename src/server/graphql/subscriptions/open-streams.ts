import type { ServerResponse } from 'node:http'
import { requireRight } from '../../../auth/require-right.ts'
import type { Right } from '../../../auth/scopes.ts'
import type { Database } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { acting, hasSameReach, type Actor } from '../../../platform/access/grants/actor.ts'
import type { GrantKeeper } from '../../../platform/access/grants/grant-keeper.ts'
import { identifyAgain } from '../../../platform/access/sessions/identify-bearer.ts'
import type { EndableStream } from '../../../platform/changes/delivery-stream.ts'
import type { Limits } from '../../requests/limits.ts'

/** On whose behalf a stream is open. */
export interface StreamOwner {
  readonly actor: Actor
  readonly domainId: number
  readonly tokenHash: Uint8Array
}

/** By which a stream is answered. */
export interface Connection {
  /** Fires when the client has left. */
  readonly left: AbortSignal
  /** Breaks the connection where the client has not taken all of the answer. */
  disconnect(): void
}

/** The function that a stream calls at its end. */
export interface StreamEnds {
  closed(): void
  ending(): void
}

export type MakeStream<View> = (ends: StreamEnds) => Promise<EndableStream<View>>

/** The subscribed part of the schema. */
export interface Followed {
  readonly field: string
  readonly right: Right
  /** Whether a role within an organization is enough for it. */
  readonly keepsWithin: boolean
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

/** Whether a token is still good is asked so often, for all streams at once. */
const CHECK_EVERY_MS = 1_000
/** For so long nobody may be unable to say so. */
const UNCHECKED_MS = 10_000
/** A client that has not even taken the reason why a stream has ended after so long is disconnected. */
const LAST_WORD_MS = 30_000

/** Breaks the connection of an answer that is not sent yet. The reason for its end may wait behind what nobody reads. */
export function disconnecter(outgoing: ServerResponse | undefined): () => void {
  return () => void (outgoing?.writableFinished === false && outgoing.destroy())
}

/** All subscriptions of a process: how many there are, and whether they still may be. */
export class OpenStreams {
  readonly #parts: OpenStreamsParts
  readonly #open = new Set<Open>()
  #timer: NodeJS.Timeout | undefined
  #isChecking = false
  #checkedAt = 0
  /** Whether a check was tried after the time without one was over. A process that was paused has not tried before. */
  #isTriedLate = false
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
    this.#timer ??= setInterval(() => void this.#check(), CHECK_EVERY_MS)
    if (this.#open.size === 1) this.#checkedAt = performance.now()
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

  #refuseTooMany({ actor, domainId }: StreamOwner): void {
    if (this.#isClosed) throw stopping()
    const { streams, streamsOfAccount } = this.#parts.limits
    if (this.#open.size >= streams)
      throw new HoldfastError(
        'UNAVAILABLE',
        `this server has ${streams} subscriptions open, and no more are possible; try again later`,
      )
    const own = [...this.#open].filter((one) => one.domainId === domainId && one.actor.name === actor.name)
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
  }

  async #check(): Promise<void> {
    const isLate = performance.now() - this.#checkedAt > UNCHECKED_MS
    // Also where the database neither answers nor fails.
    if (isLate && this.#isTriedLate) for (const open of this.#open) open.fail(uncheckable())
    this.#isTriedLate = isLate
    if (this.#isChecking) return
    this.#isChecking = true
    try {
      await this.#endRevoked()
      this.#checkedAt = performance.now()
    } catch {
      // Asked again in a moment.
    } finally {
      this.#isChecking = false
    }
  }

  async #endRevoked(): Promise<void> {
    // The operator of an embedded platform has no token that could be taken back.
    const known = [...this.#open].filter(({ actor }) => actor.account !== null)
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

/** Ends the stream of an answer that was never begun because its client had gone by then. Nothing else would. */
function endWhenLeft(stream: EndableStream<unknown>, left: AbortSignal): void {
  const end = (): void => void stream.return?.()
  if (left.aborted) end()
  else left.addEventListener('abort', end, { once: true })
}

/** Null if the subscription may go on. */
function whyNot({ actor, field, right, keepsWithin }: Open, now: Actor | null): unknown {
  if (now === null)
    return new HoldfastError(
      'UNAUTHENTICATED',
      'the bearer token is not valid any more; sign in, and subscribe again after the last cursor',
    )
  if (now.systemUuid !== actor.systemUuid)
    return new HoldfastError('FORBIDDEN', 'this account is bound to another system since; subscribe again')
  try {
    requireRight(field, right, now, keepsWithin)
    return hasSameReach(acting(now, right), actor) ? null : movedElsewhere()
  } catch (error) {
    return error
  }
}

/** Which organizations a subscriber hears of is settled when the subscription begins. */
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
    'it cannot be checked at the moment whether the bearer token is still valid; subscribe again after the last cursor',
  )
}
