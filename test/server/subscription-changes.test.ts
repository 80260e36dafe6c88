import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createSystemCredential } from '../../src/platform/systems/credentials.ts'
import { MODEL } from '../platform/systems/site.ts'
import { giveToken } from '../support/access.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { applyAll, makeDomain } from '../support/domain.ts'
import { follow, type Followed } from './follow.ts'
import { context, server, useServer } from './one-server.ts'

// Events, setpoints and applies as they are followed by GraphQL over SSE.

interface Changes {
  readonly cursor: string
  readonly events?: readonly { readonly uuid: string; readonly eventModel: string; readonly endAt: string | null }[]
  readonly setpoints?: readonly { readonly value: unknown; readonly state: string }[]
  readonly applies?: readonly { readonly uuid: string }[]
}

const seen = ({ changes }: Followed<Changes>) => changes.flatMap(({ events = [] }) => events)

const refusal = async (query: string, variables: Record<string, unknown>, token?: string) => {
  const followed = follow(server, query, { variables, ...(token !== undefined && { token }) })
  await followed.ended
  const [error] = followed.results[0]?.errors ?? []
  return `${String(error?.extensions['code'])}: ${error?.message}`
}

const end = (uuid: string) => server.data(`mutation ($uuid: ID!) { endEvent(uuid: $uuid) { uuid } }`, { uuid })

const tell = async (input: object) =>
  (
    await server.data<{ createEvent: { uuid: string } }>(
      `mutation ($input: EventInput!) { createEvent(input: $input) { uuid } }`,
      { input },
    )
  ).createEvent.uuid

describe.each(SAMPLED_DATABASES)('followed on $name', (kind) => {
  let system: string
  let pump: string
  const open: Followed<unknown>[] = []

  useServer({ kind })
  beforeAll(async () => {
    await applyAll(context, MODEL)
    const made = await server.data<{ createSystem: { uuid: string } }>(
      `mutation { createSystem(input: { name: "House" }) { uuid } }`,
    )
    system = made.createSystem.uuid
    const components = await server.data<{ createComponents: { uuid: string }[] }>(
      `mutation ($input: [ComponentInput!]!) { createComponents(input: $input) { uuid } }`,
      { input: [{ system, componentModel: 'heat-pump', name: 'Pump' }] },
    )
    pump = components.createComponents[0]?.uuid ?? ''
  })
  afterEach(() => {
    for (const one of open.splice(0)) one.stop()
  })

  async function begin(query: string, variables: Record<string, unknown> = {}): Promise<Followed<Changes>> {
    const followed = follow<Changes>(server, query, { variables })
    open.push(followed)
    await followed.until((changes) => changes.length > 0)
    return followed
  }

  const EVENTS = `subscription ($systems: [ID!], $components: [ID!], $eventModels: [String!], $levels: [EventLevel!], $after: String) {
    events(systems: $systems, components: $components, eventModels: $eventModels, levels: $levels, after: $after) {
      cursor events { uuid eventModel endAt eventLevel }
    }
  }`

  it('events, when they are told and when they end', async () => {
    const followed = await begin(EVENTS)
    const alarm = await tell({ eventModel: 'alarm', component: pump })
    await followed.until(() => seen(followed).length === 1)
    await end(alarm)
    await followed.until(() => seen(followed).length === 2)
    const restart = await tell({ eventModel: 'restart', system })
    await followed.until(() => seen(followed).length === 3)
    expect(seen(followed)).toMatchObject([
      { uuid: alarm, eventModel: 'alarm', endAt: null, eventLevel: 'ERROR' },
      { uuid: alarm, endAt: expect.any(String) as string },
      { uuid: restart, eventModel: 'restart' },
    ])
    // Told again they are answered with the first, and nothing has changed.
    await tell({ uuid: restart, eventModel: 'restart', system })
    await end(alarm).catch(() => undefined)
    const last = await tell({ eventModel: 'restart', system })
    await followed.until(() => seen(followed).some(({ uuid }) => uuid === last))
    expect(seen(followed)).toHaveLength(4)
  })

  it.each([
    ['a level', () => ({ levels: ['ERROR'] }), ['alarm']],
    ['a model', () => ({ eventModels: ['restart'] }), ['restart']],
    ['a component', () => ({ components: [pump] }), ['alarm']],
    ['a system', () => ({ systems: [system] }), ['alarm', 'restart']],
  ] as const)('events of %s', async (_, filter, expected) => {
    const followed = await begin(EVENTS, filter())
    const all = await begin(EVENTS)
    await tell({ eventModel: 'alarm', component: pump })
    await tell({ eventModel: 'restart', system })
    await all.until(() => seen(all).length === 2)
    await followed.until(() => seen(followed).length === expected.length)
    expect(seen(followed).map(({ eventModel }) => eventModel)).toStrictEqual(expected)
  })

  it('events on from a cursor: each that has changed, as it is now', async () => {
    const before = await begin(EVENTS)
    const alarm = await tell({ eventModel: 'alarm', component: pump })
    await before.until(() => seen(before).length === 1)
    before.stop()
    await end(alarm)
    const restart = await tell({ eventModel: 'restart', system })
    const again = await begin(EVENTS, { after: before.changes.at(-1)?.cursor })
    expect(again.changes[0]?.events).toMatchObject([
      { uuid: alarm, endAt: expect.any(String) as string },
      { uuid: restart },
    ])
    const rest = await begin(EVENTS, { after: again.changes[0]?.cursor })
    expect(rest.changes[0]?.events).toStrictEqual([])
  })

  it('events only where the cursor, the model and the level are known', async () => {
    const applies = await begin('subscription { applies { cursor } }')
    expect(await refusal(EVENTS, { after: applies.changes[0]?.cursor })).toMatch(/^BAD_USER_INPUT: after is no cursor/)
    expect(await refusal(EVENTS, { eventModels: ['party'] })).toBe('NOT_FOUND: there is no event model party')
    // Events say the keys of their models alone, so whoever named a uuid would wait for ever.
    const models = await server.data<{ eventModels: { nodes: { uuid: string }[] } }>(
      '{ eventModels { nodes { uuid } } }',
    )
    const uuid = models.eventModels.nodes[0]?.uuid ?? ''
    expect(await refusal(EVENTS, { eventModels: [uuid] })).toBe(`NOT_FOUND: there is no event model ${uuid}`)
    const [topic, mark, text = ''] = Buffer.from((await begin(EVENTS)).changes[0]?.cursor ?? '', 'base64url')
      .toString()
      .split(' ')
    const ahead = text.replaceAll(/\d+/g, (digits) => String(Number(digits) + 1_000_000))
    expect(await refusal(EVENTS, { after: Buffer.from(`${topic} ${mark} ${ahead}`).toString('base64url') })).toMatch(
      /^CONFLICT: this cursor is ahead of the database/,
    )
  })

  it('setpoints, from one state to the next', async () => {
    const query = `subscription ($components: [ID!], $characteristics: [String!]) {
      setpoints(components: $components, characteristics: $characteristics) { cursor setpoints { uuid value state } }
    }`
    const followed = await begin(query, { components: [pump], characteristics: ['valve'] })
    const values = () => followed.changes.flatMap(({ setpoints = [] }) => setpoints)
    const set = (value: boolean) =>
      server.data(
        `mutation ($components: [ComponentSetpointInput!]) { setSetpoints(components: $components) { uuid } }`,
        { components: [{ component: pump, service: 'climate', characteristic: 'valve', value }] },
      )
    await set(true)
    await followed.until(() => values().length === 1)
    await set(false)
    await followed.until(() => values().length === 3)
    const pending = await server.call({ method: 'GET', path: `/rest/v1/set-points/pending?component_uuid=${pump}` })
    expect(pending.status).toBe(200)
    await followed.until(() => values().length === 4)
    expect(values()).toMatchObject([
      { value: true, state: 'PENDING' },
      expect.anything(),
      expect.anything(),
      { value: false, state: 'SENT' },
    ])
    expect(values().slice(1, 3)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ value: true, state: 'SUPERSEDED' }),
        expect.objectContaining({ value: false, state: 'PENDING' }),
      ]),
    )
  })

  it('applies, and not by devices', async () => {
    const query = 'subscription { applies { cursor applies { uuid actor summary } } }'
    const followed = await begin(query)
    // By another process, which sends no hint.
    const elsewhere = await makeDomain(server.database, 'elsewhere')
    await applyAll(elsewhere, { dataSources: [{ code: 'other' }] })
    const apply = await applyAll(context, { dataSources: [{ code: 'one' }] })
    await followed.until((changes) => changes.length === 2)
    expect(followed.changes[1]?.applies).toStrictEqual([
      { uuid: apply.uuid, actor: 'tester', summary: expect.objectContaining({ create: 1 }) as object },
    ])
    const { uuid: accountUuid } = await createSystemCredential(context, system)
    const token = await giveToken(context, { uuid: accountUuid })
    expect(await refusal(query, {}, token)).toMatch(/^FORBIDDEN: applies is not for devices/)
  })
})
