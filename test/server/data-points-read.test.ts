import { parquetReadObjects } from 'hyparquet'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeSite, makeSystem, type CharacteristicCode, type Site } from '../support/site.ts'
import { HOSTS, TOKEN, type Answer } from './test-server.ts'
import { context, server, useServer } from './one-server.ts'

const NOON = Date.UTC(2026, 2, 28, 12)
const HOUR = 3_600_000
const time = (ms: number): string => new Date(ms).toISOString()

let site: Site
/** The query of one series. */
let temperature: string

useServer()
beforeAll(async () => {
  site = await makeSite(context, 2)
  const sent = [
    site.point('temperature', 20, NOON),
    site.point('temperature', -0, NOON + 1),
    site.point('temperature', 22.5, NOON + HOUR),
    site.point('count', '9223372036854775807', NOON),
    site.point('open', false, NOON - HOUR),
    site.point('open', true, NOON + HOUR),
    site.point('note', '=1+1,"x"', NOON),
    site.point('temperature', 7, NOON, 1),
  ]
  // JSON.stringify has no -0.
  const body = JSON.stringify(sent).replace('"value":0,', '"value":-0,')
  const answer = await server.call({ path: '/rest/v1/data-points/add', body })
  if (answer.status !== 201) throw new Error(answer.text)
  temperature = seriesQuery('temperature')
})

function seriesQuery(code: 'temperature' | 'count' | 'open' | 'note'): string {
  const { component_uuid, service_uuid, characteristic_uuid } = site.point(code, null)
  return new URLSearchParams({ component_uuid, service_uuid, characteristic_uuid }).toString()
}

function get(query: string, accept?: string): Promise<Answer> {
  const headers = accept === undefined ? {} : { accept }
  return server.call({ method: 'GET', path: `/rest/v1/data-points?${query}`, headers })
}

describe('JSON', () => {
  it('is a page of one series', async () => {
    const { component_uuid, service_uuid, characteristic_uuid } = site.point('temperature', null)
    const answer = await get(`${temperature}&first=2`)
    expect(answer.json).toStrictEqual({
      system_uuid: site.systemUuid,
      component_uuid,
      service_uuid,
      characteristic_uuid,
      data_type: 'FLOAT',
      symbol: null,
      points: [
        { timestamp: time(NOON), value: 20 },
        { timestamp: time(NOON + 1), value: -0 },
      ],
      next: expect.any(String) as string,
    })
    const { next } = answer.json as { next: string }
    expect((await get(`${temperature}&first=2&after=${next}`)).json).toMatchObject({
      points: [{ timestamp: time(NOON + HOUR), value: 22.5 }],
      next: null,
    })
  })

  it('has the newest first where that is asked for, and of a range', async () => {
    const query = `${temperature}&order=newest_first&from=${time(NOON)}&to=${time(NOON + HOUR)}`
    expect((await get(query)).json).toMatchObject({ points: [{ value: -0 }, { value: 20 }], next: null })
  })

  it('has figures of buckets', async () => {
    const query = `${temperature}&from=${time(NOON)}&to=${time(NOON + 2 * HOUR)}&interval=PT1H&aggregations=max,min,last,time_weighted_avg,count`
    expect((await get(query)).json).toMatchObject({
      buckets: [
        { from: time(NOON), to: time(NOON + HOUR), count: 2, max: 20, min: -0, last: -0 },
        { from: time(NOON + HOUR), to: time(NOON + 2 * HOUR), count: 1, max: 22.5, time_weighted_avg: 22.5 },
      ],
    })
  })

  it('has whole numbers beyond 2^53 as text', async () => {
    expect((await get(seriesQuery('count'))).json).toMatchObject({ points: [{ value: '9223372036854775807' }] })
  })

  it('has states for a chart', async () => {
    const query = `${seriesQuery('open')}&from=${time(NOON)}&to=${time(NOON + 2 * HOUR)}&max_points=10`
    expect((await get(query)).json).toMatchObject({
      states: [
        { from: time(NOON), to: time(NOON + HOUR), value: false, count: 0 },
        { from: time(NOON + HOUR), to: time(NOON + 2 * HOUR), value: true, count: 1 },
      ],
    })
  })
})

describe('files', () => {
  it('CSV has all series that are meant, exactly as they are, or safe to open', async () => {
    const answer = await get(`system_uuid=${site.systemUuid}`, 'text/csv')
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="datapoints.csv"',
    })
    expect(answer.text.trimEnd().split('\r\n')).toHaveLength(1 + 8)
    expect(answer.text).toContain(',"=1+1,""x"""\r\n')
    expect((await get(seriesQuery('note') + '&guard_formulas=true', 'text/csv')).text).toContain(`,"'=1+1,""x"""\r\n`)
  })

  it('has the series of several systems, which are more than one query may ask for', async () => {
    const codes = ['temperature', 'percent'] as const
    const model = { model: 'sensor', name: 'Sensor' }
    const systems: Site[] = []
    for (const _ of codes) systems.push(await makeSystem<CharacteristicCode>(context, model, 300))
    for (const { componentUuids, point } of systems) {
      const points = componentUuids.flatMap((__, component) => codes.map((code) => point(code, 50, NOON, component)))
      const { status } = await server.call({ path: '/rest/v1/data-points/add', body: JSON.stringify(points) })
      expect(status).toBe(201)
    }
    const query = systems.map(({ systemUuid }) => `system_uuid=${systemUuid}`).join('&')
    const { text } = await get(query, 'text/csv')
    expect(new Set(text.split('\r\n')).size).toBe(1 + 1_200 + 1)
    expect((await get(query, 'application/x-ndjson')).text.trimEnd().split('\n')).toHaveLength(1_200)
    const latest = `query ($systems: [ID!]) { latestDatapoints(systems: $systems) { value } }`
    const { errors } = await server.graphql(latest, { systems: systems.map(({ systemUuid }) => systemUuid) })
    expect(errors?.[0]?.message).toBe('at most 1,000 series can be asked for at once; name fewer components')
  })

  it('NDJSON can be sent again', async () => {
    const { text } = await get(`component_uuid=${site.componentUuids[1]}`, 'application/x-ndjson')
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toStrictEqual([{ ...site.point('temperature', 7, time(NOON), 1) }])
  })

  it('Parquet has the points of a range', async () => {
    const headers = { host: HOSTS.first, accept: 'application/vnd.apache.parquet', authorization: `Bearer ${TOKEN}` }
    const range = `from=${time(NOON + 1)}&to=${time(NOON + HOUR + 1)}`
    const url = `${server.url}/rest/v1/data-points?${temperature}&${range}`
    const file = await (await fetch(url, { headers })).arrayBuffer()
    const rows = await parquetReadObjects({ file })
    expect(rows.map(({ value }) => value as unknown)).toStrictEqual([-0, 22.5])
  })

  it('nobody else gets any of it', async () => {
    const headers = { accept: 'text/csv' }
    const path = `/rest/v1/data-points?system_uuid=${site.systemUuid}`
    const answer = await server.call({ method: 'GET', path, headers, host: HOSTS.second })
    expect(answer.text.trimEnd().split('\r\n')).toHaveLength(1)
  })
})

describe('refused by name', () => {
  it.each([
    ['interval=PT1H&from=2026-01-01T00:00:00Z', 'interval needs aggregations'],
    ['interval=PT1H&aggregations=max', 'interval needs from'],
    ['interval=P1X', 'the interval "P1X" cannot be used'],
    ['interval=P1D&time_zone=Mars/X', 'the time zone "Mars/X" is not known'],
    [
      'interval=PT1H&aggregations=max&from=2026-01-01T00:00:00Z&first=2',
      'first cannot be given together with interval',
    ],
    ['fill=null', 'fill can be given with interval only'],
    ['from=2026-03-01T00:00:00+01:00', 'in an address the + of an offset is written %2B'],
    ['max_points=10', 'max_points needs from: say where to begin'],
    ['max_points=10&from=2026-01-01T00:00:00Z&time_zone=UTC', 'time_zone cannot be given together with max_points'],
    ['max_points=0&from=2026-01-01T00:00:00Z', 'max_points must be a whole number from 4'],
    ['thinning=shape', 'thinning can be given with max_points only'],
    ['aggregations=mean', 'possible are min, max, avg, time_weighted_avg'],
    ['order=upwards', 'possible are oldest_first, newest_first'],
    ['first=many', 'first must be a whole number'],
    ['first=-1', 'first must be a whole number from 1 to 100,000, but is -1'],
    ['first=100001', 'first must be a whole number from 1 to 100,000'],
    ['from=yesterday', 'from cannot be read'],
    ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'from must be before to'],
    ['limit=5', '"limit" is no parameter here'],
    ['from=2026-01-01T00:00:00Z&from=2026-01-01T00:00:00Z', 'from is given twice'],
    ['guard_formulas=true', 'guard_formulas is for text/csv'],
  ])('%s', async (query, why) => {
    const { status, json } = await get(`${temperature}&${query}`)
    expect([400, 413]).toContain(status)
    expect(json).toMatchObject({ detail: expect.stringContaining(why) as string })
  })

  it('several series as JSON, what has no such type, and files of a page', async () => {
    expect((await get(`system_uuid=${site.systemUuid}`)).json).toMatchObject({
      detail: expect.stringContaining('JSON contains only one series') as string,
    })
    expect((await get(temperature, 'image/png')).status).toBe(406)
    expect((await get(`${temperature}&first=5`, 'text/csv')).json).toMatchObject({
      detail: expect.stringContaining('a file has all points of a range, without first') as string,
    })
  })
})

describe('GraphQL', () => {
  const DATAPOINTS = `query ($component: ID!, $from: String, $interval: String, $aggregations: [Aggregation!], $maxPoints: Int, $first: Int, $after: String) {
    datapoints(component: $component, service: "room", characteristic: "temperature", from: $from, to: "${time(NOON + 2 * HOUR)}",
      interval: $interval, aggregations: $aggregations, maxPoints: $maxPoints, first: $first, after: $after) {
      characteristic dataType points { timestamp value } pageInfo { hasNextPage endCursor }
      buckets { from count max delta } states { value } } }`

  function ask(variables: object) {
    return server.data(DATAPOINTS, { component: site.componentUuids[0], ...variables })
  }

  it('gives pages, buckets and curves', async () => {
    expect(await ask({ first: 1 })).toMatchObject({
      datapoints: {
        characteristic: 'temperature',
        dataType: 'FLOAT',
        points: [{ timestamp: time(NOON), value: 20 }],
        pageInfo: { hasNextPage: true, endCursor: expect.any(String) as string },
        buckets: null,
        states: null,
      },
    })
    expect(await ask({ from: time(NOON), interval: 'PT1H', aggregations: ['MAX', 'DELTA'] })).toMatchObject({
      datapoints: {
        points: null,
        buckets: [
          { from: time(NOON), count: 2, max: 20, delta: -20 },
          { max: 22.5, delta: 22.5 },
        ],
      },
    })
    expect(await ask({ from: time(NOON), maxPoints: 4 })).toMatchObject({
      datapoints: { points: [{}, {}, {}], pageInfo: null },
    })
  })

  it('knows uuids in whatever case they are written', async () => {
    const { component_uuid, service_uuid, characteristic_uuid } = site.point('temperature', null)
    const [component, service, characteristic] = [component_uuid, service_uuid, characteristic_uuid].map((uuid) =>
      uuid.toUpperCase(),
    )
    const query = `query ($component: ID!, $service: String!, $characteristic: String!) {
      datapoints(component: $component, service: $service, characteristic: $characteristic) { characteristic }
      latestDatapoints(components: [$component], services: [$service], characteristics: [$characteristic]) { value }
    }`
    expect(await server.data(query, { component, service, characteristic })).toStrictEqual({
      datapoints: { characteristic: 'temperature' },
      latestDatapoints: [{ value: 22.5 }],
    })
  })

  it('takes no longer lists of names than it gives series', async () => {
    const systems = Array.from({ length: 1_001 }, () => site.systemUuid)
    const query = `query ($systems: [ID!]) { latestDatapoints(systems: $systems) { value } }`
    const { errors } = await server.graphql(query, { systems })
    expect(errors?.[0]).toMatchObject({
      message: 'systems has 1,001 entries, and 1,000 are the most at once',
      extensions: { code: 'LIMIT_EXCEEDED' },
    })
  })

  it('gives the last point of many series', async () => {
    const query = `query ($systems: [ID!]) { latestDatapoints(systems: $systems) { componentUuid characteristic value timestamp } }`
    const { latestDatapoints } = await server.data<{ latestDatapoints: { characteristic: string; value: unknown }[] }>(
      query,
      { systems: [site.systemUuid] },
    )
    expect(latestDatapoints).toHaveLength(5)
    expect(latestDatapoints).toContainEqual({
      componentUuid: site.componentUuids[1],
      characteristic: 'temperature',
      value: 7,
      timestamp: time(NOON),
    })
    expect(latestDatapoints).toContainEqual({
      componentUuid: site.componentUuids[0],
      characteristic: 'count',
      value: '9223372036854775807',
      timestamp: time(NOON),
    })
  })
})
