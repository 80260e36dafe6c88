import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import type { Forge } from '../src/reconcile/forge/forge.ts'
import { githubForge } from '../src/reconcile/forge/github.ts'
import type { Io } from '../src/shell/io.ts'
import { makeDocument, parseBaseline } from './documents.ts'
import { median, tell } from './measure.ts'
import { commitText } from './report.ts'

// npm run bench:nightly [-- --nights FILE] [BENCH …]: runs the benches, adds their processor times to the file, and compares
// them with the nights before. In a job with GITHUB_TOKEN it keeps an issue; elsewhere it says what is slower.

/**
 * The benches of every night: which columns of their tables are processor time, and how much of it is as coarse as the
 * clock of processes, in the unit of the columns.
 */
export const BENCHES = {
  results: { columns: /CPU$/, least: 100 },
  codec: { columns: /^(?:encode|decode|sum up)/, least: 10 },
  console: { columns: /^server, ms$/, least: 5 },
  datapoints: { columns: /^CPU|^client$/, least: 0.1 },
  fleet: { columns: /^CPU/, least: 0.1 },
  'sign-in': { columns: /^CPU/, least: 0.01 },
  'small-request': { columns: /^CPU of the server/, least: 10 },
} as const satisfies { readonly [report: string]: { readonly columns: RegExp; readonly least: number } }

export type ReportName = keyof typeof BENCHES

/** Processor times by their names: that of the report, the heading, the row and the column. */
export type Figures = { readonly [name: string]: number }

/** What the benches of one night have measured. */
export interface Night {
  readonly commit: string
  readonly at: string
  readonly figures: Figures
}

async function runNight(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { nights: { type: 'string', default: '.bench/nights.json' } },
    allowPositionals: true,
  })
  const failed: string[] = []
  let figures: Figures = {}
  for (const name of Object.keys(BENCHES) as ReportName[]) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    tell(`${name} …`)
    const unit = (await parseBaseline(makeDocument(10_000), 11)).processor
    try {
      const program = new URL('./run.ts', import.meta.url).pathname
      const words = [program, name, '--size', 'night']
      const { stdout } = await promisify(execFile)(process.execPath, words, { maxBuffer: 16_777_216 })
      figures = { ...figures, ...cpuFigures(name, stdout, unit) }
    } catch (error) {
      failed.push(`${name} (${String(error).slice(0, 2_000)})`)
    }
  }
  // Nobody else writes this file.
  const before = existsSync(values.nights) ? (JSON.parse(readFileSync(values.nights, 'utf8')) as readonly Night[]) : []
  const nights = withNight(before, { commit: commitText(), at: new Date().toISOString(), figures })
  mkdirSync(dirname(values.nights), { recursive: true })
  writeFileSync(values.nights, `${JSON.stringify(nights)}\n`)
  const slower = slowerFigures(nights)
  for (const { name, before, last } of slower) process.stdout.write(`${name}: ${before} → ${last.join(', ')}\n`)
  const { GITHUB_TOKEN: token, GITHUB_REPOSITORY: repository = '', GITHUB_API_URL: apiUrl = '' } = process.env
  if (token !== undefined) {
    const [owner = '', repo = ''] = repository.split('/')
    await keepIssue(await githubForge({ token, apiUrl, owner, repo }, ownIo()), slower, nights)
  }
  if (failed.length > 0) {
    tell(`these benches failed: ${failed.join(', ')}`)
    process.exitCode = 1
  }
}

function ownIo(): Io {
  const output = { write: tell, isTerminal: false }
  return {
    stdout: output,
    stderr: output,
    env: process.env,
    cwd: process.cwd(),
    signal: new AbortController().signal,
    ask: null,
    fetch: (request) => fetch(request),
    now: Date.now,
    wait: (milliseconds) => wait(milliseconds),
  }
}

/** The processor times in a report, each as a multiple of `unit`, which makes machines of unlike speed comparable. */
export function cpuFigures(name: ReportName, report: string, unit = 1): Figures {
  const { columns, least } = BENCHES[name]
  return Object.fromEntries(
    cellsOf(report)
      .filter(({ column, value }) => columns.test(column) && value >= least)
      .map(({ heading, row, column, value }) => [[name, heading, row, column].join(' › '), value / unit]),
  )
}

interface Cell {
  readonly heading: string
  readonly row: string
  readonly column: string
  readonly value: number
}

/** The numbers in the tables of a report, in the order of its text. */
function cellsOf(report: string): Cell[] {
  const cells: Cell[] = []
  let heading = ''
  let columns: readonly string[] | null = null
  for (const line of report.split('\n')) {
    if (line.startsWith('#')) heading = line.replace(/^#+ /, '')
    if (!line.startsWith('|')) columns = null
    else if (columns === null) columns = partsOf(line)
    else cells.push(...cellsOfRow(heading, columns, partsOf(line)))
  }
  return cells
}

/** The second column names the row, too, if it is one of these. */
const NAMES_TOO = /^(?:command|at once|number)$/

function cellsOfRow(heading: string, columns: readonly string[], parts: readonly string[]): Cell[] {
  const names = parts.slice(0, NAMES_TOO.test(columns[1] ?? '') ? 2 : 1)
  return parts.slice(names.length).flatMap((part, index) => {
    const value = Number(part.replaceAll(',', ''))
    const column = columns[index + names.length] ?? ''
    return part === '' || Number.isNaN(value) ? [] : [{ heading, row: names.join(', '), column, value }]
  })
}

function partsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((part) => part.trim())
}

export interface Slower {
  readonly name: string
  /** The median of the nights before, and the two last nights. */
  readonly before: number
  readonly last: readonly [number, number]
}

/** A figure is slower if it is so many times as much. */
const MOST = 1.15
/** With fewer nights before the two last, nothing is compared. */
const FEWEST_BEFORE = 3
/** Nights that are kept. A figure that becomes slower bit by bit has done so within a month. */
const MOST_KEPT = 30

export function withNight(nights: readonly Night[], night: Night): readonly Night[] {
  return [...nights, night].slice(-MOST_KEPT)
}

/** The figures that are higher on both of the two last nights than the median of those before, the worst first. */
export function slowerFigures(nights: readonly Night[]): readonly Slower[] {
  const [last, next] = nights.slice(-2)
  if (last === undefined || next === undefined) return []
  const earlier = nights.slice(0, -2)
  return Object.keys(next.figures)
    .flatMap((name) => slowerOf(name, [last, next], earlier))
    .toSorted((one, other) => timesOf(other) - timesOf(one))
}

function slowerOf(name: string, nights: readonly [Night, Night], earlier: readonly Night[]): Slower[] {
  const before = earlier.flatMap(({ figures }) => figures[name] ?? [])
  const [one, other] = nights.map(({ figures }) => figures[name])
  if (one === undefined || other === undefined || before.length < FEWEST_BEFORE) return []
  const usual = median(before)
  return Math.min(one, other) > usual * MOST ? [{ name, before: usual, last: [one, other] }] : []
}

function timesOf({ before, last }: Slower): number {
  return Math.min(...last) / before
}

export const LABEL = 'slower-bench'

const MOST_ROWS = 100

/** Keeps one issue open while benches are slower than they were, and closes it when they are not. */
export async function keepIssue(
  forge: Pick<Forge, 'ownIssues' | 'createIssue' | 'updateIssue'>,
  slower: readonly Slower[],
  nights: readonly Night[],
): Promise<void> {
  const issue = (await forge.ownIssues(LABEL)).findLast(({ isOpen }) => isOpen)
  if (slower.length === 0) {
    if (issue !== undefined) await forge.updateIssue(issue.number, { state: { closed: 'done' } })
    return
  }
  const text = { title: 'Benches take more processor time than they did', body: bodyOf(slower, nights) }
  if (issue === undefined) await forge.createIssue(LABEL, text)
  else await forge.updateIssue(issue.number, { state: 'open', ...text })
}

function bodyOf(slower: readonly Slower[], nights: readonly Night[]): string {
  const rows = slower.slice(0, MOST_ROWS).map((one) => `| ${one.name} | ${timesOf(one).toFixed(2)} |`)
  const [good, last, next] = nights.slice(-3).map(({ commit, at }) => `${commit} (${at.slice(0, 10)})`)
  const more = slower.length > MOST_ROWS ? `\n\nThese are the ${MOST_ROWS} worst of ${slower.length}.` : ''
  return `On the two last nights these figures were at least 15 % above the median of the nights before. Each is processor time, as a multiple of that of JSON.parse in the same night.

The two nights measured ${last} and ${next}; the night before them measured ${good}.

| figure | times as much |
| --- | ---: |
${rows.join('\n')}${more}`
}

// Last, because it needs all constants of this file.
if (import.meta.main) await runNight()
