import type { Ajv2020 } from 'ajv/dist/2020.js'
import { isExact } from '../../lib/exact-number.ts'
import { isObject, parseJson, sortKeys, type Json } from '../../lib/json.ts'
import { fromPointer, toPointer } from '../../lib/pointer.ts'
import { findRepeatedKey } from '../../lib/repeated-keys.ts'
import type { Report } from '../record-type.ts'
import { schemaDiagnostics } from '../schema-findings/schema-error.ts'
import { keywordsOf, loadAjv } from './compile-schema.ts'
import { surveySchema, type SchemaProblem } from './schema-problem.ts'

// The JSON Schema for the values of a JSON characteristic, as an object or as a string that contains JSON.

/** Parses a schema in a string, so that both spellings are equal. A string that is not JSON is returned unchanged. */
export function parsedSchema(schema: Json): Json {
  if (typeof schema !== 'string') return sortKeys(schema)
  try {
    return sortKeys(parseJson(schema))
  } catch {
    return schema
  }
}

/** Checks that the schema is a JSON Schema that can validate values. Null means that there is none. */
export function checkValueSchema(schema: Json, report: Report): void {
  if (schema === null) return
  const parsed = parsedSchema(schema)
  if (typeof parsed === 'string') {
    report(
      'error',
      'schema-not-json',
      ['schema'],
      'schema is a text that holds no JSON: write the JSON Schema as an object, or as JSON in a string',
    )
    return
  }
  const found = findingsOf(parsed)
  const inText = found.length === 0 && typeof schema === 'string' ? findingsInText(schema, parsed) : []
  for (const { code, path, message } of [...found, ...inText]) {
    // Findings cannot point into a text.
    const inside = typeof schema === 'string' ? [] : path
    const where = typeof schema === 'string' && path.length > 0 ? ` (at ${toPointer(path)} in it)` : ''
    const severity = code === 'schema-not-enforced' ? 'warning' : 'error'
    report(severity, code, ['schema', ...inside], `${message}${where}`)
  }
}

interface Finding extends Pick<SchemaProblem, 'path' | 'message'> {
  readonly code: 'not-a-json-schema' | 'unusable-schema' | 'schema-not-enforced' | 'duplicate-key' | 'number-not-exact'
}

/** Finds values that JSON.parse changes silently. Schemas that are not strings are read more strictly before. */
function findingsInText(text: string, parsed: Json): Finding[] {
  const found: Finding[] = []
  const repeated = findRepeatedKey(Buffer.from(text), parsed)
  if (repeated !== null)
    found.push({
      code: 'duplicate-key',
      path: [],
      message: `schema has the key ${JSON.stringify(repeated.key)} twice in one object`,
    })
  const inexact = inexactNumber(text)
  if (inexact !== undefined) {
    const message = `schema has the number ${inexact.slice(0, 40)}, which cannot be stored exactly; write at most 15 significant digits`
    found.push({ code: 'number-not-exact', path: [], message })
  }
  return found
}

/** One pattern for a whole string would exhaust the stack if the string is long. */
const QUOTE_ESCAPE_OR_NUMBER = /"|\\.|-?\d[\d.eE+-]*/g

function inexactNumber(text: string): string | undefined {
  let isInString = false
  for (const [token] of text.matchAll(QUOTE_ESCAPE_OR_NUMBER)) {
    if (token === '"') isInString = !isInString
    else if (!isInString && !isExact(token)) return token
  }
  return undefined
}

function findingsOf(schema: Json): readonly Finding[] {
  if (typeof schema !== 'boolean' && !isObject(schema)) return [notASchema('it must be an object or a boolean')]
  const dialect = isObject(schema) ? schema['$schema'] : undefined
  if (typeof dialect === 'string' && !PUBLISHED.test(dialect)) return [unusable(OWN_VOCABULARY)]
  const keywords = keywordsOf(schema)
  const problem = surveySchema(keywords)
  if (typeof problem !== 'number' && problem.isTooLarge) return [unusable(problem)]
  if (compiler().validateSchema(keywords) !== true) return mistakesIn(keywords)
  return typeof problem === 'number' ? [] : [unusable(problem)]
}

/**
 * Keeps one finding for each place. If a value may be a text or a list of texts, as `type` may, a mistake inside the
 * list is more helpful than the one that it is no text.
 */
function mistakesIn(keywords: Json): readonly Finding[] {
  const found = schemaDiagnostics(compiler().errors ?? [], keywords, {})
  const around = new Set(found.flatMap(({ pointer }) => outerPointers(pointer)))
  return [...Map.groupBy(found, ({ pointer }) => pointer)].flatMap(([pointer, [first]]) =>
    first === undefined || around.has(pointer) ? [] : [notASchema(first.message, fromPointer(pointer))],
  )
}

function outerPointers(pointer: string): string[] {
  return fromPointer(pointer).map((_, depth, path) => toPointer(path.slice(0, depth)))
}

/** All published dialects are read as draft 2020-12. */
const PUBLISHED = /^https?:\/\/json-schema\.org\//

const OWN_VOCABULARY: SchemaProblem = {
  path: ['$schema'],
  message: 'its $schema is not from json-schema.org, so its keywords may have another meaning; remove it',
  isTooLarge: false,
  isEndless: false,
}

function notASchema(why: string, path: readonly string[] = []): Finding {
  return { code: 'not-a-json-schema', path, message: `schema is not a JSON Schema (draft 2020-12): ${why}` }
}

/**
 * The finding for a valid schema that cannot validate values. Such a schema rejects all values; or, if the draft does
 * not define its meaning, accepts all.
 */
function unusable({ path, message, isEndless }: SchemaProblem): Finding {
  if (isEndless) return { code: 'schema-not-enforced', path, message: `schema is stored but not enforced: ${message}` }
  return { code: 'unusable-schema', path, message: `schema cannot be used to check values: ${message}` }
}

let ajv: Ajv2020 | undefined

function compiler(): Ajv2020 {
  return (ajv ??= new (loadAjv().Ajv2020)({ strict: false, validateFormats: false, logger: false, allErrors: true }))
}
