import type { Server } from './platform.ts'
import { median, timed } from './measure.ts'

/** What is asked of a server over HTTP, with a token of its own. */
export interface Reader {
  /** The last datapoint of each series of a system, as its JSON. */
  latest(system: string): Promise<string>
  /** Points, buckets or a curve of one series, as JSON; null where it is refused as too much. */
  points(series: SeriesNames, query: { readonly [name: string]: string }): Promise<string | null>
}

/** The uuids of a series by the names that a query has for them. */
export interface SeriesNames {
  readonly component_uuid: string
  readonly service_uuid: string
  readonly characteristic_uuid: string
}

/** `series`: the JSON of a datapoint up to its value. */
export function namesOf(series: string): SeriesNames & { readonly system_uuid: string } {
  const { value: _, ...names } = JSON.parse(`${series}null}`) as ReturnType<typeof namesOf> & { value: null }
  return names
}

const LATEST = 'query ($systems: [ID!]) { latestDatapoints(systems: $systems) { timestamp value } }'

export async function openReader({ url, token }: Pick<Server, 'url' | 'token'>): Promise<Reader> {
  const authorization = `Bearer ${await token()}`
  return {
    async latest(system) {
      const body = JSON.stringify({ query: LATEST, variables: { systems: [system] } })
      const headers = { authorization, 'content-type': 'application/json' }
      const answer = await textOf(await fetch(`${url}/graphql`, { method: 'POST', headers, body }))
      if (answer.includes('"errors"')) throw new Error(`the server answered ${answer.slice(0, 500)}`)
      return answer
    },
    async points({ component_uuid, service_uuid, characteristic_uuid }, query) {
      const parameters = new URLSearchParams({ component_uuid, service_uuid, characteristic_uuid, ...query })
      const response = await fetch(`${url}/rest/v1/data-points?${parameters.toString()}`, {
        headers: { authorization },
      })
      if (response.status !== 413) return textOf(response)
      await response.text()
      return null
    },
  }
}

async function textOf(response: Response): Promise<string> {
  const text = await response.text()
  if (!response.ok) throw new Error(`the server answered ${response.status}: ${text.slice(0, 500)}`)
  return text
}

/** Milliseconds: the median, of fewer where one takes seconds. NaN: it was refused. */
export async function medianOf(read: () => Promise<string | null>, runs = 5): Promise<number> {
  const times: number[] = []
  const end = performance.now() + 10_000
  while (times.length < runs && (times.length === 0 || performance.now() < end)) {
    let answer: string | null = null
    times.push(await timed(async () => (answer = await read())))
    if (answer === null) return Number.NaN
  }
  return median(times)
}
