import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rightsOfRole } from '../../src/auth/roles.ts'
import type { Right } from '../../src/auth/scopes.ts'
import { DATABASES } from '../support/databases.ts'
import { sampleCalls } from './sample-arguments.ts'
import { callsNaming, operationsOf, type Names } from './within-calls.ts'
import { BOUND_ROLES, startWithinServer, type BoundRole, type WithinServer } from './within-server.ts'

// What a role within one organization shows of another one: nothing, by whatever is asked.

/** In each text of basalt, and of what belongs to nobody. */
const CANARY = /basalt|7777\d/i

describe.each(DATABASES)('a role within an organization on $name', ({ openMigrated }) => {
  let world: WithinServer
  let foreign: Names
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
    const operations = new Map(
      [...operationsOf('query'), ...operationsOf('mutation')].map((one) => [one.field.name, one]),
    )
    const refused: string[] = []
    const expected: string[] = []
    for (const { name, query, right } of sampleCalls()) {
      const operation = operations.get(name)
      if (operation === undefined || query.startsWith('subscription')) continue
      const { errors = [] } = await world.ask(role, query)
      if (errors.some(({ extensions }) => extensions['code'] === 'FORBIDDEN')) refused.push(name)
      const isGranted = right === 'self:read' || (rightsOfRole(role).has(right as Right) && operation.keepsWithin)
      if (!isGranted) expected.push(name)
    }
    expect(refused.sort()).toStrictEqual(expected.sort())
  })

  const kept = [
    ...operationsOf('query').map((one) => ({ ...one, root: 'query' as const })),
    ...operationsOf('mutation').map((one) => ({ ...one, root: 'mutation' as const })),
  ].filter(({ keepsWithin }) => keepsWithin)

  it.each(kept)('$field.name: what is outside is as if it did not exist', async ({ root, field }) => {
    const role: BoundRole = root === 'query' ? 'viewer' : 'editor'
    // Written by an organization, it would be another one in the next call.
    const isChanging = /^(create|set)/.test(field.name)
    const calls = callsNaming(root, field, foreign)
    const unknown = callsNaming(root, field, {
      uuids: foreign.uuids.map(() => randomUUID()),
      keys: foreign.keys.map(() => `unknown-${randomUUID()}`),
    })
    const before = await world.server.data(EVERYTHING)
    for (const [place, { query }] of calls.entries()) {
      const answer = await world.ask(role, query)
      expect(leaked(answer, query), query).toStrictEqual([])
      const other = unknown[place]?.query ?? ''
      if (isChanging || calls.length !== unknown.length) continue
      const like = await world.ask(role, other)
      expect(shape(answer, query), query).toStrictEqual(shape(like, other))
    }
    if (!isChanging) expect(await world.server.data(EVERYTHING)).toStrictEqual(before)
  })
})

interface Nodes {
  readonly nodes: readonly { readonly uuid: string; readonly recordKey: string }[]
}

/** An answer without what the question said. */
function shape(answer: unknown, question: string): string {
  let text = JSON.stringify(answer)
  for (const [, given] of question.matchAll(/"([^"]+)"/g)) text = text.replaceAll(given ?? '', '…')
  return text.replaceAll(/"traceId":"[^"]*"/g, '')
}

const EVERYTHING = `{
  systems(first: 100) { nodes { uuid name status organizationUnit updatedAt } }
  components(first: 100) { nodes { uuid name status updatedAt } }
  events(first: 100) { nodes { uuid endAt message } }
  setpoints(first: 100) { nodes { uuid state value } }
  latestDatapoints { timestamp value }
}`
