import * as fc from 'fast-check'
import type { Json } from '../../src/lib/json.ts'
import type { RecordBody } from '../../src/records/record-type.ts'
import { instant } from '../support/random-values.ts'

// Characteristics of every data type with the values that they accept, as JSON shows them.

export interface Sample {
  readonly characteristic: RecordBody
  readonly value: Json
}

const text = fc
  .string({ unit: 'binary' })
  .filter((value) => value.isWellFormed() && !value.includes('\0') && !value.startsWith('\ufeff'))
const float = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-0, 0, 1e308, -1e308, 5e-324, -2.225e-308, Number.MAX_VALUE, 0.1 + 0.2),
)
const integer = fc
  .oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.maxSafeInteger().map(BigInt),
    fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 2n ** 53n, -(2n ** 53n), 2n ** 53n - 1n, 0n),
  )
  .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : String(value)))
const blob = fc
  .oneof(fc.uint8Array(), fc.constantFrom(new Uint8Array(256 * 1024).fill(0xa5), new Uint8Array(16)))
  .map((bytes) => Buffer.from(bytes).toString('base64'))
/** JSON has one zero, and its numbers are exact up to 2^53. */
const json = fc
  .jsonValue({ maxDepth: 5 })
  .filter((value) => value !== null)
  .map((value) => JSON.parse(JSON.stringify(value), (_, member: unknown) => smaller(member)) as Json)

function smaller(member: unknown): unknown {
  return typeof member === 'number' && Math.abs(member) > Number.MAX_SAFE_INTEGER ? 1 / member : member
}
const fraction = fc.stringMatching(/^(\.\d{1,12})?$/)
const date = instant.map((value) => value.slice(0, 10))
const time = fc.tuple(instant, fraction).map(([value, digits]) => value.slice(11, 19) + digits)
const offset = fc.constantFrom('Z', 'z', '+00:00', '-00:00', '+05:45', '-12:00', '+23:59')
const timestamp = fc.tuple(instant, fraction, offset).map(([value, digits, zone]) => value.slice(0, 19) + digits + zone)
const timespan = fc.constantFrom('P1D', 'PT0S', 'P1Y2M3DT4H5M6.75S', 'P2W', 'PT36H', 'PT0,5H', 'P0.5Y')

const OPTIONS = ['on', 'off', '', 'Ünïcode ☀', '__proto__']
const options = OPTIONS.map((key) => ({ key, label: key }))

const VALUES: { readonly [dataType: string]: fc.Arbitrary<Json> } = {
  BLOB: blob,
  BOOLEAN: fc.boolean(),
  DATE: date,
  FLOAT: float,
  INTEGER: integer,
  JSON: json,
  SELECT: fc.constantFrom(...OPTIONS),
  STRING: text,
  TIME: time,
  TIMESPAN: timespan,
  TIMESTAMP: timestamp,
}

export const DATA_TYPES = Object.keys(VALUES)

export function sampleOf(dataType: string): fc.Arbitrary<Sample> {
  const one = (VALUES[dataType] ?? fc.constant(null)).map((value) => ({ characteristic: { dataType, options }, value }))
  if (dataType !== 'SELECT') return one
  const many = fc.subarray(OPTIONS).map((value) => ({ characteristic: { dataType, options, multiple: true }, value }))
  return fc.oneof<fc.Arbitrary<Sample>[]>(one, many)
}

export const sample: fc.Arbitrary<Sample> = fc.oneof(...DATA_TYPES.map(sampleOf))
