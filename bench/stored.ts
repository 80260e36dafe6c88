import { randomUUID } from 'node:crypto'
import { BOOL, INT8, TEXT, nullable } from '../src/db/columns.ts'
import type { Database } from '../src/db/sql.ts'
import { Datapoints } from '../src/platform/datapoints/datapoints.ts'
import { median, tell, timed } from './measure.ts'
import { namesOf, type Server } from './server.ts'

// How stored datapoints are read over HTTP, what they take on disk and in the log, and when they have been folded.

/** What is asked of a server over HTTP. A series is the JSON of a datapoint up to its value. */
export interface Reader {
  /** The last datapoint of each series of the system of this one, as JSON. */
  latest(series: string): Promise<string>
  /** Points, buckets or a curve of one series, as JSON; null if the server refuses them as too much. */
  points(series: string, query: { readonly [name: string]: string }): Promise<string | null>
}

const LATEST = 'query ($systems: [ID!]) { latestDatapoints(systems: $systems) { timestamp value } }'

export async function openReader({ url, token }: Server): Promise<Reader> {
  const authorization = `Bearer ${await token()}`
  return {
    async latest(series) {
      const body = JSON.stringify({ query: LATEST, variables: { systems: [namesOf(series)['system_uuid']] } })
      const headers = { authorization, 'content-type': 'application/json' }
      const answer = await textOf(await fetch(`${url}/graphql`, { method: 'POST', headers, body }))
      if (answer.includes('"errors"')) throw new Error(`the server answered ${answer.slice(0, 500)}`)
      return answer
    },
    async points(series, query) {
      const { system_uuid: _, ...names } = namesOf(series)
      const parameters = new URLSearchParams({ ...names, ...query })
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

/** Milliseconds: the median of five, or of fewer where these take more than ten seconds. NaN: it was refused. */
export async function medianOf(read: () => Promise<string | null>): Promise<number> {
  const times: number[] = []
  const end = performance.now() + 10_000
  while (times.length < 5 && (times.length === 0 || performance.now() < end)) {
    let answer: string | null = null
    times.push(await timed(async () => (answer = await read())))
    if (answer === null) return Number.NaN
  }
  return median(times)
}

/** The platform's own folding in this process, by a clock that we set: what a server does in days and weeks. */
export function openDatapoints(database: Database, now: () => number): Datapoints {
  return new Datapoints({ database, now: () => new Date(now()), newId: randomUUID, isAlone: true })
}

/** Rounds without work after which nothing is due: each looks at one month. */
const IDLE_ROUNDS = 6

/** Does all folding, merging and joining that will be due some weeks from now. No server may run. */
export async function finishFolding(database: Database): Promise<void> {
  const later = Date.now() + 45 * 86_400_000
  const datapoints = openDatapoints(database, () => later)
  await datapoints.takeOver()
  for (let idle = 0; idle < IDLE_ROUNDS; idle++) {
    await datapoints.tidy()
    while (await datapoints.merge()) idle = 0
  }
  await datapoints.close()
}

const TABLES = `from pg_class c where c.relkind = 'r' and c.relname like 'datapoint%'`

/** Bytes of all tables of datapoints, with indexes and long values. */
export async function storedBytes(database: Database): Promise<number> {
  const [row] = await database.rows(
    { bytes: nullable(INT8) },
    `select sum(pg_total_relation_size(c.oid))::bigint as bytes ${TABLES}`,
  )
  return row?.bytes ?? 0
}

/** How much was written to the log since PostgreSQL was set up. */
export async function loggedBytes(database: Database): Promise<number> {
  const [row] = await database.rows({ bytes: INT8 }, `select (pg_current_wal_lsn() - '0/0')::bigint as bytes`)
  return row?.bytes ?? 0
}

/** Removes what deleted rows have left, which VACUUM does in its own time. */
export async function removeDeadRows(database: Database): Promise<void> {
  const tables = await database.rows({ name: TEXT }, `select c.relname::text as name ${TABLES}`)
  for (const { name } of tables) await database.script(`vacuum full ${name}`)
}

/** Waits until nothing is hot and nothing moves any more, or until patience ends. */
export async function untilSettled(database: Database, patienceSeconds: number): Promise<void> {
  const end = performance.now() + patienceSeconds * 1_000
  let [last, same] = [-1, 0]
  while (performance.now() < end) {
    const bytes = await storedBytes(database)
    const [row] = await database.rows({ hot: BOOL }, 'select exists (select from datapoints_hot) as hot')
    same = bytes === last && row?.hot === false ? same + 1 : 0
    if (same === 3) return
    last = bytes
    await new Promise((resolve) => setTimeout(resolve, 2_000))
  }
  tell('  folding was not done when patience ended')
}
