import * as fc from 'fast-check'
import type { Json, JsonObject } from '../../src/lib/json.ts'

// Texts, metadata and other values that are valid alone. valid-model.ts repairs what has to fit together.

export type Body = JsonObject

/**
 * Few codes, so that references find their record. They have special characters, because keys are joined with `/` and
 * escaped.
 */
export const CODES = ['heating', 'a/b', 'a~1b', 'Ünïcode', 'with space', '℃', '0', 'x'] as const

export const code = fc.constantFrom(...CODES)
/** Slugs that may be in a client_id. */
export const slug = fc.constantFrom('heating', 'tenant-portal', 'a_b', 'a~1b', 'A.b', '-', '0', 'x')
/**
 * Texts without white space around them, because a name is the key of an organization without alias, and such keys
 * are refused.
 */
export const text = fc.string({ maxLength: 8, unit: 'grapheme-ascii' }).map((value) => value.trim() || '-')
export const status = fc.constantFrom('ACTIVATED', 'DEACTIVATED', 'ARCHIVED')
export const nullableText = fc.option(text)
export const instant = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString())

/** An object with all required keys and any of the optional ones. */
export function body(required: Fields, optional: Fields): fc.Arbitrary<Body> {
  return fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required), noNullPrototype: true })
}

type Fields = { readonly [key: string]: fc.Arbitrary<Json> }

export function few<T>(item: fc.Arbitrary<T>, most = 5): fc.Arbitrary<T[]> {
  return fc.array(item, { maxLength: most })
}

export const wholeNumber = fc.integer({ min: -1_000_000, max: 1_000_000 })

/** JSON has no -0, so the models have none either. */
export const decimal = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value + 0)

const uuid = fc.uuid()

const metadataValue: fc.Arbitrary<Json> = fc.oneof(
  text,
  wholeNumber,
  decimal,
  fc.boolean(),
  fc.constant(null),
  text.map((string) => ({ string })),
  decimal.map((float) => ({ float })),
  wholeNumber.map((integer) => ({ integer })),
  fc.boolean().map((boolean) => ({ boolean })),
  instant.map((timestamp) => ({ timestamp })),
  uuid.map((value) => ({ uuid: value })),
)

export const METADATA_KEYS = ['maker', 'serial', 'k/1'] as const

export const metadata = few(body({ key: fc.constantFrom(...METADATA_KEYS), value: metadataValue }, {}), 3)
