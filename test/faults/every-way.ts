import { parquetReadObjects } from 'hyparquet'
import type { Site } from '../support/site.ts'

// The temperatures of a site, as each way of reading gives them: series by series, oldest first.

export interface EveryWay {
  readonly ndjson: readonly number[]
  readonly csv: readonly number[]
  readonly parquet: readonly number[]
  readonly pages: readonly number[]
  readonly graphql: readonly number[]
}

export async function readEveryWay(url: string, token: string, site: Site): Promise<EveryWay> {
  const headers = { authorization: `Bearer ${token}` }
  const path = `${url}/rest/v1/data-points`
  const file = (accept: string) => fetch(`${path}?system_uuid=${site.systemUuid}`, { headers: { ...headers, accept } })
  const lines = async (accept: string) => (await (await file(accept)).text()).trim().split(/\r?\n/)
  const parquet = await (await file('application/vnd.apache.parquet')).arrayBuffer()
  return {
    ndjson: (await lines('application/x-ndjson')).map((line) => (JSON.parse(line) as { value: number }).value),
    csv: (await lines('text/csv')).slice(1).map((line) => Number(line.split(',').at(-1))),
    parquet: valuesOf(await parquetReadObjects({ file: parquet })),
    pages: await bySeries(site, (series) => pages(`${path}?${new URLSearchParams(series).toString()}`, headers)),
    graphql: await bySeries(site, (series) => graphqlPages(`${url}/graphql`, headers, series)),
  }
}

function valuesOf(rows: readonly { readonly [column: string]: unknown }[]): number[] {
  return rows.map((row) => Number(Object.entries(row).find(([column]) => column.startsWith('value'))?.[1]))
}

interface Series {
  readonly [field: string]: string
}

async function bySeries(site: Site, read: (series: Series) => Promise<number[]>): Promise<number[]> {
  const all = [0, 1].map((component) => {
    const { component_uuid, service_uuid, characteristic_uuid } = site.point('temperature', null, undefined, component)
    return read({ component_uuid, service_uuid, characteristic_uuid })
  })
  return (await Promise.all(all)).flat()
}

interface Page {
  readonly points: readonly { readonly value: number }[]
  readonly next: string | null
}

async function pages(url: string, headers: HeadersInit): Promise<number[]> {
  const values: number[] = []
  for (let after = ''; ;) {
    const answer = await fetch(`${url}&first=500${after}`, { headers })
    const { points, next } = (await answer.json()) as Page
    values.push(...points.map(({ value }) => value))
    if (next === null) return values
    after = `&after=${next}`
  }
}

const QUERY = `query ($component_uuid: ID!, $service_uuid: String!, $characteristic_uuid: String!) {
  datapoints(component: $component_uuid, service: $service_uuid, characteristic: $characteristic_uuid, first: 100000) {
    points { value }
  }
}`

async function graphqlPages(url: string, headers: HeadersInit, variables: Series): Promise<number[]> {
  const json = { ...headers, 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers: json, body: JSON.stringify({ query: QUERY, variables }) })
  const { data } = (await answer.json()) as { data: { datapoints: Page } }
  return data.datapoints.points.map(({ value }) => value)
}
