import { parquetReadObjects } from 'hyparquet'
import { beforeAll, expect, it } from 'vitest'
import { updateRecord } from '../../src/platform/records/change-record.ts'
import { makeSite, type Site } from '../support/site.ts'
import { TOKEN, type Answer } from './test-server.ts'
import { context, server, useServer } from './one-server.ts'

// A characteristic that was FLOAT, then STRING, then INTEGER, then a JSON: what was stored is read as what it was.

const NOON = Date.UTC(2026, 2, 28, 12)
const HOUR = 3_600_000
const time = (hours: number): string => new Date(NOON + hours * HOUR).toISOString()

let site: Site
let series: string
let names: { readonly [variable: string]: string }

useServer()
beforeAll(async () => {
  site = await makeSite(context)
  const { component_uuid, service_uuid, characteristic_uuid } = site.point('temperature', null)
  series = new URLSearchParams({ component_uuid, service_uuid, characteristic_uuid }).toString()
  names = { component: component_uuid, service: service_uuid, characteristic: characteristic_uuid }
  await send(21.5, 0)
  await become('STRING')
  await send('warm', 1)
  await become('INTEGER')
  await send(21, 2)
  await become('JSON')
  await send({ is: 'warm' }, 3)
})

async function send(value: unknown, hours: number): Promise<void> {
  const body = JSON.stringify([site.point('temperature', value, NOON + hours * HOUR)])
  const answer = await server.call({ path: '/rest/v1/data-points/add', body })
  if (answer.status !== 201) throw new Error(answer.text)
}

function get(query: string, accept = 'application/json'): Promise<Answer> {
  return server.call({ method: 'GET', path: `/rest/v1/data-points?${query}`, headers: { accept } })
}

it('a page has the values of the present type, and says of which other ones there are', async () => {
  expect((await get(series)).json).toMatchObject({
    data_type: 'JSON',
    other_data_types: ['FLOAT', 'INTEGER'],
    points: [
      // All that are texts are one.
      { timestamp: time(1), value: 'warm' },
      { timestamp: time(3), value: { is: 'warm' } },
    ],
  })
})

it('the others are asked for, as pages, as buckets and as curves', async () => {
  expect((await get(`${series}&data_type=FLOAT`)).json).toMatchObject({
    data_type: 'FLOAT',
    other_data_types: ['INTEGER', 'JSON'],
    points: [{ timestamp: time(0), value: 21.5 }],
  })
  const buckets = `data_type=INTEGER&from=${time(0)}&interval=P1D&aggregations=sum`
  expect((await get(`${series}&${buckets}`)).json).toMatchObject({ data_type: 'INTEGER', buckets: [{ sum: 21 }] })
  expect((await get(`${series}&data_type=FLOAT&from=${time(0)}&max_points=4`)).json).toMatchObject({
    points: [{ value: 21.5 }],
  })
  expect((await get(`${series}&data_type=BOOLEAN`)).json).toMatchObject({ data_type: 'BOOLEAN', points: [] })
  expect((await get(`${series}&data_type=NUMBER`)).status).toBe(400)
})

it('GraphQL has the same', async () => {
  const query = `query ($component: ID!, $service: String!, $characteristic: String!, $dataType: DataType) {
    datapoints(component: $component, service: $service, characteristic: $characteristic, dataType: $dataType) {
      dataType otherDataTypes points { value }
    }
    latestDatapoints(components: [$component], dataType: $dataType) { dataType timestamp value }
  }`
  expect(await server.data(query, names)).toStrictEqual({
    datapoints: {
      dataType: 'JSON',
      otherDataTypes: ['FLOAT', 'INTEGER'],
      points: [{ value: 'warm' }, { value: { is: 'warm' } }],
    },
    latestDatapoints: [
      { dataType: 'FLOAT', timestamp: time(0), value: 21.5 },
      { dataType: 'JSON', timestamp: time(3), value: { is: 'warm' } },
      { dataType: 'INTEGER', timestamp: time(2), value: 21 },
    ],
  })
  expect(await server.data(query, { ...names, dataType: 'FLOAT' })).toMatchObject({
    datapoints: { dataType: 'FLOAT', points: [{ value: 21.5 }] },
    latestDatapoints: [{ dataType: 'FLOAT', value: 21.5 }],
  })
})

const become = (dataType: string) =>
  updateRecord(context, 'characteristics', 'temperature', { dataType }, ['invalidates-data'])

it('a file has all of them, each as it was', async () => {
  const lines = (await get(series, 'application/x-ndjson')).text.trim().split('\n')
  const values = lines.map((line) => (JSON.parse(line) as { value: unknown }).value)
  expect(values).toStrictEqual([21.5, 'warm', { is: 'warm' }, 21])
  const only = await get(`${series}&data_type=INTEGER`, 'text/csv')
  expect(only.text.trim().split('\r\n').slice(1)).toStrictEqual([expect.stringMatching(/^2026.*,21$/)])
  const path = `/rest/v1/data-points?${series}`
  const file = await fetch(server.url + path, {
    headers: { accept: 'application/vnd.apache.parquet', authorization: `Bearer ${TOKEN}` },
  })
  const rows = await parquetReadObjects({ file: await file.arrayBuffer() })
  expect(rows).toHaveLength(4)
})
