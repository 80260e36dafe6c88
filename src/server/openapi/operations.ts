import { AGGREGATIONS } from '../../datapoints/buckets/aggregate.ts'
import { FILLS } from '../../datapoints/buckets/fill.ts'
import type { RestOperation } from '../../auth/rest-rights.ts'
import type { Json, JsonObject } from '../../lib/json.ts'
import { toSnake } from '../../lib/snake-case.ts'
import { FILE_NAMES } from '../routes/data-points-file.ts'
import { JSON_TYPE, MESSAGE_PACK_TYPES } from '../routes/batch-request.ts'
import {
  answer,
  BATCH_PROBLEMS,
  IMPORT_PROBLEMS,
  json,
  KEY_CONFLICT,
  OVERWRITTEN,
  partlyStored,
  PLAN_DIGEST,
  READ_PROBLEMS,
  SERVICE_CHANGE,
  STATE_CONFLICT,
} from './responses.ts'
import { ref, UUID_EXAMPLES } from './schemas.ts'

// What each operation takes and gives; its right and what any request may be answered by are added to it.

export interface OperationDescription {
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly parameters?: readonly JsonObject[]
  readonly requestBody?: JsonObject
  readonly responses: JsonObject
}

function parameter(place: 'query' | 'header', name: string, description: string, schema: Json): JsonObject {
  return { in: place, name, description, schema }
}

const query = (name: string, description: string, schema: Json): JsonObject =>
  parameter('query', name, description, schema)

const UUIDS: Json = { type: 'array', items: { type: 'string', format: 'uuid' } }
const INSTANT: Json = { type: 'string', format: 'date-time' }
const WHOLE: Json = { type: 'integer', minimum: 0, maximum: 999_999_999 }

const PREFER_LENIENT = parameter(
  'header',
  'Prefer',
  '`handling=lenient` stores what is good also where not all is (RFC 7240).',
  { type: 'string' },
)

const PREFER_HANDLING = parameter(
  'header',
  'Prefer',
  '`handling=lenient` stores what is good also where not all is; `handling=strict` refuses a batch that has two points of one series and time, of which otherwise the later one stays (RFC 7240).',
  { type: 'string' },
)

const BATCH_HEADERS: readonly JsonObject[] = [
  PREFER_LENIENT,
  parameter(
    'header',
    'Idempotency-Key',
    'Of a batch without timestamps: sent again with the same key within a day, it is stored once.',
    { type: 'string', pattern: '^[\\x20-\\x7e]{1,255}$' },
  ),
  parameter('header', 'Content-Encoding', 'Of the body.', { enum: ['gzip', 'deflate', 'br', 'zstd', 'identity'] }),
]

function batch(schema: string, examples: JsonObject): JsonObject {
  const types = [JSON_TYPE, ...MESSAGE_PACK_TYPES]
  return {
    required: true,
    content: Object.fromEntries(
      types.map((type) => [type, { schema: ref(schema), ...(type === JSON_TYPE && { examples }) }]),
    ),
  }
}

const POINT = { ...UUID_EXAMPLES, value: 21.5 }

const READ_PARAMETERS: readonly JsonObject[] = [
  ...['system_uuid', 'component_uuid', 'service_uuid', 'characteristic_uuid'].map((name) =>
    query(name, 'Only of these; of JSON one component, service and characteristic.', UUIDS),
  ),
  query(
    'data_type',
    'Values of this type, also where the characteristic had it once. Left out: of JSON and of buckets the type that it has now, of a file of points all.',
    { type: 'string' },
  ),
  query('from', 'Part of the range. Left out: from the first point.', INSTANT),
  query('to', 'Not part of the range. Left out: now.', INSTANT),
  query('interval', 'Asks for figures of buckets of this duration (ISO 8601), such as PT15M, P1D, P1M.', {
    type: 'string',
    pattern: '^P',
  }),
  query('time_zone', 'IANA time zone in which days and longer begin. Left out: UTC.', { type: 'string' }),
  {
    ...query('aggregations', 'What each bucket holds.', { type: 'array', items: { enum: AGGREGATIONS.map(toSnake) } }),
    explode: false,
  },
  query('fill', 'What stands where a bucket has nothing. Left out: none.', { enum: FILLS }),
  query('max_points', 'Asks for at most so many points, to draw a curve with.', WHOLE),
  query('thinning', 'With max_points: which points are kept. Left out: shape.', { enum: ['shape', 'extremes'] }),
  query('first', 'How many points of a page at most. Left out: 1,000.', WHOLE),
  query('after', 'The `next` of the page before.', { type: 'string' }),
  query('order', 'Of a page. Left out: oldest_first.', { enum: ['oldest_first', 'newest_first'] }),
  query('guard_formulas', 'Of CSV: texts that a spreadsheet would run get an apostrophe in front.', {
    type: 'boolean',
  }),
  parameter('header', 'X-Service-Change', 'As a batch was answered: what it stored is there, or this is 412.', {
    type: 'string',
  }),
]

const FILE_SCHEMAS: JsonObject = Object.fromEntries(
  Object.keys(FILE_NAMES).map((type) => [type, { schema: type.endsWith('parquet') ? {} : { type: 'string' } }]),
)

export const OPERATIONS: { readonly [operation in RestOperation]: OperationDescription } = {
  'POST /rest/v1/import': {
    operationId: 'importDocument',
    tag: 'Data model',
    summary: 'Plan an import document, or apply it',
    description:
      'Answers what an apply of the document would do, and does nothing. With `apply` and the digest of that plan it is done, all of it or nothing, if it is still the same plan; this needs the right `model:apply`. A record type that the document does not have is left alone.',
    parameters: [
      query('apply', 'The digest of the plan that was looked at. Left out: nothing is changed.', {
        type: 'string',
        pattern: '^sha256:[0-9a-f]{64}$',
      }),
      query('allow', 'A guard that is meant, as `CODE:type/key` or `CODE:type`.', {
        type: 'array',
        items: { type: 'string' },
      }),
      parameter(
        'header',
        'Idempotency-Key',
        'Of an apply, a UUID: sent again with the same one it is answered with the first result.',
        { type: 'string', format: 'uuid' },
      ),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: ref('ImportDocument'),
          examples: {
            one: { summary: 'One data source', value: { dataSources: [{ code: 'weather', name: 'Weather' }] } },
          },
        },
        'application/yaml': { schema: { type: 'string' } },
      },
    },
    responses: {
      200: answer(
        'The plan, in the form that is accepted; or what was done.',
        {
          ...json({ anyOf: [ref('Plan'), ref('Apply')] }),
          'text/plain': { schema: { type: 'string' } },
          'text/markdown': { schema: { type: 'string' } },
        },
        PLAN_DIGEST,
      ),
      ...IMPORT_PROBLEMS,
    },
  },
  'POST /rest/v1/data-points/add': {
    operationId: 'addDatapoints',
    tag: 'Datapoints',
    summary: 'Store a batch of datapoints',
    description:
      'Answered when all of it is durable. One wrong element, and nothing is stored. A datapoint is named by its four uuids and its timestamp: sent again it overwrites itself, so every batch may be sent again.',
    parameters: [PREFER_HANDLING, ...BATCH_HEADERS.slice(1)],
    requestBody: batch('Datapoints', {
      one: { summary: 'Measured now', value: [POINT] },
      several: {
        summary: 'Measured before',
        value: [
          { ...POINT, timestamp: '2026-01-31T06:30:00.250Z' },
          { ...POINT, value: 21.75, timestamp: 1_769_841_060_000 },
        ],
      },
    }),
    responses: {
      201: answer('All of it is stored.', null, { ...SERVICE_CHANGE, ...OVERWRITTEN }),
      ...partlyStored({ ...SERVICE_CHANGE, ...OVERWRITTEN }),
      ...BATCH_PROBLEMS,
      ...KEY_CONFLICT,
    },
  },
  'GET /rest/v1/data-points': {
    operationId: 'readDatapoints',
    tag: 'Datapoints',
    summary: 'Read datapoints',
    description:
      'JSON of one series: a page, a curve or buckets. CSV, NDJSON and Apache Parquet of any number of series: all points of a range, or buckets. What is too much is refused, never cut off.',
    parameters: READ_PARAMETERS,
    responses: {
      200: answer(
        'What was asked for.',
        { ...json(ref('Reading')), ...FILE_SCHEMAS },
        {
          'Content-Disposition': { description: 'Of a file: its name.', schema: { type: 'string' } },
        },
      ),
      ...READ_PROBLEMS,
      413: { $ref: '#/components/responses/TooLarge' },
    },
  },
  'POST /rest/v1/set-points/add': {
    operationId: 'addSetpoints',
    tag: 'Setpoints',
    summary: 'Set what devices shall do',
    description:
      'Of characteristics whose characteristicType is SETTING. A newer setpoint of the same series takes the place of one that is not finished.',
    parameters: BATCH_HEADERS,
    requestBody: batch('Setpoints', { one: { summary: 'A new target', value: [POINT] } }),
    responses: {
      201: answer('All of it is stored.', null, SERVICE_CHANGE),
      ...partlyStored(),
      ...BATCH_PROBLEMS,
      ...KEY_CONFLICT,
    },
  },
  'GET /rest/v1/set-points/pending': {
    operationId: 'takeSetpoints',
    tag: 'Setpoints',
    summary: 'What a device shall do',
    description:
      'What is given is SENT from then on, and given again until it is answered. With `wait`, answered as soon as there is something.',
    parameters: [
      query('component_uuid', 'Of these. A device may leave it out: all of its system.', UUIDS),
      query('wait', 'Seconds to wait for something.', { type: 'integer', minimum: 0, maximum: 60 }),
      parameter('header', 'Prefer', '`wait=30` is the same as a preference (RFC 7240).', { type: 'string' }),
    ],
    responses: {
      200: answer('In the order in which they were set; none when the time is over.', {
        ...json(ref('PendingSetpoints')),
        ...Object.fromEntries(MESSAGE_PACK_TYPES.map((type) => [type, { schema: ref('PendingSetpoints') }])),
      }),
      404: READ_PROBLEMS['404'] as Json,
      406: READ_PROBLEMS['406'] as Json,
    },
  },
  'POST /rest/v1/set-points/acknowledge': {
    operationId: 'answerSetpoints',
    tag: 'Setpoints',
    summary: 'What a device says to setpoints',
    description: 'Said again it is taken again and changes nothing. Reporting the value as a datapoint applies it too.',
    parameters: [PREFER_LENIENT, ...BATCH_HEADERS.slice(2)],
    requestBody: batch('Answers', {
      one: {
        summary: 'Done',
        value: [{ uuid: '0c8f5a9e-6a1b-4a51-8c3e-1b7f2d90a005', state: 'APPLIED' }],
      },
    }),
    responses: {
      204: answer('All of it is taken.', null, SERVICE_CHANGE),
      ...partlyStored(),
      ...BATCH_PROBLEMS,
      ...STATE_CONFLICT,
    },
  },
  'GET /rest/v1/import-document.schema.json': {
    operationId: 'readImportDocumentSchema',
    tag: 'Descriptions',
    summary: 'The JSON Schema of the import document',
    description: 'Draft 2020-12, as editors want it.',
    responses: {
      200: answer('The schema.', { 'application/schema+json': { schema: ref('ImportDocumentSchema') } }),
    },
  },
  'GET /rest/v1/openapi.json': {
    operationId: 'readOpenApi',
    tag: 'Descriptions',
    summary: 'This description',
    description: 'OpenAPI 3.1.',
    responses: { 200: answer('The description.', json(ref('OpenApi'))) },
  },
}
