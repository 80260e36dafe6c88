import { getNamedType, isListType, getNullableType, isRequiredArgument } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findAccountByLogin } from '../../../src/platform/access/accounts/accounts.ts'
import { createSystemCredential } from '../../../src/platform/systems/credentials.ts'
import { NODE } from '../../../src/server/graphql/edges/kinds.ts'
import { SCHEMA } from '../../../src/server/graphql/schema.ts'
import { giveToken } from '../../support/access.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { contextOf, startTestServer, TOKEN, type GraphqlAnswer, type TestServer } from '../test-server.ts'
import { edgesOfSchema, isList, queryOf, valuesAt, type SchemaEdge } from './edges.ts'
import { makeGraph } from './graph-world.ts'

// What an edge shows is what the field of Query for the same objects shows to the same sender.

const FILLING_MS = 300_000

/** Who asks besides an administrator: a machine user with a role, or a device; and the scope of the token. */
const SENDERS = {
  'an operator within an organization': { login: 'machine-2', scope: 'service' },
  'a viewer of all who may read data only': { login: 'machine-1', scope: 'data:read' },
  'a viewer of all who may read the model only': { login: 'machine-1', scope: 'model:read' },
  'a viewer of all': { login: 'machine-1', scope: 'service' },
  'an administrator who may administer only': { login: null, scope: 'access:admin' },
  'an administrator who may read data, too': { login: null, scope: 'access:admin data:read' },
  'a device': { login: 'device', scope: 'service' },
} as const
type Sender = keyof typeof SENDERS
const NAMES = Object.keys(SENDERS) as Sender[]

/** Of objects that have no list of their own: a field with the same right. */
const SAME_RIGHT: { readonly [type: string]: string } = {
  SystemCredential: 'authenticationMethods { uuid }',
  RecordChange: 'applies { nodes { uuid } }',
  Node: 'applies { nodes { uuid } }',
  LatestDatapoint: 'retention { keep }',
}

/** The field of Query with the list of all objects of a type. */
function listOf(name: string): { readonly query: string; readonly hasUuids: boolean } {
  const other = SAME_RIGHT[name]
  if (other !== undefined) return { query: `{ ${other} }`, hasUuids: false }
  const fields = Object.values(SCHEMA.getQueryType()?.getFields() ?? {})
  const field = fields.find(({ type, args }) => {
    const isOfType =
      getNamedType(type).name === `${name}Connection` ||
      (isListType(getNullableType(type)) && getNamedType(type).name === name)
    return isOfType && !args.some(isRequiredArgument)
  })
  if (field === undefined) throw new Error(`Query has no list of ${name}`)
  return {
    query: isList(field) ? `{ ${field.name}(first: 1000) { nodes { uuid } } }` : `{ ${field.name} { uuid } }`,
    hasUuids: true,
  }
}

const isForbidden = ({ errors = [] }: GraphqlAnswer) =>
  errors.some(({ extensions }) => extensions['code'] === 'FORBIDDEN')

/** The objects with an edge, each with what it leads to: uuids, or the whole object where it has none. */
function edgesIn({ field, path }: SchemaEdge, { data }: GraphqlAnswer): Map<string, readonly string[] | null> {
  const objects = valuesAt(path, data).flatMap((value) => (isList(path.at(-1) ?? field) ? valuesIn(value) : [value]))
  return new Map(
    objects.flatMap((object): [string, readonly string[] | null][] => {
      if (typeof object !== 'object' || object === null) return []
      const { [field.name]: led, ...own }: { [name: string]: unknown } = { ...object }
      return [
        [
          JSON.stringify(own),
          led === null || led === undefined ? null : [isList(field) ? valuesIn(led) : led].flat().map(nameOf),
        ],
      ]
    }),
  )
}

function uuidsIn(answer: GraphqlAnswer): string[] {
  return [...JSON.stringify(answer.data ?? null).matchAll(/"uuid":"([^"]+)"/g)].map(([, uuid = '']) => uuid)
}

function valuesIn(page: unknown): unknown[] {
  const nodes: unknown = typeof page === 'object' && page !== null ? Reflect.get(page, 'nodes') : null
  return Array.isArray(nodes) ? nodes : []
}

function nameOf(object: unknown): string {
  const uuid: unknown = typeof object === 'object' && object !== null ? Reflect.get(object, 'uuid') : null
  return typeof uuid === 'string' ? uuid : JSON.stringify(object)
}

describe.each(SAMPLED_DATABASES)('the rights on edges on $name', ({ openMigrated }) => {
  let server: TestServer
  let tokens: { readonly [sender in Sender]: string }
  let values: { readonly [name: string]: string }

  beforeAll(async () => {
    server = await startTestServer(await openMigrated())
    const context = contextOf(server)
    await makeGraph(server, context, 2)
    const { systems, components, grants } = await server.data<{
      [list: string]: { nodes: { uuid: string; key: string }[] }
    }>('{ systems { nodes { uuid } } components { nodes { uuid } } grants { nodes { key } } }')
    values = { component: components?.nodes[1]?.uuid ?? '', service: 'service-2', characteristic: 'value-2' }
    for (const key of ['operator/everyone/users', 'operator/everyone/machineUsers', 'viewer/machineUser/machine-2'])
      if (grants?.nodes.some((grant) => grant.key === key))
        await server.data('mutation ($key: String!) { deleteGrant(key: $key) { key } }', { key })
    const device = await createSystemCredential(context, systems?.nodes[1]?.uuid ?? '')
    const tokenOf = async (sender: Sender): Promise<string> => {
      const { login, scope } = SENDERS[sender]
      const account = login === 'device' ? device : await findAccountByLogin(context, 'machine', login ?? 'operator')
      if (account === null) throw new Error(`there is no account of ${sender}`)
      return giveToken(context, account, { scope })
    }
    tokens = Object.fromEntries(
      await Promise.all(NAMES.map(async (name) => [name, await tokenOf(name)])),
    ) as typeof tokens
  }, FILLING_MS)
  afterAll(() => server.close())

  const ask = async (token: string, query: string): Promise<GraphqlAnswer> =>
    (await server.call({ authorization: `Bearer ${token}`, body: JSON.stringify({ query }) })).json as GraphqlAnswer

  const edges = edgesOfSchema()
  /** The edges of which a sender saw an object, by the sender. */
  const reached = new Map<Sender, Set<string>>(NAMES.map((name) => [name, new Set()]))

  it.each(NAMES.flatMap((sender) => edges.map((edge) => ({ sender, edge, name: edge.name }))))(
    '$sender sees at $name what the list shows',
    async ({ sender, edge }) => {
      const query = queryOf(edge, values)
      const all = edgesIn(edge, await ask(TOKEN, query))
      const list = listOf(getNamedType(edge.field.type).name.replace(/Connection$/, ''))
      const [answer, visible] = [await ask(tokens[sender], query), await ask(tokens[sender], list.query)]
      const seen = edgesIn(edge, answer)
      const shown = JSON.stringify(visible.data ?? null)
      const expected = [...seen.keys()].map((object): [string, readonly string[] | null] => {
        const led = all.get(object)
        if (led === undefined) throw new Error(`only ${sender} sees ${object}`)
        if (led === null || isForbidden(visible)) return [object, null]
        const left = list.hasUuids ? led.filter((uuid) => shown.includes(uuid)) : led
        return [object, left.length === 0 && !edge.field.name.endsWith('s') && !isList(edge.field) ? null : left]
      })
      expect(seen).toStrictEqual(new Map(expected))
      if (seen.size > 0) reached.get(sender)?.add(edge.name)
      const paths = (answer.errors ?? []).map(({ path = [], extensions }) => [path.at(-1), extensions['code']])
      const ofEdge = isForbidden(visible) ? [[edge.field.name, 'FORBIDDEN']] : []
      expect(seen.size > 0 ? paths : ofEdge).toStrictEqual(ofEdge)
    },
  )

  it.each(NAMES)('%s finds by its uuid what the lists show, and nothing else', async (sender) => {
    const types = SCHEMA.getPossibleTypes(NODE).map(({ name }) => name)
    const all: string[] = []
    const visible: string[] = []
    for (const { query, hasUuids } of types.map(listOf)) {
      if (!hasUuids) continue
      all.push(...uuidsIn(await ask(TOKEN, query)))
      visible.push(...uuidsIn(await ask(tokens[sender], query)))
    }
    const found: unknown[] = []
    const parts = Array.from({ length: Math.ceil(all.length / 50) }, (_, part) => all.slice(part * 50, part * 50 + 50))
    for (const part of parts) {
      const fields = part.map((uuid, index) => `n${index}: node(uuid: "${uuid}") { uuid }`)
      const { data, errors } = await ask(tokens[sender], `{ ${fields.join(' ')} }`)
      expect(errors).toBeUndefined()
      found.push(...Object.values(data ?? {}).flatMap((node) => (node === null ? [] : [nameOf(node)])))
    }
    expect(all.length).toBeGreaterThan(50)
    expect(found.toSorted()).toStrictEqual(visible.toSorted())
  })

  it('shows each edge to somebody, and each sender edges', () => {
    const somebody = new Set([...reached.values()].flatMap((names) => [...names]))
    expect(edges.map(({ name }) => name).filter((name) => !somebody.has(name))).toStrictEqual([])
    expect([...reached].map(([sender, names]) => [sender, names.size > 5])).toStrictEqual(
      NAMES.map((name) => [name, true]),
    )
  })
})
