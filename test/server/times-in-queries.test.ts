import { beforeAll, describe, expect, it } from 'vitest'
import { applyAll } from '../support/domain.ts'
import { makeSite, MODEL } from '../platform/systems/site.ts'
import { context, server, useServer } from './one-server.ts'

// Times and durations in arguments and inputs: as new clients declare them, and as those of earlier versions do.

const messages = async (query: string, variables = {}) =>
  (await server.graphql(query, variables)).errors?.map(({ message, extensions }) => [extensions['code'], message])

const WRITTEN = ['DateTime', 'String'] as const

describe('a time or a duration in a query', () => {
  let system: string
  let series: string
  useServer()
  beforeAll(async () => {
    await applyAll(context, MODEL)
    const site = await makeSite(context)
    system = site.system.uuid
    series = `component: "${site.pump.uuid}", service: "metering", characteristic: "power"`
  })

  it.each(WRITTEN)('is a variable of type %s, as an argument and inside an input', async (type) => {
    const duration = type === 'String' ? 'String' : 'Duration'
    const at = '2026-01-01T00:00:00.000Z'
    const query = `query ($from: ${type}!, $to: ${type} = "2026-01-02T00:00:00Z", $interval: ${duration}) {
      datapoints(${series}, from: $from, to: $to, interval: $interval, aggregations: [COUNT]) { buckets { from } }
      events(filter: { from: $from }) { totalCount }
    }`
    expect(await server.data(query, { from: at, interval: 'PT12H' })).toMatchObject({
      datapoints: { buckets: [] },
      events: { totalCount: expect.any(Number) as number },
    })
    const create = `mutation ($at: ${type}) {
      createEvent(input: { eventModel: "restart", system: "${system}", at: $at }) { at }
    }`
    expect(await server.data(create, { at })).toStrictEqual({ createEvent: { at } })
  })

  it('is a text in the query, or a member of a variable', async () => {
    const query = `query ($filter: EventFilter) { events(filter: $filter) { totalCount } }`
    expect(await messages(query, { filter: { to: '2026-01-02T00:00:00+01:00' } })).toBeUndefined()
    expect(await messages(`{ latestDatapoints(before: "2026-01-02T00:00:00Z") { timestamp } }`)).toBeUndefined()
  })

  it.each([
    ['datapoints', 'from: "yesterday"', 'from cannot be read'],
    ['datapoints', 'from: "2026-01-01T00:00:00Z", interval: "1 hour", aggregations: [COUNT]', 'interval'],
    ['latestDatapoints', 'before: "yesterday"', 'before cannot be read'],
    ['events', 'filter: { from: "yesterday" }', 'from: '],
    ['setpoints', 'filter: { to: "yesterday" }', 'to: '],
  ])('names the argument of %s(%s) that cannot be read', async (field, args, expected) => {
    const given = field === 'datapoints' ? `${series}, ${args}` : args
    expect(await messages(`{ ${field}(${given}) { __typename } }`)).toStrictEqual([
      ['BAD_USER_INPUT', expect.stringContaining(expected) as string],
    ])
  })

  it.each([
    ['setRetention(keep: "30 days")', 'keep: '],
    ['setSetpoints(components: [$setting], expiresIn: "a day")', 'expiresIn'],
    ['setSetpoints(components: [$setting], expiresAt: "tomorrow")', 'expiresAt: '],
    ['endEvent(uuid: "$event", at: "now")', 'at: '],
    ['createEvent(input: { eventModel: "restart", system: "$system", at: "now" })', 'at: '],
  ])('names the argument of %s that cannot be read', async (call, expected) => {
    const made = await server.data<{ createEvent: { uuid: string } }>(
      `mutation { createEvent(input: { eventModel: "restart", system: "${system}" }) { uuid } }`,
    )
    const field = call
      .replace('$event', made.createEvent.uuid)
      .replace('$system', system)
      .replace('$setting', `{ ${series}, value: 1 }`)
    expect(await messages(`mutation { ${field} { __typename } }`)).toStrictEqual([
      ['BAD_USER_INPUT', expect.stringContaining(expected) as string],
    ])
  })

  it.each(['1767225600000', 'true', 'NOW', '{}'])('is never written %s', async (value) => {
    expect(await messages(`{ latestDatapoints(before: ${value}) { timestamp } }`)).toStrictEqual([
      ['BAD_USER_INPUT', 'DateTime must be a text in quotes'],
    ])
    const query = 'query ($before: DateTime) { latestDatapoints(before: $before) { timestamp } }'
    expect(await messages(query, { before: 1_767_225_600_000 })).toStrictEqual([
      ['BAD_USER_INPUT', 'Variable "$before": DateTime must be a text in quotes'],
    ])
  })

  it('accepts no String variable in other places, and no other type for a time', async () => {
    const wrong = 'in position expecting type'
    expect(await messages('query ($id: String!) { system(uuid: $id) { name } }', { id: system })).toMatchObject([
      ['BAD_USER_INPUT', expect.stringContaining(wrong)],
    ])
    expect(await messages('query ($at: ID) { latestDatapoints(before: $at) { value } }')).toMatchObject([
      ['BAD_USER_INPUT', expect.stringContaining('type "ID" used in position expecting type "DateTime"')],
    ])
    expect(await messages('query ($at: [String]) { latestDatapoints(before: $at) { value } }')).toMatchObject([
      ['BAD_USER_INPUT', expect.stringContaining(wrong)],
    ])
  })
})
