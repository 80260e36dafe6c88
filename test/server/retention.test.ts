import { beforeAll, expect, it } from 'vitest'
import { makeSite, type Site } from '../support/site.ts'
import { HOSTS } from './test-server.ts'
import { context, server, useServer } from './one-server.ts'

const DAY_MS = 86_400_000

let site: Site

useServer()
beforeAll(async () => {
  site = await makeSite(context)
})

const RETENTION = `query { retention { characteristic characteristicUuid keep earliest changedBy changedAt } }`
const SET = `mutation ($characteristic: String, $keep: String, $acknowledge: Boolean!) {
  setRetention(characteristic: $characteristic, keep: $keep, acknowledge: $acknowledge) {
    datapoints retention { characteristic keep earliest } } }`

function send(daysAgo: number) {
  const body = JSON.stringify([site.point('temperature', daysAgo, Date.now() - daysAgo * DAY_MS)])
  return server.call({ path: '/rest/v1/data-points/add', body })
}

it('is asked for, set, and taken away again', async () => {
  expect(await server.data(RETENTION)).toMatchObject({
    retention: [{ characteristic: null, keep: null, earliest: null, changedBy: null, changedAt: null }],
  })
  expect((await send(50)).status).toBe(201)
  expect((await send(0)).status).toBe(201)
  const variables = { characteristic: 'temperature', keep: 'P30D' }
  const { errors } = await server.graphql(SET, { ...variables, acknowledge: false })
  expect(errors?.[0]?.extensions).toMatchObject({
    code: 'BLOCKED',
    details: [{ code: 'deletes-data', datapoints: 1, before: expect.stringMatching(/T00:00:00.000Z$/) as string }],
  })
  expect(await server.data(SET, { ...variables, acknowledge: true })).toMatchObject({
    setRetention: {
      datapoints: 1,
      retention: { ...variables, earliest: expect.stringMatching(/T00:00:00.000Z$/) as string },
    },
  })
  const refused = await send(50)
  expect(refused).toMatchObject({
    status: 422,
    json: { errors: [{ pointer: '/0/timestamp', code: 'timestamp-too-old' }] },
  })
  expect(await server.data(RETENTION)).toMatchObject({ retention: [{ keep: null }, { ...variables }] })
  await server.data(`mutation { clearRetention(characteristic: "temperature") { datapoints } }`)
  expect(await server.data(RETENTION)).toMatchObject({ retention: [{ characteristic: null }] })
})

it('a characteristic is named by its uuid too, in letters of any case', async () => {
  const characteristic = site.point('temperature', 1).characteristic_uuid.toUpperCase()
  const named = { setRetention: { retention: { characteristic: 'temperature', keep: 'P1Y' } } }
  expect(await server.data(SET, { characteristic, keep: 'P1Y', acknowledge: true })).toMatchObject(named)
  const clear = `mutation ($characteristic: String!) { clearRetention(characteristic: $characteristic) { datapoints } }`
  expect(await server.data(clear, { characteristic })).toStrictEqual({ clearRetention: { datapoints: 0 } })
})

it('of one domain says nothing about another', async () => {
  await server.data(SET, { characteristic: null, keep: 'P1Y', acknowledge: false })
  expect(await server.data(RETENTION, {}, HOSTS.second)).toMatchObject({ retention: [{ keep: null }] })
})

it.each([
  ['a time', { keep: 'PT1H' }, 'BAD_USER_INPUT'],
  ['no duration', { keep: 'soon' }, 'BAD_USER_INPUT'],
  ['an unknown characteristic', { characteristic: 'altitude', keep: 'P1D' }, 'NOT_FOUND'],
  ['a name with control characters', { characteristic: '\u0000', keep: 'P1D' }, 'BAD_USER_INPUT'],
])('%s is refused', async (_, variables, code) => {
  const { errors } = await server.graphql(SET, { acknowledge: true, ...variables })
  expect(errors?.[0]?.extensions).toMatchObject({ code })
})
