import { beforeAll, describe, expect, it } from 'vitest'
import { makeSettingSite, type SettingSite } from '../support/setting-site.ts'
import { context, server, useServer } from './one-server.ts'

// Setpoints as people see them: by GraphQL. What they mean is tested with the platform.

describe('setpoints through GraphQL', () => {
  let site: SettingSite
  useServer()
  beforeAll(async () => {
    site = await makeSettingSite(context)
  })

  const SET = `mutation ($components: [ComponentSetpointInput!], $models: [ModelSetpointInput!], $expiresIn: String) {
    setSetpoints(components: $components, models: $models, expiresIn: $expiresIn) {
      uuid componentUuid characteristic value state expiresAt
    }
  }`
  const target = (value: unknown) => ({
    component: site.thermostats[0],
    service: 'heating',
    characteristic: 'target',
    value,
  })

  it('are set for components and for models, and listed', async () => {
    const models = [
      {
        componentModel: 'thermostat',
        organizationUnits: ['acme'],
        service: 'heating',
        characteristic: 'mode',
        value: 'away',
      },
    ]
    const { setSetpoints: made } = await server.data<{ setSetpoints: { uuid: string; expiresAt: string }[] }>(SET, {
      components: [target(21.5)],
      models,
      expiresIn: 'PT1H',
    })
    expect(made).toMatchObject([
      { componentUuid: site.thermostats[0], characteristic: 'target', value: 21.5, state: 'PENDING' },
      { characteristic: 'mode', value: 'away', state: 'PENDING' },
      { characteristic: 'mode', value: 'away', state: 'PENDING' },
    ])
    expect(Date.parse(made[0]?.expiresAt ?? '')).toBeGreaterThan(Date.now())
    const answer = await server.data(
      `query ($systems: [ID!]) {
        setpoints(first: 2, order: OLDEST_FIRST, filter: { systems: $systems, states: [PENDING], services: ["heating"] }) {
          totalCount pageInfo { hasNextPage } nodes { systemUuid service actor reason setAt createdAt changedAt }
        }
      }`,
      { systems: [site.systems[0]] },
    )
    const node = { systemUuid: site.systems[0], service: 'heating', actor: 'operator', reason: null }
    expect(answer).toMatchObject({
      setpoints: { totalCount: 3, pageInfo: { hasNextPage: true }, nodes: [node, node] },
    })
  })

  it('are found by uuids in whatever case they are written', async () => {
    const service = site.serviceUuid.toUpperCase()
    const characteristic = site.characteristics.get('schedule')?.toUpperCase() ?? ''
    const component = site.thermostats[0].toUpperCase()
    await server.data(SET, { components: [{ component, service, characteristic, value: { day: 1 } }] })
    const query = `query ($service: String!, $characteristic: String!) {
      setpoints(filter: { services: [$service], characteristics: [$characteristic] }) { nodes { value } }
    }`
    expect(await server.data(query, { service, characteristic })).toStrictEqual({
      setpoints: { nodes: [{ value: { day: 1 } }] },
    })
  })

  it('say what is wrong, and where', async () => {
    const { data, errors } = await server.graphql(SET, { components: [target(21), target('warm')] })
    expect(data).toStrictEqual({ setSetpoints: null })
    expect(errors).toMatchObject([
      {
        path: ['setSetpoints'],
        extensions: { code: 'BAD_USER_INPUT', details: [{ pointer: '/components/1/value', code: 'wrong-type' }] },
      },
    ])
  })

  it.each([
    ['{ setpoint(uuid: "x") { uuid } }', 'uuid must be a UUID'],
    ['{ setpoints(filter: { systems: ["x"] }) { totalCount } }', 'filter.systems must be a UUID'],
    ['{ setpoints(filter: { from: "today" }) { totalCount } }', 'from: '],
    ['{ setpoints(filter: { services: ["a\\u0000"] }) { totalCount } }', 'U+0000'],
    ['mutation { setSetpoints { uuid } }', 'nothing is given to set'],
    [
      'mutation { setSetpoints(components: [{ component: "x", service: "", characteristic: "", value: 1 }]) { uuid } }',
      'components[0].component must be a UUID',
    ],
  ])('%s is refused', async (query, message) => {
    const { errors } = await server.graphql(query)
    expect(errors).toMatchObject([
      { message: expect.stringContaining(message) as unknown, extensions: { code: 'BAD_USER_INPUT' } },
    ])
  })

  it('there is none where there is none', async () => {
    expect(await server.data(`{ setpoint(uuid: "${crypto.randomUUID()}") { uuid } }`)).toEqual({ setpoint: null })
  })
})
