import { createYoga, isAsyncIterable } from 'graphql-yoga'
import type { ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { HttpError } from '../../requests/error-response.ts'
import { errorFields, type Logger } from '../../process/logger.ts'
import { answerError } from './answer-errors.ts'
import type { GraphqlContext } from '../call.ts'
import { YOGA_CACHE } from './parse-query.ts'
import type { GraphqlRequest } from './read-request.ts'
import { SCHEMA } from '../schema.ts'
import { answerEach } from '../subscriptions/answer-each.ts'
import { refusalOfLong } from '../subscriptions/message-size.ts'

export interface ServerContext extends GraphqlContext {
  /** Not `request`: yoga puts its own one there. */
  readonly asked: GraphqlRequest
  readonly traceId: string
  readonly accept: string | undefined
}

export type GraphqlHandler = (context: ServerContext) => Promise<Response>

/**
 * GraphQL over HTTP by graphql-yoga, which is given the parameters and nothing else of the request: method, media type,
 * sign-in and size are checked before.
 */
export function graphqlHandler(logger: Logger): GraphqlHandler {
  const yoga = createYoga<ServerContext>({
    schema: SCHEMA,
    parserAndValidationCache: YOGA_CACHE,
    plugins: [asRead, ownErrors(logger)],
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    // Errors become answers in `ownErrors`, where the trace-id is known.
    maskedErrors: false,
    maxRequestBodySize: false,
    logging: false,
    // Yoga's own stream has nobody to tell where a message cannot be written, and the process would end by it.
    fetchAPI: { Request, Response, Headers, ReadableStream },
  })
  return async (context) => {
    const headers = { 'content-type': 'application/json', accept: context.accept ?? 'application/json' }
    const response = await yoga.fetch(new Request('http://localhost/graphql', { method: 'POST', headers }), context)
    if (isEventStream(response.headers.get('content-type'))) return asStream(response)
    if (response.status !== 406) return response
    throw new HttpError(
      'BAD_USER_INPUT',
      406,
      'Not acceptable',
      'the answer is application/json or application/graphql-response+json, that of a subscription text/event-stream; accept it',
    )
  }
}

/** What is wrong with a request is thrown here, where it becomes an answer. */
const asRead: Plugin<ServerContext, ServerContext> = {
  onRequestParse({ serverContext, setRequestParser }) {
    setRequestParser(() => serverContext.asked.takeParams())
  },
  onParse({ context, setParseFn }) {
    setParseFn(() => {
      if (context.asked.query instanceof Error) throw context.asked.query
      return context.asked.query
    })
  },
}

function ownErrors(logger: Logger): Plugin<object, ServerContext> {
  return {
    onResultProcess({ result, setResult, resultProcessor, serverContext }) {
      const { traceId, accept } = serverContext
      const answer = (one: ExecutionResult, hasBegun: boolean) => answerResult(one, { logger, traceId, hasBegun })
      if (!isAsyncIterable(result)) {
        const [one, isStream] = [result as ExecutionResult, isEventStream(accept)]
        return setResult(answer((isStream ? refusalOfLong(one) : null) ?? one, isStream))
      }
      const results = result as AsyncIterableIterator<ExecutionResult>
      // Nobody would read it: the answer is that it is not acceptable.
      if (resultProcessor === undefined) void results.return?.()
      else setResult(answerEach(results, (one) => answer(one, true)) as typeof result)
    },
  }
}

interface Answering {
  readonly logger: Logger
  readonly traceId: string
  /** Whether the status has been sent, or says nothing. */
  readonly hasBegun: boolean
}

function answerResult(result: ExecutionResult, { logger, traceId, hasBegun }: Answering): ExecutionResult {
  const { errors, ...rest } = result
  if (errors === undefined || errors.length === 0) return result
  const answers = errors.map((error) => answerError(error, traceId, hasBegun || 'data' in rest))
  for (const { unexpected } of answers) {
    if (unexpected !== undefined) logger.error({ traceId, ...errorFields(unexpected) }, 'unexpected error')
  }
  return { ...rest, errors: answers.map(({ error }) => error) }
}

/** Tells whether a Content-Type is an event stream, or whether an Accept header allows nothing else. */
function isEventStream(types: string | null | undefined): boolean {
  return /^\s*text\/event-stream\s*(;[^,]*)?$/i.test(types ?? '')
}

/** A stream ends with its connection, and nobody on its way may keep it back, pack it or store it. */
function asStream(response: Response): Response {
  const { headers } = response
  headers.set('cache-control', 'no-cache, no-transform')
  headers.set('x-accel-buffering', 'no')
  headers.set('connection', 'close')
  // yoga sets it, and no coding has this name.
  headers.delete('content-encoding')
  return response
}
