import { Kind, type ExecutionResult, type GraphQLError } from 'graphql'
import { accepts, acceptedType } from '../../requests/accepted-type.ts'
import type { ErrorCode } from '../../../lib/errors.ts'
import { HttpError, RETRY_AFTER } from '../../requests/error-response.ts'
import type { HoldMessage } from '../../app-env.ts'
import { errorFields, type Logger } from '../../logger.ts'
import { answerError, failed } from './answer-errors.ts'
import { carryOut, isIterable } from './carry-out.ts'
import type { GraphqlContext } from '../call.ts'
import type { GraphqlRequest } from './read-request.ts'
import { messagesOf } from '../subscriptions/message-size.ts'
import { EVENT_STREAM_HEADERS, eventOf, eventStream, onlyEvent } from '../subscriptions/event-stream.ts'
import { writeResult } from './write-result.ts'

export interface ServerContext extends GraphqlContext {
  readonly asked: GraphqlRequest
  readonly traceId: string
  readonly accept: string | undefined
  /** Counts the messages of a subscription; left out by a thread that owns no sockets. */
  readonly holdMessage?: HoldMessage
}

export type GraphqlHandler = (context: ServerContext) => Promise<Response>

const JSON_TYPE = 'application/json'
const RESPONSE_TYPE = 'application/graphql-response+json'
const STREAM_TYPE = 'text/event-stream'

/** Handles GraphQL over HTTP. Method, media type, sign-in and size of the request are checked before. */
export function graphqlHandler(logger: Logger): GraphqlHandler {
  return async ({ asked, traceId, accept = JSON_TYPE, holdMessage = () => null, ...context }) => {
    const type = acceptedType(accept, [JSON_TYPE, RESPONSE_TYPE, STREAM_TYPE])
    const { result, isWrongQuery } = await carryOut(asked, context)
    const answerAs = (one: ExecutionResult, hasBegun: boolean) => answerResult(one, { logger, traceId, hasBegun })
    if (isIterable(result)) {
      if (accepts(accept, STREAM_TYPE))
        return streamOf(messagesOf(result, (one) => eventOf(answerAs(one, true).result), holdMessage))
      void result.return?.()
      throw needsStream()
    }
    const hasBegun = type === STREAM_TYPE
    const { body, status } = await written(answerAs(result, hasBegun), asked, (one) => answerAs(one, hasBegun))
    // Clients of this media type take any other status than 200 for a sign that this is no GraphQL server (GraphQL over
    // HTTP, 6.4.1).
    const shown = isWrongQuery && type === JSON_TYPE ? 200 : status
    const retry = shown === 503 ? RETRY_AFTER : {}
    const headers = { ...retry, 'content-type': `${type}; charset=utf-8`, 'content-length': String(body.length) }
    return hasBegun ? onlyEvent(body) : new Response(body, { status: shown, headers })
  }
}

/** Returns the text of an answer. If the answer cannot be written, it returns the text of that error. */
async function written(
  { result, status }: Answer,
  asked: GraphqlRequest,
  answerAs: (one: ExecutionResult) => Answer,
): Promise<{ readonly body: Uint8Array<ArrayBuffer>; readonly status: number }> {
  try {
    return { body: await writeResult(result, asked), status }
  } catch (error) {
    const refused = answerAs(failed(error))
    return { body: await writeResult(refused.result, asked), status: refused.status }
  }
}

function streamOf(events: Parameters<typeof eventStream>[0]): Response {
  return new Response(eventStream(events), { headers: EVENT_STREAM_HEADERS })
}

function needsStream(): HttpError {
  return new HttpError(
    'BAD_USER_INPUT',
    406,
    'Not acceptable',
    `a subscription is answered with ${STREAM_TYPE}; accept it`,
  )
}

interface Answering {
  readonly logger: Logger
  readonly traceId: string
  /** Whether the status was already sent, or has no meaning. */
  readonly hasBegun: boolean
}

interface Answer {
  readonly result: ExecutionResult
  readonly status: number
}

const FORBIDDEN: ErrorCode = 'FORBIDDEN'

/**
 * Returns the schema names of the fields that the sender may not use. Aliases are not used, because they could contain
 * anything.
 */
function forbiddenIn(answers: readonly { readonly error: GraphQLError }[]): ReadonlySet<string | null> {
  const refused = answers.filter(({ error }) => error.extensions['code'] === FORBIDDEN)
  return new Set(
    refused.map(({ error: { nodes } }) => {
      const field = nodes?.[0]
      return field?.kind === Kind.FIELD ? field.name.value : null
    }),
  )
}

/** Returns a result for the client. The status is the highest of its errors if there is no data. */
function answerResult(result: ExecutionResult, { logger, traceId, hasBegun }: Answering): Answer {
  const { errors, ...rest } = result
  if (errors === undefined || errors.length === 0) return { result, status: 200 }
  const answers = errors.map((error) => answerError(error, traceId))
  for (const { unexpected } of answers) {
    if (unexpected !== undefined) logger.error({ traceId, ...errorFields(unexpected) }, 'unexpected error')
  }
  for (const operation of forbiddenIn(answers)) logger.info({ traceId, code: FORBIDDEN, operation }, 'refused')
  const says = !hasBegun && !('data' in rest)
  return {
    result: { ...rest, errors: answers.map(({ error }) => error) },
    status: says ? Math.max(...answers.map(({ status }) => status)) : 200,
  }
}
