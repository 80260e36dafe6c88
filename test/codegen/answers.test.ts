import { readFileSync } from 'node:fs'
import { buildSchema, isNonNullType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { answerShapes } from '../../src/codegen/entity-shapes.ts'
import { ENTITIES_SCHEMA } from '../../src/codegen/schemas.ts'
import type { JsonSchema } from '../../src/records/json-schema.ts'

const ANSWERED = buildSchema(readFileSync(new URL('../../generated/schema.graphql', import.meta.url), 'utf8'))
const { $defs = {} } = answerShapes(ENTITIES_SCHEMA)
const OBJECTS = Object.entries($defs).filter(([name]) => isObjectType(ANSWERED.getType(name)))

test('apps get a type for each entity that GraphQL answers with', () => {
  const entities = Object.values(ENTITIES_SCHEMA.properties ?? {}).map(({ items }) => items?.$ref?.split('/').at(-1))
  expect(OBJECTS.map(([name]) => name)).toEqual(expect.arrayContaining(entities))
})

test.each(OBJECTS)(
  'the type of %s has the fields that GraphQL has, and null where GraphQL may answer null',
  (name, node) => {
    const type = ANSWERED.getType(name)
    const fields = isObjectType(type) ? type.getFields() : {}
    const declared = Object.entries(node.properties ?? {})
    expect(declared.length).toBeGreaterThan(2)
    expect(node.required).toEqual(declared.map(([field]) => field))
    expect(declared.map(([field, shape]) => [field, isNullable(shape)])).toEqual(
      declared.map(([field]) => [
        field,
        fields[field] === undefined ? 'not answered' : !isNonNullType(fields[field].type),
      ]),
    )
  },
)

function isNullable({ type, anyOf = [] }: JsonSchema): boolean {
  return [type ?? []].flat().includes('null') || anyOf.some(isNullable)
}
