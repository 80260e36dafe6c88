import type { GraphQLField, GraphQLResolveInfo } from 'graphql'
import { describe, expect, it } from 'vitest'
import { RIGHTS, type Right } from '../../../src/auth/scopes.ts'
import type { Call, GraphqlContext } from '../../../src/server/graphql/call.ts'
import { SCHEMA } from '../../../src/server/graphql/schema.ts'
import { RECORD_TYPES } from '../../../src/records/registry.ts'

type Operation = GraphQLField<unknown, GraphqlContext>

const queries = Object.values(SCHEMA.getQueryType()?.getFields() ?? {}) as Operation[]
const mutations = Object.values(SCHEMA.getMutationType()?.getFields() ?? {}) as Operation[]
const subscriptions = Object.values(SCHEMA.getSubscriptionType()?.getFields() ?? {}) as Operation[]

class Reached extends Error {}

/** An operation that looks at it has begun. */
const CALL = new Proxy({} as Call, {
  get() {
    throw new Reached('the operation has begun')
  },
})

function callWith({ name, resolve, subscribe = resolve }: Operation, rights: readonly Right[]): Promise<unknown> {
  const caller = {
    scopes: ['of the test'],
    rights: new Set(rights),
    rightsWithin: new Set<Right>(),
    roles: [],
    isDevice: false,
  }
  const context = { parts: CALL, callFor: () => CALL, caller }
  return new Promise((resolved) => resolved(subscribe?.({}, {}, context, { fieldName: name } as GraphQLResolveInfo)))
}

describe.each([...queries, ...mutations, ...subscriptions])('$name', (operation) => {
  const right = operation.extensions['right'] as Right

  it('declares the right that it needs', () => {
    expect(RIGHTS).toContain(right)
  })

  it('is done for whoever has that right, also alone', async () => {
    await expect(callWith(operation, [right])).rejects.toThrow(Reached)
  })

  it('is refused to whoever has all others, and nothing of it is done', async () => {
    const others = RIGHTS.filter((other) => other !== right)
    await expect(callWith(operation, others)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining(`${operation.name} needs a token with the scope `),
    })
  })
})

describe('the right that is needed', () => {
  it.each(subscriptions)('to follow $name is one to read', ({ extensions }) => {
    expect(extensions['right']).toMatch(/:read$/)
  })

  it.each(queries)('for the query $name is one to read or to plan', ({ extensions }) => {
    expect(extensions['right']).toMatch(/:(read|plan)$|^access:admin$/)
  })

  it.each(mutations)('for the mutation $name is one to write', ({ extensions }) => {
    expect(extensions['right']).toMatch(/:(write|apply|admin)$/)
  })

  it.each(RECORD_TYPES)('to change $name is the administration of access where they sign in', (type) => {
    const names = ['create', 'update', 'delete'].map((verb) => `${verb}${type.definition}`)
    const rights = mutations.filter(({ name }) => names.includes(name)).map(({ extensions }) => extensions['right'])
    expect(new Set(rights)).toEqual(new Set([type.signsIn === undefined ? 'model:write' : 'access:admin']))
  })
})
