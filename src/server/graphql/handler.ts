import { parse } from 'graphql'
import { createYoga } from 'graphql-yoga'
import type { ExecutionResult } from 'graphql'
import type { GraphQLParams, Plugin } from 'graphql-yoga'
import { QUERY_LIMITS, QueryLimitsRule } from '../../graphql/query-limits.ts'
import type { GraphqlContext } from '../../graphql/resolvers.ts'
import { SCHEMA } from '../../graphql/schema.ts'
import { HttpError } from '../error-response.ts'
import { errorFields, type Logger } from '../logger.ts'
import { answerError } from './answer-errors.ts'
import { readParams } from './request-params.ts'

export interface GraphqlCall extends GraphqlContext {
  readonly body: Uint8Array
  readonly traceId: string
  readonly accept: string | undefined
}

export type GraphqlHandler = (call: GraphqlCall) => Promise<Response>

/** A call as it goes through yoga, where it lives until the answer is sent. */
interface RunningCall extends Omit<GraphqlCall, 'body'> {
  /** Parses the body and forgets it: an import document has megabytes, which nobody needs twice. */
  takeParams(): GraphQLParams
}

/**
 * GraphQL over HTTP by graphql-yoga, which is given the body as it came from the socket and nothing else of the request:
 * method, media type, sign-in and size are checked before.
 */
export function graphqlHandler(logger: Logger): GraphqlHandler {
  const yoga = createYoga<RunningCall>({
    schema: SCHEMA,
    plugins: [ownBody, queryLimits, ownErrors(logger)],
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    // Errors become answers in `ownErrors`, where the trace-id is known.
    maskedErrors: false,
    maxRequestBodySize: false,
    logging: false,
    fetchAPI: { Request, Response, Headers },
  })
  const answer = async (call: RunningCall): Promise<Response> => {
    const headers = { 'content-type': 'application/json', ...(call.accept !== undefined && { accept: call.accept }) }
    const response = await yoga.fetch(new Request('http://localhost/graphql', { method: 'POST', headers }), call)
    if (response.status !== 406) return response
    throw new HttpError(
      'BAD_USER_INPUT',
      406,
      'Not acceptable',
      'the answer is application/json or application/graphql-response+json; accept one of them',
    )
  }
  return ({ body, ...call }) => answer({ ...call, takeParams: paramsOnce(body) })
}

function paramsOnce(body: Uint8Array): () => GraphQLParams {
  let unread = body
  return () => {
    const bytes = unread
    unread = new Uint8Array()
    return readParams(bytes)
  }
}

const ownBody: Plugin<object, RunningCall> = {
  onRequestParse({ serverContext, setRequestParser }) {
    setRequestParser(() => serverContext.takeParams())
  },
}

const queryLimits: Plugin<object, RunningCall> = {
  onParse({ setParseFn }) {
    setParseFn((source, options) => parse(source, { ...options, maxTokens: QUERY_LIMITS.tokens }))
  },
  onValidate({ addValidationRule }) {
    addValidationRule(QueryLimitsRule)
  },
}

function ownErrors(logger: Logger): Plugin<object, RunningCall> {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      const { errors, ...rest } = result as ExecutionResult
      if (errors === undefined || errors.length === 0) return
      const { traceId } = serverContext
      const answers = errors.map((error) => answerError(error, traceId, 'data' in rest))
      for (const { unexpected } of answers) {
        if (unexpected !== undefined) logger.error({ traceId, ...errorFields(unexpected) }, 'unexpected error')
      }
      setResult({ ...rest, errors: answers.map(({ error }) => error) })
    },
  }
}
