import { referenceName, type JsonSchema } from '../records/json-schema.ts'
import type { Emitter } from './emitter.ts'
import { cell, typeText } from './record-types-table.ts'
import { ENTITIES_SCHEMA, listedDefinitions } from './schemas.ts'

export const entitiesTable: Emitter = { path: 'generated/entities.md', emit }

const HEAD = `<!-- Generated from schemas/entities.schema.json by "npm run types". Do not edit. -->

# Entities

${ENTITIES_SCHEMA.description}

A **required** field must be given when the entity is created, a settable field can be. A changeable field can change later.
`

async function emit(): Promise<string> {
  const entities = listedDefinitions(ENTITIES_SCHEMA)
  const names = entities.map(([, name]) => name)
  const parts = Object.entries(ENTITIES_SCHEMA.$defs ?? {}).filter(([name]) => !names.includes(name))
  return [
    HEAD,
    ...names.map((name) => `## ${name}\n\n${entityText(ENTITIES_SCHEMA.$defs?.[name] ?? {})}`),
    ...parts.map(([name, node]) => `## ${name}\n\n${node.description}\n\n${partText(node)}`),
  ].join('\n')
}

function entityText({ description, properties = {} }: JsonSchema): string {
  const rows = Object.entries(properties).map(([name, field]) => {
    const type = [typeText(field, link) || 'any', ...newText(field), ...changeText(field)].join(', ')
    return `| \`${name}\` | ${type} | ${cell(field.description ?? '')} |\n`
  })
  return `${description}\n\n| field | type | |\n|---|---|---|\n${rows.join('')}`
}

function newText({ create }: JsonSchema): string[] {
  if (create === undefined) return []
  const given = create.required === true ? '**required**' : 'settable'
  return [create.name === undefined ? given : `${given} as \`${create.name}\``]
}

function changeText({ patch }: JsonSchema): string[] {
  return patch === undefined ? [] : ['changeable']
}

function partText(node: JsonSchema): string {
  return node.properties === undefined ? membersText(node) : fieldsText(node)
}

function fieldsText({ properties = {} }: JsonSchema): string {
  const rows = Object.entries(properties).map(
    ([name, field]) => `| \`${name}\` | ${typeText(field, link) || 'any'} | ${cell(field.description ?? '')} |\n`,
  )
  return `| field | type | |\n|---|---|---|\n${rows.join('')}`
}

function membersText({ oneOf = [] }: JsonSchema): string {
  const rows = oneOf.map(({ const: value, description = '' }) => `| \`${String(value)}\` | ${cell(description)} |\n`)
  return `| value | |\n|---|---|\n${rows.join('')}`
}

/** Links a definition. The page of the record types describes the definitions of the import document. */
function link($ref: string): string {
  const name = referenceName({ $ref }) ?? ''
  return `[${name}](${$ref.startsWith('#') ? '' : 'record-types.md'}#${name.toLowerCase()})`
}
