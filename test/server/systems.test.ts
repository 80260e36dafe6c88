import { beforeAll, describe, expect, it } from 'vitest'
import { giveToken } from '../support/access.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { applyAll } from '../support/domain.ts'
import { MODEL } from '../platform/systems/site.ts'
import { contextOf, HOSTS, type GraphqlAnswer } from './test-server.ts'
import { context, server, useServer } from './one-server.ts'

// Systems, components, credentials and events as clients see them: by GraphQL.

function noPrototype(what: string, model: string) {
  const message = `${what} … is no prototype, and only prototypes report events of the model "${model}" (limitToPrototypes); make it one by isPrototype, or change the model`
  return [['CONFLICT', message]]
}

function items(count: number, value = 'v') {
  return { metadataKeyValueStore: Array.from({ length: count }, (_, n) => ({ key: `k${n}`, value })) }
}

const report = async (fields: string) =>
  (await server.graphql(`mutation { createEvent(input: { ${fields} }) { uuid } }`)).errors?.map(
    ({ message, extensions: { code } }) => [code, message.replace(/[0-9a-f-]{36}/, '…')],
  )

const refused = async (input: object) => {
  const create = 'mutation ($input: SystemInput!) { createSystem(input: $input) { uuid } }'
  const { errors = [] } = await server.graphql(create, { input: { name: 'Much', ...input } })
  return errors.map(({ message, extensions }) => [extensions?.['code'], message])
}

describe.each(SAMPLED_DATABASES)('systems through GraphQL on $name', (kind) => {
  let system: string
  let pump: string

  useServer({ kind })
  beforeAll(async () => {
    await applyAll(context, MODEL)
    const made = await server.data<{ createSystem: { uuid: string } }>(
      `mutation { createSystem(input: { name: "House", organizationUnit: "acme/eg" }) { uuid } }`,
    )
    system = made.createSystem.uuid
    const components = await server.data<{ createComponents: { uuid: string }[] }>(
      `mutation ($input: [ComponentInput!]!) { createComponents(input: $input) { uuid } }`,
      { input: ['heat-pump', 'sensor'].map((componentModel) => ({ system, componentModel, name: componentModel })) },
    )
    pump = components.createComponents[0]?.uuid ?? ''
  })

  it('a list of those that are meant has an end', async () => {
    const uuids = Array.from({ length: 1_001 }, () => system)
    const asked = {
      'systems(filter: { uuids: $uuids })': 'filter.uuids',
      'components(filter: { systems: $uuids })': 'filter.systems',
      'components(filter: { uuids: $uuids })': 'filter.uuids',
      'events(filter: { components: $uuids })': 'filter.components',
      'setpoints(filter: { systems: $uuids })': 'filter.systems',
      'refusedDatapoints(filter: { systems: $uuids })': 'filter.systems',
      'systems(filter: { status: $status })': 'filter.status',
      'services(filter: { recordKeys: $keys })': 'filter.recordKeys',
      'services(filter: { status: $status })': 'filter.status',
      'latestDatapoints(systems: $uuids)': 'systems',
    }
    const status = uuids.map(() => 'ACTIVATED')
    for (const [field, list] of Object.entries(asked)) {
      const [, name = ''] = /\$(\w+)/.exec(field) ?? []
      const type = { uuids: 'ID', status: 'Status', keys: 'String' }[name] ?? ''
      const query = `query ($${name}: [${type}!]) { ${field} { __typename } }`
      const { errors } = await server.graphql(query, { uuids, status, keys: uuids })
      expect(errors).toMatchObject([
        {
          message: `${list} has 1,001 entries, and 1,000 are the most at once`,
          extensions: { code: 'LIMIT_EXCEEDED' },
        },
      ])
    }
  })

  it('metadata is no more than is read with a page of a thousand', async () => {
    // With the one that is its default.
    const tooMany = 'the metadata has 25001 items, and 200 is the most; keep fewer'
    expect(await refused(items(25_000))).toStrictEqual([['LIMIT_EXCEEDED', tooMany]])
    const tooLong = /^the metadata takes 20\d\d\d bytes, and 16384 is the most/
    expect(await refused(items(2, 'ä'.repeat(5_000)))).toMatchObject([
      ['LIMIT_EXCEEDED', expect.stringMatching(tooLong)],
    ])
    const update = 'mutation ($uuid: ID!, $input: SystemPatch!) { updateSystem(uuid: $uuid, input: $input) { uuid } }'
    expect(await server.graphql(update, { uuid: system, input: items(201) })).toMatchObject({
      errors: [{ extensions: { code: 'LIMIT_EXCEEDED' } }],
    })
  })

  it('who may read data is told which values a new rule does not fit', async () => {
    const input = { name: 'Free', metadataKeyValueStore: [{ key: 'free', value: 7 }] }
    const create = 'mutation ($input: SystemInput!) { createSystem(input: $input) { uuid } }'
    for (const _ of [1, 2]) await server.data(create, { input })
    const { errors } = await server.graphql(
      'mutation { createMetadataType(input: { entityType: SYSTEM, key: "free", dataType: INTEGER, unique: true }) { uuid } }',
    )
    expect(errors).toMatchObject([{ extensions: { code: 'BLOCKED' } }])
    expect(errors?.[0]?.message).toMatch(/the value 7 .*[0-9a-f-]{36}/)
    expect(errors?.[0]?.message).not.toContain('sees which one')
  })

  it('components by their uuids, those of the own domain', async () => {
    const query = 'query ($uuids: [ID!]) { components(filter: { uuids: $uuids }) { nodes { uuid } } }'
    const uuids = [pump, crypto.randomUUID()]
    expect(await server.data(query, { uuids })).toStrictEqual({ components: { nodes: [{ uuid: pump }] } })
    expect(await server.data(query, { uuids }, HOSTS.second)).toStrictEqual({ components: { nodes: [] } })
  })

  it('a system with its components, and what these support', async () => {
    const answer = await server.data(
      `query ($uuid: ID!) {
        system(uuid: $uuid) { uuid name status organizationUnit metadataKeyValueStore { key value } }
        components(filter: { systems: [$uuid] }) {
          totalCount
          nodes { name componentModel systemUuid supports { service characteristic dataType characteristicType symbol } }
          pageInfo { hasNextPage }
        }
      }`,
      { uuid: system },
    )
    const temperature = {
      service: 'climate',
      characteristic: 'temperature',
      dataType: 'FLOAT',
      characteristicType: 'MEASUREMENT',
      symbol: null,
    }
    expect(answer).toMatchObject({
      system: {
        uuid: system,
        name: 'House',
        status: 'ACTIVATED',
        organizationUnit: 'acme/eg',
        metadataKeyValueStore: [{ key: 'floors', value: { integer: 1 } }],
      },
      components: {
        totalCount: 2,
        nodes: [
          {
            componentModel: 'heat-pump',
            systemUuid: system,
            supports: expect.arrayContaining([temperature]) as unknown,
          },
          {
            componentModel: 'sensor',
            supports: [
              temperature,
              { ...temperature, characteristic: 'valve', dataType: 'BOOLEAN', characteristicType: 'SETTING' },
            ],
          },
        ],
        pageInfo: { hasNextPage: false },
      },
    })
  })

  it('what is given changes, and nothing else; null sets a unit free', async () => {
    const update = `mutation ($uuid: ID!, $input: SystemPatch!) {
      updateSystem(uuid: $uuid, input: $input) { name organizationUnit metadataKeyValueStore { key value } }
    }`
    const { updateSystem: changed } = await server.data(update, { uuid: system, input: { name: 'Villa' } })
    expect(changed).toStrictEqual({
      name: 'Villa',
      organizationUnit: 'acme/eg',
      metadataKeyValueStore: [{ key: 'floors', value: { integer: 1 } }],
    })
    const input = { organizationUnit: null, metadataKeyValueStore: [] }
    const { updateSystem: free } = await server.data(update, { uuid: system, input })
    expect(free).toStrictEqual({ name: 'Villa', organizationUnit: null, metadataKeyValueStore: [] })
  })

  it('an event is told, ended and listed', async () => {
    const { createEvent: event } = await server.data<{ createEvent: { uuid: string } }>(
      `mutation ($pump: ID!) {
        createEvent(input: { eventModel: "alarm", component: $pump, at: "2026-01-02T03:04:05.000001Z" }) {
          uuid eventType eventLevel message at endAt componentUuid systemUuid actor
        }
      }`,
      { pump },
    )
    expect(event).toStrictEqual({
      uuid: event.uuid,
      eventType: 'RANGED',
      eventLevel: 'ERROR',
      message: 'Too hot',
      at: '2026-01-02T03:04:05.000001Z',
      endAt: null,
      componentUuid: pump,
      systemUuid: system,
      actor: 'operator',
    })
    await server.data(`mutation ($uuid: ID!) { endEvent(uuid: $uuid, at: "2026-01-02T04:00:00Z") { endAt } }`, event)
    const { events } = await server.data(
      `query ($pump: ID!) { events(filter: { components: [$pump], isOpen: false }) { nodes { uuid endAt } totalCount } }`,
      { pump },
    )
    expect(events).toStrictEqual({ nodes: [{ uuid: event.uuid, endAt: '2026-01-02T04:00:00.000Z' }], totalCount: 1 })
  })

  it('events of some models are reported by prototypes only', async () => {
    await server.data(`mutation {
      createEventModel(input: { code: "burst", eventType: SINGLE_POINT, entityType: COMPONENT, limitToPrototypes: true }) { code }
    }`)
    await server.data(`mutation {
      createEventModel(input: { code: "flood", eventType: SINGLE_POINT, entityType: SYSTEM, limitToPrototypes: true }) { code }
    }`)
    const burst = () => report(`eventModel: "burst", component: "${pump}"`)
    const flood = () => report(`eventModel: "flood", system: "${system}"`)
    expect(await burst()).toStrictEqual(noPrototype('the component', 'burst'))
    expect(await flood()).toStrictEqual(noPrototype('the system', 'flood'))
    const { updateComponent } = await server.data(
      `mutation { updateComponent(uuid: "${pump}", input: { isPrototype: true }) { isPrototype name } }`,
    )
    expect(updateComponent).toStrictEqual({ isPrototype: true, name: 'heat-pump' })
    expect(await burst()).toBeUndefined()
    expect(await flood()).toStrictEqual(noPrototype('the system', 'flood'))
    await server.data(`mutation { updateComponent(uuid: "${pump}", input: { isPrototype: false }) { uuid } }`)
    expect(await burst()).toStrictEqual(noPrototype('the component', 'burst'))
    await server.data(`mutation { updateSystem(uuid: "${system}", input: { isPrototype: true }) { isPrototype } }`)
    expect([await burst(), await flood()]).toStrictEqual([undefined, undefined])
    const { createSystem } = await server.data(
      'mutation { createSystem(input: { name: "Laboratory", isPrototype: true }) { isPrototype } }',
    )
    expect(createSystem).toStrictEqual({ isPrototype: true })
  })

  it('more components than one request may have are refused, and none is made', async () => {
    const input = Array.from({ length: 1_001 }, () => ({ system, componentModel: 'sensor', name: 'Sensor' }))
    const { errors } = await server.graphql(
      `mutation ($input: [ComponentInput!]!) { createComponents(input: $input) { uuid } }`,
      { input },
    )
    expect(errors).toMatchObject([{ extensions: { code: 'LIMIT_EXCEEDED' } }])
  })

  it('a device may send and read for its system; nothing else is said to be for devices', async () => {
    const { createSystemCredential: made } = await server.data<{
      createSystemCredential: { uuid: string; username: string; password: string }
    }>(`mutation ($system: ID!) { createSystemCredential(system: $system) { uuid username password systemUuid } }`, {
      system,
    })
    expect(made.password).toMatch(/^[\w-]{43}$/)
    const access = contextOf(server)
    const authorization = `Bearer ${await giveToken(access, made)}`
    const ask = async (query: string) =>
      (await server.call({ authorization, body: JSON.stringify({ query }) })).json as GraphqlAnswer
    expect(await ask('{ me { login rights } systems { nodes { uuid } } }')).toMatchObject({
      data: { me: { login: made.username }, systems: { nodes: [{ uuid: system }] } },
    })
    for (const query of [
      'mutation { createSystem(input: { name: "Mine" }) { uuid } }',
      `mutation { createSystemCredential(system: "${system}") { password } }`,
      '{ characteristics { totalCount } }',
    ]) {
      const { errors } = await ask(query)
      expect(errors).toMatchObject([
        { message: expect.stringContaining('is not for devices') as string, extensions: { code: 'FORBIDDEN' } },
      ])
    }
    await server.data(`mutation ($uuid: ID!) { revokeSystemCredential(uuid: $uuid) { username } }`, made)
    expect((await server.call({ authorization, body: '{}' })).status).toBe(401)
    expect(server.log.join('')).not.toContain(made.password)
  })
})
