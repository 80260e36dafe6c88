import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import { ref } from './schemas.ts'

// The answers of the REST API. Each has the headers of `EVERY`.

const header = (name: string): JsonObject => ({ $ref: `#/components/headers/${name}` })

const EVERY: JsonObject = {
  'X-Trace-ID': header('TraceId'),
  'Strict-Transport-Security': header('StrictTransportSecurity'),
}

const text = (description: string, more: JsonObject = {}): JsonObject => ({
  description,
  required: true,
  schema: { type: 'string', ...more },
})

export const HEADERS: JsonObject = {
  TraceId: text('Names the request in the log of the platform; continued from `traceparent` (W3C Trace Context).', {
    pattern: '^[0-9a-f]{32}$',
  }),
  StrictTransportSecurity: text('RFC 6797.', { const: 'max-age=31536000; includeSubDomains' }),
  ServiceChange: text(
    'Opaque. If you send it as a header of the same name with a read, the answer includes this batch or has the status 412.',
  ),
  OverwrittenPoints: {
    ...text('Number of points that a later point of the batch replaced, with the same series and time.', {
      pattern: '^[1-9][0-9]*$',
    }),
    required: false,
  },
  PlanDigest: {
    ...text('Digest of a plan, with which it is applied.', { pattern: '^sha256:[0-9a-f]{64}$' }),
    required: false,
  },
  WwwAuthenticate: text('The required authentication (RFC 6750).', { pattern: '^Bearer ' }),
  AcceptPost: { ...text('The accepted media types, if the media type of the body was wrong.'), required: false },
  AcceptEncoding: {
    ...text('The accepted content codings, if the content coding of the body was wrong.'),
    required: false,
  },
  EntityTag: text('Names this content. Send it in `If-None-Match` to get it again only after a change.'),
  RetryAfter: text('Seconds after which to try again.', { pattern: '^[0-9]+$' }),
}

export function answer(description: string, content: JsonObject | null, headers: JsonObject = {}): JsonObject {
  return { description, headers: { ...EVERY, ...headers }, ...(content !== null && { content }) }
}

export const json = (schema: Json, examples: JsonObject = {}): JsonObject => ({
  'application/json': { schema, ...(Object.keys(examples).length > 0 && { examples }) },
})

function problem(description: string, headers: JsonObject = {}, schema: Json = ref('Problem')): JsonObject {
  return answer(description, { 'application/problem+json': { schema } }, headers)
}

export const RESPONSES: JsonObject = {
  BadRequest: problem('The request cannot be read, or asks for something impossible.'),
  NotSignedIn: problem('There is no valid bearer token.', { 'WWW-Authenticate': header('WwwAuthenticate') }),
  NotAllowed: problem('The token does not allow it, or it is not for this device.'),
  NotFound: problem('Nothing with this name exists.'),
  NotAcceptable: problem('The answer cannot be given in a media type that the client accepts.'),
  Slow: problem('The body stalled or arrived too slowly while other requests needed the memory.', {
    'Retry-After': header('RetryAfter'),
  }),
  Conflict: problem('The Idempotency-Key was used for another batch.'),
  NotThere: problem('The batch of X-Service-Change is not stored here.'),
  TooLarge: problem('The request exceeds a limit, which the answer names.'),
  UnknownType: problem('The media type or the content coding is not supported.', {
    'Accept-Post': header('AcceptPost'),
    'Accept-Encoding': header('AcceptEncoding'),
  }),
  Misdirected: problem('No domain of the platform has this host name.'),
  Unprocessable: problem('Elements are wrong, and nothing was stored.', {}, ref('BatchProblem')),
  Internal: problem('The platform failed unexpectedly.'),
  Unavailable: problem('The platform is overloaded at the moment.', { 'Retry-After': header('RetryAfter') }),
}

const response = (name: string): JsonObject => ({ $ref: `#/components/responses/${name}` })

/** The answers that a request without a token can get. */
export const FOR_EVERYBODY: JsonObject = {
  400: response('BadRequest'),
  421: response('Misdirected'),
  500: response('Internal'),
  503: response('Unavailable'),
}

/** The answers that every request with a token can get. */
export const ALWAYS: JsonObject = {
  ...FOR_EVERYBODY,
  401: response('NotSignedIn'),
  403: response('NotAllowed'),
}

export const ENTITY_TAG: JsonObject = { ETag: header('EntityTag') }

export const NOT_MODIFIED = answer('The content with the ETag in `If-None-Match` has not changed.', null, ENTITY_TAG)

export const READ_PROBLEMS = {
  404: response('NotFound'),
  406: response('NotAcceptable'),
  412: response('NotThere'),
} satisfies JsonObject

/** The errors of a batch. If an element is not allowed, the status is 403, with the same list of errors. */
export const BATCH_PROBLEMS: JsonObject = {
  403: problem(
    'The token does not allow it, or elements are not for this device.',
    {},
    {
      anyOf: [ref('Problem'), ref('BatchProblem')],
    },
  ),
  408: response('Slow'),
  413: response('TooLarge'),
  415: response('UnknownType'),
  422: response('Unprocessable'),
}

export const IMPORT_PROBLEMS: JsonObject = {
  400: problem(
    'The document is neither JSON nor YAML, or a parameter is wrong.',
    {},
    {
      anyOf: [ref('Problem'), ref('DocumentProblem')],
    },
  ),
  406: response('NotAcceptable'),
  409: problem(
    'The apply is blocked: `errors` lists the guards and the dependent records. Or its Idempotency-Key was used for another document or plan.',
  ),
  412: problem('The plan of this document has changed; `errors` lists its changes.'),
  413: response('TooLarge'),
  415: response('UnknownType'),
  422: problem('The document has errors, and nothing was planned.', {}, ref('DocumentProblem')),
}

export const PLAN_DIGEST: JsonObject = { 'X-Plan-Digest': header('PlanDigest') }

export const KEY_CONFLICT: JsonObject = { 409: response('Conflict') }

export const STATE_CONFLICT: JsonObject = {
  409: problem('All answers are too late, because the setpoints already have a final state.', {}, ref('BatchProblem')),
}

export const SERVICE_CHANGE: JsonObject = { 'X-Service-Change': header('ServiceChange') }

/** The header is left out if no points were overwritten. */
export const OVERWRITTEN: JsonObject = { 'X-Overwritten-Points': header('OverwrittenPoints') }

export function partlyStored(headers: JsonObject = SERVICE_CHANGE): JsonObject {
  return { 207: answer('Some elements are wrong, and the others are stored.', json(ref('PartlyStored')), headers) }
}

const ANNOUNCED: JsonObject = {
  Deprecation: text('Since when the operation is deprecated (RFC 9745).', { pattern: '^@[0-9]+$' }),
  Sunset: text('When the operation may be gone (RFC 8594).'),
}

/**
 * Adds the headers to the own answers of a deprecated operation. Its other answers, which are shared, have them too.
 */
export function withDeprecation(responses: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(responses).map(([status, one]) => [status, isJsonObject(one) ? announced(one) : one]),
  )
}

function announced({ headers, ...response }: JsonObject): JsonObject {
  if (headers === undefined || !isJsonObject(headers)) return response
  return { ...response, headers: { ...headers, ...ANNOUNCED } }
}
