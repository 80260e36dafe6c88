import * as fc from 'fast-check'
import type { Json } from '../../src/lib/json.ts'
import {
  body,
  code,
  decimal,
  few,
  instant,
  metadata,
  nullableText,
  status,
  text,
  wholeNumber,
} from './random-values.ts'
import type { Body } from './random-values.ts'

type Fields = { readonly [key: string]: fc.Arbitrary<Json> }

const date = instant.map((value) => value.slice(0, 10))
const time = instant.map((value) => value.slice(11, 19))

const options = fc.uniqueArray(
  body({ key: text, label: text }, { meta: few(body({ key: text, value: text }, {}), 2) }),
  { selector: ({ key }) => key, minLength: 1, maxLength: 4 },
)

const SCHEMAS: readonly Json[] = [
  { type: 'object', required: ['open'], properties: { open: { type: 'boolean' } } },
  { type: 'array', items: { type: 'number' }, maxItems: 3 },
  // The first one in another spelling.
  '{"properties": {"open": {"type": "boolean"}}, "required": ["open"], "type": "object"}',
  null,
]

/** The optional fields that each data type honours. */
const FIELDS: { readonly [dataType: string]: Fields } = {
  BLOB: {},
  BOOLEAN: {},
  DATE: boundaries(date),
  FLOAT: {
    ...boundaries(decimal),
    boundaryStep: fc.option(fc.constantFrom(0.1, 0.25, 0.5, 1)),
    precision: fc.option(fc.integer({ min: 0, max: 6 })),
  },
  INTEGER: { ...boundaries(wholeNumber), boundaryStep: fc.option(fc.integer({ min: 1, max: 10 })) },
  JSON: { schema: fc.constantFrom(...SCHEMAS) },
  SELECT: { multiple: fc.boolean() },
  STRING: {},
  TIME: boundaries(time),
  TIMESPAN: {},
  TIMESTAMP: boundaries(instant),
}

function boundaries(value: fc.Arbitrary<Json>): Fields {
  return { boundaryMin: fc.option(value), boundaryMax: fc.option(value) }
}

export const characteristic: fc.Arbitrary<Body> = fc
  .oneof(...Object.entries(FIELDS).map(([dataType, fields]) => characteristicOf(dataType, fields)))
  .map(orderBoundaries)

function characteristicOf(dataType: string, fields: Fields): fc.Arbitrary<Body> {
  return body(
    {
      code,
      name: text,
      characteristicType: fc.constantFrom('MEASUREMENT', 'SETTING'),
      dataType: fc.constant(dataType),
      ...(dataType === 'SELECT' && { options }),
    },
    { description: nullableText, status, symbol: nullableText, metadataKeyValueStore: metadata, ...fields },
  )
}

/** Sorts the boundaries. Both have the same type, and ISO 8601 sorts as text. */
function orderBoundaries(made: Body): Body {
  const { boundaryMin: min, boundaryMax: max } = made
  const swapped =
    typeof min === typeof max && min !== null && max !== null && min !== undefined && max !== undefined && min > max
  return swapped ? { ...made, boundaryMin: max, boundaryMax: min } : made
}
