import { createRequire } from 'node:module'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import type { Characteristic } from '../../generated/import-document.ts'
import { sortKeys, type Json } from '../lib/json.ts'
import type { Report } from './record-type.ts'

// The JSON Schema that the values of a JSON characteristic must meet, given as an object or as a string that holds it.

/** The schema as the JSON in it, so that the two spellings are one. Text that is no JSON stays as it is. */
export function parsedSchema(schema: Json): Json {
  if (typeof schema !== 'string') return sortKeys(schema)
  try {
    return sortKeys(JSON.parse(schema) as Json)
  } catch {
    return schema
  }
}

export function checkValueSchema({ dataType, schema }: Characteristic, report: Report): void {
  if (dataType !== 'JSON' || schema === undefined || schema === null) return
  const parsed = parsedSchema(schema as Json)
  if (typeof parsed === 'string') {
    report(
      'error',
      'schema-not-json',
      ['schema'],
      'schema is a text that holds no JSON: write the JSON Schema as an object, or as JSON in a string',
    )
    return
  }
  const problem = schemaProblem(parsed)
  if (problem !== null)
    report('error', 'not-a-json-schema', ['schema'], `schema is not a JSON Schema (draft 2020-12): ${problem}`)
}

let ajv: Ajv2020 | undefined

/** Loaded when a document first holds a schema: most hold none, and the compiler costs a tenth of a second. */
function compiler(): Ajv2020 {
  if (ajv === undefined) {
    const module = createRequire(import.meta.url)('ajv/dist/2020.js') as { Ajv2020: typeof Ajv2020 }
    ajv = new module.Ajv2020({ strict: false, validateFormats: false, logger: false })
  }
  return ajv
}

function schemaProblem(schema: Json): string | null {
  if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null || Array.isArray(schema))) {
    return 'it must be an object or a boolean'
  }
  const { $schema: _, ...keywords } = typeof schema === 'boolean' ? {} : (schema as { [key: string]: Json })
  if (compiler().validateSchema(keywords) === true) return null
  const error = compiler().errors?.[0]
  return `${error?.instancePath || 'the schema'} ${error?.message ?? 'is not valid'}`
}
