import { defineScalarTag, dump, DUMP_SCHEMA, NOT_RESOLVED } from 'js-yaml'
import { isJsonList, type Json, type JsonObject } from '../../lib/json.ts'
import { ACCESS } from '../../records/record-type.ts'

/**
 * The number of records that are written as YAML at once, because js-yaml needs many times the memory of its output.
 */
const SLICE = 20

/**
 * Writes a document as YAML, in pieces. Long lines are not folded, because a diff shows a changed text best on one
 * line.
 */
export function* documentYaml(document: JsonObject): Generator<string> {
  const entries = Object.entries(document)
  if (entries.length === 0) yield yamlOf(document)
  for (const [type, records] of entries) {
    if (isJsonList(records) && records.length > SLICE) yield* listYaml(type, records)
    else yield yamlOf({ [type]: records })
  }
}

/** The grants as holdfast.yaml has them, with no references in them. */
export function accessYaml(access: readonly JsonObject[]): string {
  return yamlOf({ [ACCESS]: access })
}

/** Writes a list in slices. Only the first slice keeps the line with the name of the list. */
function* listYaml(name: string, list: readonly Json[]): Generator<string> {
  for (let start = 0; start < list.length; start += SLICE) {
    const text = yamlOf({ [name]: list.slice(start, start + SLICE) })
    yield start === 0 ? text : text.slice(text.indexOf('\n') + 1)
  }
}

/**
 * js-yaml writes the text `1e400` without quotes, since no double is that large, but YAML reads it as a number. This
 * tag makes js-yaml quote each text that could be read as such a number.
 */
const tooLarge = defineScalarTag('tag:yaml.org,2002:float#too-large', {
  implicit: true,
  implicitFirstChars: [...'+-.0123456789'],
  resolve: (text) => (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text) ? Infinity : NOT_RESOLVED),
  identify: () => false,
})
const SCHEMA = DUMP_SCHEMA.withTags(tooLarge)

function yamlOf(document: JsonObject): string {
  return dump(document, { lineWidth: -1, noRefs: true, schema: SCHEMA })
}
