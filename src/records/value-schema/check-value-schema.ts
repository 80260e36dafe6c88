import type { Ajv2020 } from 'ajv/dist/2020.js'
import { isObject, parseJson, sortKeys, type Json } from '../../lib/json.ts'
import { fromPointer, toPointer } from '../../lib/pointer.ts'
import type { TypedCharacteristic } from '../characteristics/typed-characteristic.ts'
import type { Report } from '../record-type.ts'
import { keywordsOf } from './compile-schema.ts'
import { loadAjv } from './load-ajv.ts'
import { surveySchema, type SchemaProblem } from './schema-problem.ts'

// This is the JSON Schema for the values of a JSON characteristic, given as an object or as a string that contains
// it.

/** The parsed schema, so that both spellings are equal. A text that is no JSON is returned as it is. */
export function parsedSchema(schema: Json): Json {
  if (typeof schema !== 'string') return sortKeys(schema)
  try {
    return sortKeys(parseJson(schema))
  } catch {
    return schema
  }
}

export function checkValueSchema({ dataType, schema }: TypedCharacteristic, report: Report): void {
  if (dataType !== 'JSON' || schema === undefined || schema === null) return
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
  const found = findingOf(parsed)
  if (found === null) return
  // Positions inside of a text cannot be pointed to.
  const inside = typeof schema === 'string' ? [] : found.path
  const where = typeof schema === 'string' && found.path.length > 0 ? ` (at ${toPointer(found.path)} in it)` : ''
  report('error', found.code, ['schema', ...inside], `${found.message}${where}`)
}

interface Finding extends Pick<SchemaProblem, 'path' | 'message'> {
  readonly code: 'not-a-json-schema' | 'unusable-schema'
}

function findingOf(schema: Json): Finding | null {
  if (typeof schema !== 'boolean' && !isObject(schema)) return notASchema('it must be an object or a boolean')
  const dialect = isObject(schema) ? schema['$schema'] : undefined
  if (typeof dialect === 'string' && !PUBLISHED.test(dialect)) return unusable(OWN_VOCABULARY)
  const keywords = keywordsOf(schema)
  const problem = surveySchema(keywords)
  if (typeof problem !== 'number' && problem.isTooDeep) return unusable(problem)
  if (compiler().validateSchema(keywords) !== true) {
    const { instancePath = '', message = 'is not valid' } = compiler().errors?.[0] ?? {}
    return notASchema(`${instancePath || 'the schema'} ${message}`, fromPointer(instancePath))
  }
  return typeof problem === 'number' ? null : unusable(problem)
}

/** All published dialects are read as draft 2020-12. */
const PUBLISHED = /^https?:\/\/json-schema\.org\//

const OWN_VOCABULARY: SchemaProblem = {
  path: ['$schema'],
  message: 'its $schema is not published by json-schema.org, so its words may mean something else; remove it',
  isTooDeep: false,
}

function notASchema(why: string, path: readonly string[] = []): Finding {
  return { code: 'not-a-json-schema', path, message: `schema is not a JSON Schema (draft 2020-12): ${why}` }
}

/** Such a schema is valid, but values cannot be checked against it, so all of them would be refused. */
function unusable({ path, message }: SchemaProblem): Finding {
  return { code: 'unusable-schema', path, message: `schema cannot be used to check values: ${message}` }
}

let ajv: Ajv2020 | undefined

function compiler(): Ajv2020 {
  return (ajv ??= new (loadAjv().Ajv2020)({ strict: false, validateFormats: false, logger: false }))
}
