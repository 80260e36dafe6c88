import { defineScalarTag, dump, DUMP_SCHEMA, NOT_RESOLVED } from 'js-yaml'
import { isJsonList, type Json, type JsonObject } from '../../lib/json.ts'
import { ACCESS } from '../../records/record-type.ts'
import { plainItem, type ScalarWriter } from './plain-yaml.ts'

/** The number of records that are converted at once, because js-yaml needs many times the memory of its output. */
const SLICE = 20

/** Writes a document as YAML in pieces. Long lines are not folded, because diffs are clearer with one line per text. */
export function* documentYaml(document: JsonObject): Generator<string> {
  const entries = Object.entries(document)
  if (entries.length === 0) yield yamlOf(document)
  for (const [type, records] of entries) {
    if (isJsonList(records) && records.length > SLICE) yield* listYaml(type, records)
    else yield yamlOf({ [type]: records })
  }
}

/** The grants in the form of holdfast.yaml. That file has no references, so `${` is not escaped. */
export function accessYaml(access: readonly JsonObject[]): string {
  return yamlOf({ [ACCESS]: access })
}

/** Writes a list in slices. */
function* listYaml(name: string, list: readonly Json[]): Generator<string> {
  const textOf = scalarWriter()
  yield `${name}:\n`
  for (let start = 0; start < list.length; start += SLICE) {
    const items = list.slice(start, start + SLICE)
    yield items.map((item) => plainItem(item, '  ', textOf) ?? dumpedItem(name, item)).join('')
  }
}

function dumpedItem(name: string, item: Json): string {
  const text = yamlOf({ [name]: [item] })
  return text.slice(text.indexOf('\n') + 1)
}

/**
 * The maximum number of texts whose quoting is cached. Most texts that need quotes occur often, such as units and
 * options.
 */
const MOST_TEXTS = 10_000

function scalarWriter(): ScalarWriter {
  const known = new Map<string, string | null>()
  return (text) => {
    const written = known.get(text)
    if (written !== undefined) return written
    const line = yamlOf({ text }).slice('text: '.length, -1)
    const made = line.includes('\n') ? null : line
    if (known.size < MOST_TEXTS) known.set(text, made)
    return made
  }
}

/** Makes js-yaml quote texts such as `1e400`, which no double holds, but which YAML reads as a number. */
const tooLarge = defineScalarTag('tag:yaml.org,2002:float#too-large', {
  implicit: true,
  implicitFirstChars: [...'+-.0123456789'],
  resolve: (text) => (/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(text) ? Infinity : NOT_RESOLVED),
  identify: () => false,
})
export const SCHEMA = DUMP_SCHEMA.withTags(tooLarge)

/** js-yaml's end marker after a text that ends with empty lines. It is removed, because more may follow. */
const END = /(?<=\n)\.\.\.\n$/

function yamlOf(document: JsonObject): string {
  return dump(document, { lineWidth: -1, noRefs: true, schema: SCHEMA }).replace(END, '')
}
