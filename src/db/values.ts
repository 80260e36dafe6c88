// Converts values between SQL and JavaScript. Both drivers exchange text and use these tables, so that both return the
// same values.

/** The object ids of built-in types, which are fixed in PostgreSQL (pg_type.dat). */
export const OID = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  oid: 26,
  json: 114,
  float4: 700,
  float8: 701,
  textArray: 1009,
  varcharArray: 1015,
  date: 1082,
  timestamp: 1114,
  timestamptz: 1184,
  numeric: 1700,
  uuid: 2950,
  uuidArray: 2951,
  jsonb: 3802,
} as const

export type OidName = keyof typeof OID

export function nameOfOid(oid: number): string {
  return Object.entries(OID).find(([, known]) => known === oid)?.[0] ?? `the type ${oid}`
}

type Parser = (text: string) => unknown

const asText: Parser = (text) => text

/** Parsers by object id. Values of all other types stay the text of PostgreSQL. */
export const PARSERS: { readonly [oid: number]: Parser } = {
  [OID.bool]: (text) => text === 't',
  [OID.bytea]: parseBytes,
  [OID.int8]: parseInt8,
  [OID.int2]: Number,
  [OID.int4]: Number,
  [OID.oid]: Number,
  [OID.float4]: Number,
  [OID.float8]: Number,
  [OID.json]: (text) => JSON.parse(text) as unknown,
  [OID.jsonb]: (text) => JSON.parse(text) as unknown,
  [OID.timestamptz]: parseInstant,
  // Values of these types have no time zone. A Date would add a wrong one.
  [OID.date]: asText,
  [OID.timestamp]: asText,
  [OID.textArray]: parseTextArray,
  [OID.varcharArray]: parseTextArray,
  [OID.uuidArray]: parseTextArray,
}

export function parserOf(oid: number): Parser {
  return PARSERS[oid] ?? asText
}

/**
 * The sessions of both drivers begin with these settings, so that the text of a value does not depend on the server's
 * configuration. JIT is off, because it compiles code for each partition that a statement names. With it, a statement
 * of a third of a second took a minute.
 */
export const SESSION_SETTINGS = `SET jit = off; SET TIME ZONE 'UTC'; SET DateStyle = 'ISO, MDY'; SET IntervalStyle = 'iso_8601';
  SET bytea_output = 'hex'; SET extra_float_digits = 1; SET standard_conforming_strings = on`

function parseBytes(text: string): Uint8Array {
  const bytes = Buffer.from(text.slice(2), 'hex')
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`The int8 ${text} has no exact JavaScript number; select it as text`)
  }
  return value
}

/** Parses `2026-11-20 04:48:32.014+00`, the form of SESSION_SETTINGS. RFC 3339 has no form for years beyond 1–9999. */
function parseInstant(text: string): Date {
  const instant = new Date(/^\d{4}-.*\+00$/.test(text) ? `${text.slice(0, 10)}T${text.slice(11, -3)}Z` : Number.NaN)
  if (Number.isNaN(instant.getTime())) {
    throw new RangeError(`The timestamptz ${text} is outside of the years 1 to 9999; select it as text`)
  }
  return instant
}

/** Numbers and UUIDs need no quotes. Statements have thousands of them, and escaping took longer than all else. */
const BARE = /^[0-9a-f-]+$/

/** Encodes texts as `{12,"b c"}` (PostgreSQL manual 8.15.6). */
export function encodeTextArray(values: readonly string[]): string {
  return `{${values.map((value) => (BARE.test(value) ? value : inQuotes(value))).join(',')}}`
}

function inQuotes(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

// Matches one element of a one-dimensional array: quoted with backslash escapes, or bare.
const ELEMENT = /"((?:[^"\\]|\\.)*)"|([^,{}"]+)/gs

function parseTextArray(text: string): (string | null)[] {
  return Array.from(text.matchAll(ELEMENT), ([, quoted, bare]) => {
    if (quoted !== undefined) return quoted.replaceAll(/\\(.)/gs, '$1')
    return bare === undefined || bare === 'NULL' ? null : bare
  })
}
