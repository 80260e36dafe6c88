import { execute, GraphQLObjectType, GraphQLSchema, GraphQLString, parse } from 'graphql'
import { expect, it } from 'vitest'
import { countLists } from '../../../src/server/graphql/counted-lists.ts'
import { manyItems, PlainLists } from '../../../src/server/graphql/plain-lists.ts'
import { plainList } from '../../../src/server/graphql/operation.ts'
import { list } from '../../../src/server/graphql/typed.ts'

interface Item {
  readonly a: string
  readonly b?: string
}

const ITEM = new GraphQLObjectType<Item>({
  name: 'Item',
  fields: { a: { type: GraphQLString }, b: { type: GraphQLString } },
})
const ITEMS: readonly Item[] = [{ a: '1', b: '2' }, { a: '3' }]

/** The same list, filled afterwards and by the library. */
const SCHEMA = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: () => ({
      plain: plainList(ITEM, '', () => manyItems(ITEMS, (item) => item)),
      usual: { type: list(ITEM), resolve: () => ITEMS },
      none: plainList(ITEM, '', () => null),
    }),
  }),
})

async function answer(query: string, variableValues = {}): Promise<unknown> {
  const lists = new PlainLists()
  const result = await execute({ schema: SCHEMA, document: parse(query), variableValues, contextValue: { lists } })
  await lists.fill(result)
  return JSON.parse(JSON.stringify(result))
}

it.each([
  ['{ %s { a b } }'],
  ['{ %s { x: b __typename a, y: a } }'],
  ['{ one: %s { a } two: %s { b } }'],
  ['{ %s { a } %s { b } }'],
  ['{ %s { ... on Item { a } ...rest } } fragment rest on Item { b t: __typename }'],
  ['query ($no: Boolean! = false) { %s { a @include(if: $no) b @skip(if: $no) ... @include(if: $no) { c: a } } }'],
])('a list that is filled afterwards is answered like any other: %s', async (query) => {
  const [plain, usual] = ['plain', 'usual'].map((name) =>
    answer(query.replaceAll('%s', `list: ${name}`).replaceAll(/(one|two): list: /g, '$1: ')),
  )
  expect(await plain).toStrictEqual(await usual)
  expect(JSON.stringify(await plain)).toMatch(/"1"|"2"/)
})

it('a list that is null stays null', async () => {
  expect(await answer('{ none { a } }')).toStrictEqual({ data: { none: null } })
})

it('a list with too many values is refused before its items are made', async () => {
  const many = { length: 600_000, itemAt: () => expect.unreachable() }
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: { many: plainList(ITEM, '', () => many) } }),
  })
  const lists = new PlainLists()
  const document = parse('{ a: many { a } b: many { b } }')
  const { errors } = await execute({ schema, document, contextValue: { lists } })
  expect(errors?.map(({ message }) => message)).toEqual([
    'the query is too large: it asks for up to 1200000 values, and at most 1000000 are allowed; ask for less, such as a smaller first',
  ])
})

const MANY = Array.from({ length: 300_000 }, () => ({}))

it.each([(): unknown => MANY, async () => Promise.resolve(MANY)])(
  'all that is selected below the items of any list is counted before they are completed',
  async (resolve) => {
    const completed: unknown[] = []
    const inner = new GraphQLObjectType({
      name: 'Inner',
      fields: { a: { type: GraphQLString, resolve: () => completed.push(1) }, b: { type: GraphQLString } },
    })
    const item = new GraphQLObjectType({ name: 'Outer', fields: { inner: { type: inner, resolve: () => ({}) } } })
    const schema = new GraphQLSchema({
      query: new GraphQLObjectType({ name: 'Query', fields: { many: { type: list(item), resolve } } }),
    })
    countLists(schema)
    const [lists, document] = [new PlainLists(), parse('{ many { ...F } } fragment F on Outer { inner { a b x: a } }')]
    const { errors } = await execute({ schema, document, contextValue: { lists } })
    expect(errors?.map(({ message }) => message)).toEqual([expect.stringContaining('up to 1200000 values')])
    expect([completed, lists.refusal?.extensions['code']]).toStrictEqual([[], 'LIMIT_EXCEEDED'])
  },
)
