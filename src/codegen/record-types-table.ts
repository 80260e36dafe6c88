import { DATA_TYPE_DECLARATIONS } from '../records/data-types/data-type.ts'
import { referenceName, type JsonSchema } from '../records/json-schema.ts'
import type { Emitter } from './emitter.ts'
import { IMPORT_DOCUMENT_SCHEMA, listedDefinitions } from './schemas.ts'

export const recordTypesTable: Emitter = { path: 'generated/record-types.md', emit }

const HEAD = `<!-- Generated from schemas/import-document.schema.json by "npm run types". Do not edit. -->

# Record types

${IMPORT_DOCUMENT_SCHEMA.description}
`

async function emit(): Promise<string> {
  const records = listedDefinitions(IMPORT_DOCUMENT_SCHEMA)
  const recordNames = records.map(([, name]) => name)
  const parts = Object.keys(IMPORT_DOCUMENT_SCHEMA.$defs ?? {}).filter((name) => !recordNames.includes(name))
  return [
    HEAD,
    contents(records),
    ...records.map(([key, name]) => `## ${key}\n\n${body(name)}`),
    '## Parts of records\n',
    ...parts.map((name) => `### ${name}\n\n${body(name)}`),
  ].join('\n')
}

function contents(records: [key: string, name: string][]): string {
  const rows = records.map(([key]) => `| [${key}](#${key.toLowerCase()}) | ${cell(keyDescription(key))} |\n`)
  return `| key | |\n|---|---|\n${rows.join('')}`
}

function keyDescription(key: string): string {
  return IMPORT_DOCUMENT_SCHEMA.properties?.[key]?.description ?? ''
}

function body(name: string): string {
  const node = IMPORT_DOCUMENT_SCHEMA.$defs?.[name] ?? {}
  if (name === 'DataType') return `${node.description}\n\n${dataTypes()}`
  const values = node.enum === undefined ? '' : `One of ${listOf(node.enum)}.\n`
  return `${node.description}\n\n${values}${node.properties === undefined ? '' : table(node)}`
}

function dataTypes(): string {
  const rows = Object.values(DATA_TYPE_DECLARATIONS).map(
    ({ name, value, honours }) => `| \`${name}\` | ${cell(value)} | ${listOf(honours)} |\n`,
  )
  return `| dataType | value | fields that it honours |\n|---|---|---|\n${rows.join('')}`
}

/** Makes a table of three columns, which fit into the text column of the website. */
function table(node: JsonSchema): string {
  const rows = Object.entries(node.properties ?? {}).map(([field, property]) => {
    const required = node.required?.includes(field) === true ? ', **required**' : ''
    const fallback = property.default === undefined ? '' : `, default \`${JSON.stringify(property.default)}\``
    return `| \`${field}\` | ${cell(typeText(property))}${required}${fallback} | ${cell(property.description ?? '')} |\n`
  })
  return `| field | type | |\n|---|---|---|\n${rows.join('')}`
}

type LinkTo = ($ref: string) => string

/** For example `array of [MetadataItem](#metadataitem)`, `string (uri) or null`. */
export function typeText({ $ref, type, format, items, anyOf, ...rest }: JsonSchema, linkTo: LinkTo = link): string {
  if ($ref !== undefined) return linkTo($ref)
  if (anyOf !== undefined) return anyOf.map((one) => typeText(one, linkTo)).join(' or ')
  // In the schema null comes first if it is the default (test/codegen/editor.test.ts).
  const types = [type ?? []].flat().toSorted((one, other) => Number(one === 'null') - Number(other === 'null'))
  const names = types.map((name) => {
    if (name === 'array' && items !== undefined) return `array of ${typeText(items, linkTo)}`
    return name === 'string' && format !== undefined ? `string (${format})` : name
  })
  return rest.enum === undefined ? names.join(' or ') : listOf(rest.enum)
}

/** Links a definition. A record's section has the name of its key in the document. */
function link($ref: string): string {
  const name = referenceName({ $ref }) ?? ''
  const key = listedDefinitions(IMPORT_DOCUMENT_SCHEMA).find(([, definition]) => definition === name)?.[0]
  return `[${name}](#${(key ?? name).toLowerCase()})`
}

function listOf(values: readonly unknown[]): string {
  return values.map((value) => `\`${String(value)}\``).join(', ')
}

export function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
