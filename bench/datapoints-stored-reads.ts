import type { Database } from '../src/db/sql.ts'
import { send, toHoldfast } from './datapoints-client.ts'
import type { InfluxServer } from './datapoints-influx.ts'
import { settle, type Subject } from './datapoints-subject.ts'
import { median, timed } from './measure.ts'

// Reading over HTTP, as JSON, from ten million stored points, next to the same questions to InfluxDB with the same points:
// all of one day of one series, once a second, and its means of each minute.

/** Milliseconds, the median of several. */
export interface Reads {
  readonly [figure: string]: number
  readonly raw: number
  readonly buckets: number
}

const SERIES = 16
const DAY_SECONDS = 86_400
const RUNS = 9
const FROM = Date.UTC(2026, 2, 1)

export async function fillForReads(subject: Subject, influx: InfluxServer | null, days: number): Promise<void> {
  const series = subject.many.slice(-SERIES)
  const size = { batch: 5_000, connections: 4, points: SERIES * DAY_SECONDS * days, from: FROM }
  const { url } = subject.server
  await send({ ...toHoldfast(url, await subject.server.token()), ...size, series })
  if (influx !== null) await send({ ...influx.load, ...size, series: influx.seriesOf(series) })
}

export async function measureReads({ server, many }: Subject, database: Database, days: number): Promise<Reads> {
  await settle(database)
  const [series] = many.slice(-SERIES)
  const { day } = rangeOf(days)
  const { system_uuid: _, value: __, ...names } = JSON.parse(`${series}null}`) as { [field: string]: string }
  const parameters = new URLSearchParams({ ...names, ...day })
  const authorization = `Bearer ${await server.token()}`
  const get = async (more: string) => {
    const url = `${server.url}/rest/v1/data-points?${parameters.toString()}&${more}`
    const response = await fetch(url, { headers: { authorization } })
    if (!response.ok) throw new Error(`the server answered ${response.status}: ${await response.text()}`)
    return response.text()
  }
  return {
    raw: await medianOf(() => get(`first=${DAY_SECONDS}`), DAY_SECONDS),
    buckets: await medianOf(() => get('interval=PT1M&aggregations=avg&fill=none'), DAY_SECONDS / 60),
  }
}

export async function measureInfluxReads(influx: InfluxServer, { many }: Subject, days: number): Promise<Reads> {
  const [line = ''] = influx.seriesOf(many.slice(-SERIES))
  const [, characteristic, component] = /characteristic=([^,]+),component=(\S+)/.exec(line) ?? []
  const { day } = rangeOf(days)
  const where = `characteristic = '${characteristic}' and component = '${component}' and time >= '${day.from}' and time < '${day.to}'`
  const raw = `select value from points where ${where}`
  const buckets = `select mean(value) from points where ${where} group by time(1m)`
  return {
    raw: await medianOf(() => influx.query(raw), DAY_SECONDS),
    buckets: await medianOf(() => influx.query(buckets), DAY_SECONDS / 60),
  }
}

/** The day in the middle. */
function rangeOf(days: number) {
  const begin = FROM + Math.floor(days / 2) * DAY_SECONDS * 1_000
  return { day: { from: new Date(begin).toISOString(), to: new Date(begin + DAY_SECONDS * 1_000).toISOString() } }
}

/** Each thing that is read takes more than ten characters of JSON. */
async function medianOf(read: () => Promise<string>, things: number): Promise<number> {
  const answer = await read()
  if (answer.length < things * 10) throw new Error(`too little was read: ${answer.slice(0, 500)}`)
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) times.push(await timed(read))
  return median(times)
}
