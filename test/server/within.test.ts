import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OWN_RIGHTS } from '../../src/auth/roles.ts'
import { singular } from '../../src/server/graphql/names.ts'
import { RECORD_TYPES } from '../../src/records/registry.ts'
import { churnElsewhere } from '../support/churn-elsewhere.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { allowedWithin } from './expected-rights.ts'
import { sampleCalls } from './sample-arguments.ts'
import { callsNaming, operationsOf, type Names } from './within-calls.ts'
import { BOUND_ROLES, startWithinServer, type BoundRole, type WithinServer } from './within-server.ts'

// What a role within one organization shows of another one: nothing, by whatever is asked.

/** In each text and value of basalt, and of what belongs to nobody; never a part of a uuid or a trace-id. */
const CANARY = /basalt|(?<![\da-f])7777\d(?![\da-f])/i

describe.each(SAMPLED_DATABASES)('a role within an organization on $name', ({ openMigrated }) => {
  let world: WithinServer
  /** All that must not be seen, and of each kind of it something that is named. */
  let foreign: Names
  let tried: Names
  beforeAll(async () => {
    world = await startWithinServer(await openMigrated())
    const { basalt, nobody, server } = world
    const { organizations, users } = await server.data<{ organizations: Nodes; users: Nodes }>(
      `{ organizations(first: 100) { nodes { uuid recordKey } } users(first: 100) { nodes { uuid recordKey } } }`,
    )
    const records = [...organizations.nodes, ...users.nodes].filter(({ recordKey }) => CANARY.test(recordKey))
    const things = [basalt, nobody].flatMap(({ point: _, ...uuids }) => Object.values(uuids))
    foreign = {
      uuids: [...things, ...records.map(({ uuid }) => uuid)],
      keys: records.map(({ recordKey }) => recordKey),
    }
    const keys = ['basalt', 'basalt/east', 'ben@basalt.example']
    const ofKeys = records.filter(({ recordKey }) => keys.includes(recordKey)).map(({ uuid }) => uuid)
    const { system, component, alarm, setpoint } = basalt
    tried = { uuids: [system, component, alarm, setpoint, nobody.system, ...ofKeys], keys }
  })
  afterAll(() => world.server.close())

  /** Of all that an answer says, what is of others and was not in the question. */
  function leaked(answer: unknown, question: string): string[] {
    let text = JSON.stringify(answer) ?? ''
    for (const name of [...foreign.uuids, ...foreign.keys])
      if (question.includes(name)) text = text.replaceAll(name, '')
    return [...foreign.uuids.filter((uuid) => text.includes(uuid)), ...(CANARY.exec(text) ?? [])]
  }

  it.each(BOUND_ROLES)('%s: is refused every operation that does not keep within, and no other', async (role) => {
    const calls = sampleCalls().filter(({ query }) => !query.startsWith('subscription'))
    const allowed: string[] = []
    for (const { name, query } of calls) {
      const { errors = [] } = await world.ask(role, query)
      if (!errors.some(({ extensions }) => extensions['code'] === 'FORBIDDEN')) allowed.push(name)
    }
    const expected = allowedWithin(role)
    expect(allowed.sort()).toStrictEqual(
      calls
        .map(({ name }) => name)
        .filter((name) => expected.has(name))
        .sort(),
    )
  })

  /** Of what nobody has, which is asked for once in each place where a uuid or a key can stand. */
  const likes = new Map<string, Promise<string>>()
  function shapeOfUnknown(role: BoundRole, query: string): Promise<string> {
    const place = query.replaceAll(/unknown-[\da-f-]{36}/g, 'key').replaceAll(/[\da-f-]{36}/g, 'uuid')
    const known = likes.get(place) ?? world.ask(role, query).then((answer) => shape(answer, query))
    likes.set(place, known)
    return known
  }

  const kept = [
    ...operationsOf('query').map((one) => ({ ...one, root: 'query' as const })),
    ...operationsOf('mutation').map((one) => ({ ...one, root: 'mutation' as const })),
  ].filter(({ keepsWithin }) => keepsWithin)

  it.each(kept)('$field.name: what is outside is as if it did not exist', async ({ root, field }) => {
    const role: BoundRole = root === 'query' ? 'viewer' : 'editor'
    // What makes something answers with it, each time with another.
    const isMaking = /^(create|set)/.test(field.name)
    const names = isOfEverybody(field.name) ? { uuids: tried.uuids.slice(-1), keys: tried.keys.slice(-1) } : tried
    const calls = callsNaming(root, field, names)
    const unknown = callsNaming(root, field, {
      uuids: names.uuids.map(() => randomUUID()),
      keys: names.keys.map(() => `unknown-${randomUUID()}`),
    })
    expect(unknown).toHaveLength(calls.length)
    const before = await world.server.data(EVERYTHING)
    const wrong: object[] = []
    for (const [place, { query }] of calls.entries()) {
      const answer = await world.ask(role, query)
      const found = leaked(answer, query)
      if (found.length > 0 || JSON.stringify(answer).includes('"INTERNAL"')) wrong.push({ query, answer, found })
      if (isMaking) continue
      const like = await shapeOfUnknown(role, unknown[place]?.query ?? '')
      if (shape(answer, query) !== like) wrong.push({ query, answer, like })
    }
    expect(wrong).toStrictEqual([])
    const after = await world.server.data(EVERYTHING)
    expect(isMaking ? before : after).toStrictEqual(before)
  })

  it('is told what it may do there, beside what it may do everywhere', async () => {
    const { data } = await world.ask('viewer', '{ me { rights rightsWithin roles { role within } } }')
    expect(data).toEqual({
      me: {
        rights: OWN_RIGHTS,
        rightsWithin: expect.arrayContaining(['data:read', 'model:read']),
        roles: [{ role: 'VIEWER', within: 'amber' }],
      },
    })
  })

  it('whatever happens outside changes nothing of what is answered', async () => {
    const queries = kept
      .filter(({ root }) => root === 'query')
      .map(({ field }) => callsNaming('query', field, { uuids: [world.amber.system], keys: ['amber'] })[0]?.query ?? '')
    const answers = async () => {
      const all = []
      for (const query of queries) all.push([query, await world.ask('viewer', query)])
      return JSON.stringify(all, null, 1)
        .replaceAll(/"traceId": "\w+"/g, '')
        .split('\n')
    }
    const before = await answers()
    await churnElsewhere(world.context, world)
    expect(await answers()).toStrictEqual(before)
    expect(before.join()).toContain('noted by amber')
    expect(before.join()).not.toContain('INTERNAL')
  })
})

interface Nodes {
  readonly nodes: readonly { readonly uuid: string; readonly recordKey: string }[]
}

/** Queries of record types that are not hidden: what there is of others is a cursor. */
function isOfEverybody(name: string): boolean {
  const type = RECORD_TYPES.find((one) => one.name === name || singular(one) === name)
  return type !== undefined && !['users', 'organizations'].includes(type.name)
}

/** An answer without what the question said. */
function shape(answer: unknown, question: string): string {
  let text = JSON.stringify(answer)
  const given = [...question.matchAll(/"([^"]+)"/g)].map(([, one = '']) => one)
  for (const one of given.toSorted((a, b) => b.length - a.length)) text = text.replaceAll(one, '…')
  return text.replaceAll(/"traceId":"[^"]*"/g, '')
}

const EVERYTHING = `{
  systems(first: 100) { nodes { uuid name status organizationUnit updatedAt } }
  components(first: 100) { nodes { uuid name status updatedAt } }
  events(first: 100) { nodes { uuid endAt message } }
  setpoints(first: 100) { nodes { uuid state value } }
  latestDatapoints { timestamp value }
}`
