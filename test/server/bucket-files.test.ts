import { parquetReadObjects } from 'hyparquet'
import { beforeAll, describe, expect, it } from 'vitest'
import { PGLITE, POSTGRES } from '../support/databases.ts'
import { makeSite, type CharacteristicCode, type Site } from '../support/site.ts'
import { HOSTS, TOKEN, type Answer } from './test-server.ts'
import { context, server, useServer } from './one-server.ts'

const NOON = Date.UTC(2026, 2, 28, 12)
const HOUR = 3_600_000
const PARQUET = 'application/vnd.apache.parquet'
const time = (ms: number): string => new Date(ms).toISOString()
const RANGE = `from=${time(NOON)}&to=${time(NOON + 3 * HOUR)}&interval=PT1H`

function get(query: string, accept: string): Promise<Answer> {
  return server.call({ method: 'GET', path: `/rest/v1/data-points?${RANGE}&${query}`, headers: { accept } })
}

describe.each([PGLITE, POSTGRES])('files of buckets on $name', (kind) => {
  let site: Site

  useServer({ kind })
  beforeAll(async () => {
    site = await makeSite(context, 2)
    const sent = [
      site.point('temperature', 20, NOON),
      site.point('temperature', 22.5, NOON + HOUR / 2),
      site.point('temperature', -1, NOON + 2 * HOUR),
      site.point('temperature', 7, NOON + HOUR, 1),
      site.point('count', '9223372036854775807', NOON),
      site.point('count', '9223372036854775806', NOON + 1),
      site.point('note', '=1+1,"x"', NOON),
      site.point('open', true, NOON),
    ]
    const answer = await server.call({ path: '/rest/v1/data-points/add', body: JSON.stringify(sent) })
    if (answer.status !== 201) throw new Error(answer.text)
  })

  const of = (...codes: CharacteristicCode[]): string =>
    new URLSearchParams(
      codes.map((code) => ['characteristic_uuid', site.point(code, null).characteristic_uuid]),
    ).toString()

  async function parquet(query: string): Promise<unknown[]> {
    const headers = { host: HOSTS.first, accept: PARQUET, authorization: `Bearer ${TOKEN}` }
    const answer = await fetch(`${server.url}/rest/v1/data-points?${RANGE}&${query}`, { headers })
    return parquetReadObjects({ file: await answer.arrayBuffer() })
  }

  it('CSV has a line for each bucket of each series, and an empty cell where there is no figure', async () => {
    const { text, headers } = await get(
      `${of('temperature')}&aggregations=max,count,time_weighted_avg&fill=null`,
      'text/csv',
    )
    expect(headers['content-disposition']).toBe('attachment; filename="datapoints.csv"')
    const [first, second] = [0, 1].map((component) =>
      Object.values(site.point('temperature', 0, undefined, component))
        .slice(0, 4)
        .join(','),
    )
    const [h0, h1, h2, h3] = [0, 1, 2, 3].map((hours) => time(NOON + hours * HOUR))
    const header = 'from,to,system_uuid,component_uuid,service_uuid,characteristic_uuid,count,max,time_weighted_avg'
    const lines = text.trimEnd().split('\r\n')
    expect(lines[0]).toBe(header)
    expect(new Set(lines.slice(1))).toStrictEqual(
      new Set([
        `${h0},${h1},${first},2,22.5,21.25`,
        `${h1},${h2},${first},0,,22.5`,
        `${h2},${h3},${first},1,-1,-1`,
        `${h0},${h1},${second},0,,`,
        `${h1},${h2},${second},1,7,7`,
        `${h2},${h3},${second},0,,7`,
      ]),
    )
  })

  it('texts in CSV are quoted, and can be made safe to open', async () => {
    const query = `${of('note')}&aggregations=last`
    expect((await get(query, 'text/csv')).text).toContain(',1,"=1+1,""x"""\r\n')
    expect((await get(`${query}&guard_formulas=true`, 'text/csv')).text).toContain(`,1,"'=1+1,""x"""\r\n`)
  })

  it('NDJSON has the same as the JSON of one series', async () => {
    const { component_uuid, service_uuid, characteristic_uuid } = site.point('count', null)
    const one = new URLSearchParams({ component_uuid, service_uuid, characteristic_uuid }).toString()
    const query = `${one}&aggregations=min,sum,delta,first`
    const { buckets } = (await get(query, 'application/json')).json as { buckets: object[] }
    const lines = (await get(query, 'application/x-ndjson')).text.trimEnd().split('\n')
    const { value: _, ...labels } = site.point('count', null)
    expect(lines.map((line) => JSON.parse(line) as unknown)).toStrictEqual(
      buckets.map((bucket) => ({ ...labels, ...bucket })),
    )
    expect(buckets).toMatchObject([{ sum: '18446744073709551613', min: '9223372036854775806' }])
  })

  it('Parquet has typed columns, and sums that no number holds as text', async () => {
    expect(await parquet(`${of('count')}&aggregations=max,sum,avg,changes,count`)).toMatchObject([
      {
        from: new Date(NOON),
        to: new Date(NOON + HOUR),
        component_uuid: site.componentUuids[0],
        count: 2n,
        max: 9_223_372_036_854_775_807n,
        sum: '18446744073709551613',
        avg: 2 ** 63,
        changes: 1n,
      },
    ])
    expect(await parquet(`${of('open')}&aggregations=last,time_weighted_avg&fill=previous`)).toMatchObject([
      { last: true, time_weighted_avg: 1 },
      { last: true },
      { last: true },
    ])
    expect(await parquet(`${of('temperature')}&aggregations=min&fill=none`)).toHaveLength(3)
  })

  it.each([
    ['aggregations=max', 'note', 'text/csv', 'max cannot be made of text values'],
    ['aggregations=last&fill=linear', 'note', 'text/csv', 'cannot be interpolated'],
    ['aggregations=max&interval=PT1S', 'temperature', 'text/csv', 'interval is given twice'],
    ['aggregations=max&first=3', 'temperature', 'text/csv', 'first cannot be given together with interval'],
    ['fill=null', 'temperature', PARQUET, 'interval needs aggregations'],
  ] as const)('%s of %s as %s is refused before anything is written', async (query, code, accept, why) => {
    const { status, json } = await get(`${of(code)}&${query}`, accept)
    expect(status).toBe(400)
    expect(json).toMatchObject({ detail: expect.stringContaining(why) as string })
  })

  it('Parquet of series of several kinds, and more buckets than there may be, are refused by name', async () => {
    const several = await get(`${of('temperature', 'count')}&aggregations=max`, PARQUET)
    expect(several.json).toMatchObject({ detail: expect.stringContaining('a column has one type') as string })
    const path = `/rest/v1/data-points?${of('temperature')}&from=2020-01-01T00:00:00Z&interval=PT1S&aggregations=max`
    const many = await server.call({ method: 'GET', path, headers: { accept: 'text/csv' } })
    expect(many).toMatchObject({ status: 413, json: { code: 'LIMIT_EXCEEDED' } })
  })

  it('HEAD says what the file would be, and writes none', async () => {
    const path = `/rest/v1/data-points?${RANGE}&${of('temperature')}&aggregations=max`
    const answer = await server.call({ method: 'HEAD', path, headers: { accept: 'text/csv' } })
    expect(answer).toMatchObject({ status: 200, text: '', headers: { 'content-type': expect.stringContaining('csv') } })
  })
})
