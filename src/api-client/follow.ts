import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { createParser } from 'eventsource-parser'
import { print } from 'graphql'
import type { Operations } from '../../generated/client-operations.ts'
import { isObject, jsonOrNull, type Json } from '../lib/json.ts'
import { ApiError, lostAnswer } from './api-error.ts'
import type { Call, Connection } from './connection.ts'
import { DOCUMENTS } from './documents.ts'
import { pathOf } from './known-components.ts'

/** The platform sends at least a comment every 12 seconds. A connection that is silent for this long is lost. */
const SILENCE_MS = 40_000

export interface FollowOptions extends Call {
  /** The cursor after which to continue; left out: from now on. */
  readonly after?: string | undefined
}

/** A subscription whose messages have a cursor. */
interface Following<Message, Variables, Item> {
  readonly document: TypedDocumentNode<{ readonly [field: string]: Message }, Variables>
  readonly variables: Variables
  show(message: Message): Item
}

/**
 * Follows a subscription until the signal is aborted. After a break it continues after the last cursor. If a connection
 * breaks inside a block, the platform sends the whole block again.
 */
export async function* follow<Message extends { readonly cursor: string }, Variables extends object, Item>(
  connection: Connection,
  { document, variables, show }: Following<Message, Variables, Item>,
  { totalMs = Infinity, ...options }: FollowOptions,
): AsyncGenerator<Item, never> {
  const query = print(document)
  const signal = connection.signalOf(options)
  const attempts = connection.retrying.begin(signal, totalMs)
  let after = options.after ?? null
  for (;;) {
    let hasBegun = false
    try {
      const body = JSON.stringify({ query, variables: { ...variables, after } })
      for await (const result of resultsOf(connection, body, signal)) {
        const message = messageOf<Message>(connection, result, hasBegun)
        attempts.worked()
        hasBegun = true
        after = message.cursor
        yield show(message)
      }
      throw lostAnswer(connection.url, new Error('the stream ended'))
    } catch (error) {
      await attempts.failed(error)
    }
  }
}

/** A new datapoint. */
export interface FollowedPoint<P extends string = string, Value = Json> {
  readonly component: string
  readonly path: P
  readonly timestamp: string
  readonly value: Value
}

/** Points that were stored together, and the cursor after them. */
export interface Changes<Followed = FollowedPoint> {
  readonly cursor: string
  readonly points: readonly Followed[]
}

type Variables = Operations['FollowDatapoints']['variables']

/** The selected series must meet all given conditions. */
export type FollowPointsOptions = FollowOptions & Omit<Variables, 'after'>

export function followPoints(
  connection: Connection,
  { systems, components, services, characteristics, ...options }: FollowPointsOptions,
): AsyncGenerator<Changes, never> {
  const following = {
    document: DOCUMENTS.FollowDatapoints,
    variables: { systems, components, services, characteristics },
    show: ({ cursor, datapoints }: Operations['FollowDatapoints']['data']['datapoints']) => ({
      cursor,
      points: datapoints.map(({ componentUuid, timestamp, value, ...series }) => {
        return { component: componentUuid, path: pathOf(series), timestamp, value }
      }),
    }),
  }
  return follow(connection, following, options)
}

/** The codes of streams that can continue after the last cursor: the token expired, or the reader was too slow. */
const RESUMABLE: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'LIMIT_EXCEEDED'])

function messageOf<Message>(connection: Connection, result: unknown, hasBegun: boolean): Message {
  const { data, errors } = isObject(result) ? result : {}
  const [message] = errors === undefined && isObject(data) ? Object.values(data) : []
  if (isObject(message)) return message as Message
  const failure = connection.refusal(new Response(null), { errors })
  if (!hasBegun || !RESUMABLE.has(failure.code)) throw failure
  throw new ApiError(failure.code, failure.message, { ...failure, retryable: true })
}

/** Yields the results of one connection (GraphQL over SSE, distinct connections mode). */
async function* resultsOf(connection: Connection, body: string, signal: AbortSignal): AsyncGenerator {
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
  const leaving = new AbortController()
  const init = { method: 'POST', headers, body, signal: AbortSignal.any([signal, leaving.signal]) }
  try {
    const response = await inTime(connection, connection.open('graphql', init))
    if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true)
      throw connection.refusal(response, null)
    const results: unknown[] = []
    const parser = createParser({
      onEvent: ({ event, data }) => {
        if (event === 'next') results.push(jsonOrNull(data))
      },
    })
    const decoder = new TextDecoder()
    for await (const chunk of chunksOf(connection, response)) {
      parser.feed(decoder.decode(chunk, { stream: true }))
      yield* results.splice(0)
    }
  } finally {
    leaving.abort()
  }
}

async function* chunksOf(connection: Connection, { body }: Response): AsyncGenerator<Uint8Array> {
  if (body === null) return
  const reader = body.getReader()
  for (;;) {
    const reading = reader.read().catch((error: unknown) => Promise.reject(lostAnswer(connection.url, error)))
    const { value } = await inTime(connection, reading)
    if (value === undefined) return
    yield value
  }
}

/** Waits for work. If it takes longer than the platform is ever silent, the connection is lost. */
async function inTime<T>({ url }: Connection, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(lostAnswer(url, new Error('the stream is silent'))), SILENCE_MS)
  })
  try {
    return await Promise.race([work, silence])
  } finally {
    clearTimeout(timer)
  }
}
