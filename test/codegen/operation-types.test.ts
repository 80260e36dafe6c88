import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { operationTypes } from '../../src/codegen/operation-types.ts'

const typesOf = (text: string, name = 'Some') => operationTypes('some', 'some.ts', { [name]: parse(text) }).emit()

describe('types of operations', () => {
  it('are those of the schema, with the names that the document gives', async () => {
    const text = await typesOf(`query Some($uuid: ID!, $filter: SystemFilter) {
      one: system(uuid: $uuid) { name status updatedAt }
      systems(filter: $filter) { totalCount }
    }`)
    expect(text).toContain('    variables: {\n      readonly uuid: string\n      readonly filter?: {\n')
    expect(text).toContain('        readonly uuids?: readonly (string)[] | null | undefined\n')
    expect(text).toContain(`    data: {
      readonly one: {
        readonly name: string
        readonly status: 'ACTIVATED' | 'DEACTIVATED' | 'ARCHIVED'
        readonly updatedAt: string
      } | null
      readonly systems: {
        readonly totalCount: number
      }
    }
`)
  })

  it.each([
    ['query Some { systms { totalCount } }', 'the operation Some does not fit the schema: Cannot query field "systms"'],
    ['query Other { me { name } }', 'the document Some must begin with an operation of this name'],
    ['query Some { me { ...on Caller { name } } }', 'only plain fields of objects have types'],
  ])('are not written of %s', async (text, message) => {
    await expect(typesOf(text)).rejects.toThrow(message)
  })
})
