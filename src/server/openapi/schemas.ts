import planSchema from '../../../schemas/plan.schema.json' with { type: 'json' }
import { AGGREGATIONS } from '../../datapoints/buckets/aggregate.ts'
import { ANSWERS } from '../../datapoints/setpoint-state.ts'
import { ERROR_CODES } from '../../lib/errors.ts'
import type { Json, JsonObject } from '../../lib/json.ts'
import { present } from '../../lib/present.ts'
import { toSnake } from '../../lib/letter-case.ts'
import { DATA_TYPE_DECLARATIONS } from '../../records/data-types/data-type.ts'
import { SETPOINT } from '../../records/entities.ts'
import { problemType } from '../requests/error-kinds.ts'
import type { Limits } from '../requests/limits.ts'
import { restProperties } from '../rest-entity.ts'

// The JSON Schemas (draft 2020-12) of requests and answers of the REST API.

export const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

export const UUID_EXAMPLES = {
  characteristic_uuid: '0c8f5a9e-6a1b-4a51-8c3e-1b7f2d90a001',
  component_uuid: '0c8f5a9e-6a1b-4a51-8c3e-1b7f2d90a002',
  service_uuid: '0c8f5a9e-6a1b-4a51-8c3e-1b7f2d90a003',
  system_uuid: '0c8f5a9e-6a1b-4a51-8c3e-1b7f2d90a004',
} as const

const VALUES = [
  'By the `dataType` of the characteristic:',
  '',
  '| dataType | value |',
  '|---|---|',
  ...Object.values(DATA_TYPE_DECLARATIONS).map(({ name, value }) => `| ${name} | ${value} |`),
  '',
  'Nothing is converted; boundaries, step and options are enforced; `precision` is for showing values; null is refused.',
].join('\n')

const uuid = (description: string): JsonObject => ({ type: 'string', format: 'uuid', description })

const UUID_PROPERTIES: JsonObject = {
  characteristic_uuid: uuid('The characteristic.'),
  component_uuid: uuid('The component.'),
  service_uuid: uuid('The service of the component that has the characteristic.'),
  system_uuid: uuid('The system that the component is part of.'),
}

const instant = (description: string): JsonObject => ({ type: 'string', format: 'date-time', description })

function object(description: string, properties: JsonObject, optional: readonly string[] = []): JsonObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', description, properties, required, additionalProperties: false }
}

function listOf(item: Json, description: string, more: JsonObject = {}): JsonObject {
  return { type: 'array', description, items: item, ...more }
}

const PROBLEM: JsonObject = {
  type: {
    type: 'string',
    format: 'uri-reference',
    enum: ERROR_CODES.map(problemType),
    description: 'Explains the `code` to people: a page of this platform, which needs no token.',
  },
  title: { type: 'string', description: 'The kind of problem, in words.' },
  status: { type: 'integer', description: 'The status of the answer.' },
  detail: { type: 'string', description: 'What is wrong, and what to do.' },
  code: { enum: ERROR_CODES, description: 'The kind of problem, for programs.' },
  traceId: { type: 'string', pattern: '^[0-9a-f]{32}$', description: 'Id of the request, as in X-Trace-ID.' },
  retryable: { type: 'boolean', description: 'True if the same request may succeed later; left out otherwise.' },
}

const BATCH_ERRORS: JsonObject = {
  errorCount: { type: 'integer', minimum: 1, description: 'How many elements are wrong.' },
  errors: listOf(ref('BatchError'), 'The first hundred of them.', { maxItems: 100 }),
}

const BATCH_ERROR = object(
  'What is wrong with one element.',
  {
    pointer: { type: 'string', description: 'JSON Pointer to the element or its field, such as `/17/value`.' },
    code: {
      type: 'string',
      description: 'Stays the same, such as `wrong-type`, `out-of-bounds`, `unknown-component`.',
    },
    detail: { type: 'string', description: 'What is wrong, and what to do.' },
    retryable: {
      type: 'boolean',
      description: 'Whether the same element may be accepted later, unchanged.',
    },
    sameAs: { type: 'string', description: 'For `repeated-timestamp`: JSON Pointer to the other element.' },
  },
  ['sameAs'],
)

const SERIES: JsonObject = {
  ...UUID_PROPERTIES,
  data_type: { type: 'string', description: 'What these values are.' },
  other_data_types: listOf(
    { type: 'string' },
    'Earlier types of the characteristic that have values; ask for them with `data_type`. Left out if there are none.',
  ),
  symbol: { type: ['string', 'null'], description: 'The symbol of the unit.' },
}

const POINT = object('A value and its time.', { timestamp: instant('To the microsecond.'), value: ref('Value') })

const FIGURE: JsonObject = { description: 'null if there is none; a text if a double cannot represent it exactly.' }

const BUCKET = object(
  'Figures of the points in a period.',
  {
    from: instant('Its beginning, inclusive.'),
    to: instant('Its end, exclusive.'),
    count: { type: 'integer', description: 'How many points there are.' },
    ...Object.fromEntries(AGGREGATIONS.filter((name) => name !== 'count').map((name) => [toSnake(name), FIGURE])),
  },
  AGGREGATIONS.map(toSnake).filter((name) => name !== 'count'),
)

const STATE = object('A period in which a value did not change.', {
  from: instant('Since when.'),
  to: instant('Until when.'),
  value: ref('Value'),
  count: { type: 'integer', description: 'Number of points with this value; 0 if it was reported before the range.' },
})

const OTHERS = ['other_data_types']

const READING: JsonObject = {
  anyOf: [
    object(
      'A page of points.',
      {
        ...SERIES,
        points: listOf(POINT, 'In the requested order.'),
        next: { type: ['string', 'null'], description: 'What to give as `after`; null on the last page.' },
      },
      OTHERS,
    ),
    object('A curve, with `max_points`.', { ...SERIES, points: listOf(POINT, 'Oldest first.') }, OTHERS),
    object('With `interval`.', { ...SERIES, buckets: listOf(BUCKET, 'Oldest first.') }, OTHERS),
    object(
      'With `max_points`, if the values are not numbers.',
      { ...SERIES, states: listOf(STATE, 'Oldest first.') },
      OTHERS,
    ),
  ],
}

const PENDING_SETPOINT = object('A value for a device to set.', restProperties(SETPOINT, ref('Value')))

const ANSWER = object(
  'The answer of a device to a setpoint.',
  {
    uuid: uuid('Of the setpoint.'),
    state: { enum: ANSWERS },
    reason: { type: ['string', 'null'], description: 'Why, for people.' },
  },
  ['reason'],
)

/** Returns the schema of an element in a batch: a datapoint, or a setpoint, which has the same members. */
function element(description: string, timestamp: string): JsonObject {
  return {
    ...object(
      description,
      {
        ...UUID_PROPERTIES,
        value: ref('Value'),
        timestamp: { anyOf: [instant('To the microsecond.'), { type: 'integer' }], description: timestamp },
      },
      ['timestamp'],
    ),
    examples: [{ ...UUID_EXAMPLES, value: 21.5, timestamp: '2026-01-31T06:30:00Z' }],
  }
}

const TIMESTAMP = 'RFC 3339 or milliseconds since 1970; in MessagePack also a timestamp.'

const PLACE = {
  pointer: { type: 'string', description: 'JSON Pointer into the document; empty for the document as a whole.' },
  line: { type: 'integer', minimum: 1, description: 'Position in the body, as it was sent.' },
  column: { type: 'integer', minimum: 1 },
}

const DOCUMENT_ERROR = object(
  'What is wrong at one place of an import document.',
  {
    ...PLACE,
    code: { type: 'string', description: 'Stays the same, such as `unknown-key`.' },
    detail: { type: 'string', description: 'What is wrong, and what to do.' },
    retryable: { const: false },
    related: listOf(
      object('A place in the document.', PLACE, ['line', 'column']),
      'Other places that the error concerns, such as the first of two records with the same key.',
    ),
  },
  ['line', 'column', 'related'],
)

/** The members of a plan. Their full schema is `schemas/plan.schema.json`. */
const PLAN: JsonObject = {
  type: 'object',
  description: 'A plan, as `holdfast plan --format json` prints it.',
  properties: Object.fromEntries(
    Object.entries(planSchema.properties).map(([name, { description }]) => [name, { description }]),
  ),
  required: planSchema.required,
}

const APPLY: JsonObject = {
  ...object('The apply.', {
    uuid: uuid('Names it in the history.'),
    recorded: { type: 'boolean', description: 'False if there was nothing to do; then the history has no entry.' },
    at: instant('When it was made.'),
    actor: { type: 'string', description: 'Who sent it.' },
    planDigest: { type: 'string', description: 'The digest of its plan.' },
    summary: { type: 'object', description: 'How many records it created, changed and deleted.' },
  }),
  additionalProperties: true,
}

export function schemasOf({ batchPoints: maxItems }: Pick<Limits, 'batchPoints'>): JsonObject {
  return {
    Value: { type: ['boolean', 'number', 'string', 'array', 'object'], items: {}, description: VALUES },
    Datapoint: element(
      'What was measured, or is set.',
      `${TIMESTAMP} Left out: the time of arrival, which points of different series share, and those of one series have in their order.`,
    ),
    Datapoints: listOf(ref('Datapoint'), 'A batch.', { maxItems }),
    Setpoint: element('The value to set.', `${TIMESTAMP} Left out: the time of arrival.`),
    Setpoints: listOf(ref('Setpoint'), 'A batch.', { maxItems }),
    PendingSetpoints: listOf(PENDING_SETPOINT, 'Oldest first.'),
    Answers: listOf(ANSWER, 'A batch.', { maxItems }),
    Reading: READING,
    BatchError: BATCH_ERROR,
    Problem: object('RFC 9457.', { ...PROBLEM, errors: { type: 'array', items: {} } }, ['errors', 'retryable']),
    BatchProblem: object('RFC 9457, for a batch.', { ...PROBLEM, ...BATCH_ERRORS }, ['retryable']),
    DocumentError: DOCUMENT_ERROR,
    DocumentProblem: object(
      'RFC 9457, for an import document.',
      {
        ...PROBLEM,
        errorCount: { type: 'integer', minimum: 1, description: 'How many errors there are.' },
        errors: listOf(ref('DocumentError'), 'The first hundred of them.', { maxItems: 100 }),
      },
      ['retryable'],
    ),
    PartlyStored: object('The result of a batch with `Prefer: handling=lenient`.', {
      stored: { type: 'integer', minimum: 0, description: 'How many elements are stored.' },
      ...BATCH_ERRORS,
      traceId: present(PROBLEM['traceId']),
    }),
    ImportDocument: {
      type: 'object',
      description:
        'As /rest/v1/import-document.schema.json describes it. References such as ${env:NAME} are not resolved here.',
    },
    Plan: PLAN,
    Apply: APPLY,
    JsonSchema: { type: 'object', description: 'A JSON Schema (draft 2020-12).' },
    OpenApi: { type: 'object', description: 'This description.' },
  }
}
