// The reports of benches are read for their figures of processor time, so that no bench writes them twice.

/** A bench of every night: its file, how it is called, and which columns of its tables are processor time. */
export interface NightlyBench {
  readonly file: string
  readonly words: readonly string[]
  readonly columns: RegExp
  /** Less than this, in the unit of the columns, is as coarse as the clock of processes. */
  readonly least: number
}

export const BENCHES = {
  results: { file: 'run.ts', words: [], columns: /CPU$/, least: 100 },
  codec: { file: 'codec.ts', words: [], columns: /^(?:encode|decode|sum up)/, least: 10 },
  console: { file: 'console.ts', words: ['--quick'], columns: /^server, ms$/, least: 5 },
  datapoints: { file: 'datapoints.ts', words: ['--quick'], columns: /^CPU|^client$/, least: 0.1 },
  fleet: { file: 'fleet.ts', words: ['--quick'], columns: /^CPU/, least: 0.1 },
  'sign-in': { file: 'sign-in.ts', words: [], columns: /^CPU/, least: 0.01 },
  'small-request': { file: 'small-request.ts', words: [], columns: /^CPU of the server/, least: 10 },
} as const satisfies { readonly [report: string]: NightlyBench }

export type ReportName = keyof typeof BENCHES

/** Processor times by their names: that of the report, the heading, the row and the column. */
export type Figures = { readonly [name: string]: number }

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

/** The numbers in the tables of a text, in the order of the text. */
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

/** A row is named by its first column, or by the first two. */
function cellsOfRow(heading: string, columns: readonly string[], parts: readonly string[]): Cell[] {
  const names = parts.slice(0, NAMES_TOO.test(columns[1] ?? '') ? 2 : 1)
  return parts.slice(names.length).flatMap((part, index) => {
    const value = Number(part.replaceAll(',', ''))
    const column = columns[index + names.length] ?? ''
    return part === '' || Number.isNaN(value) ? [] : [{ heading, row: names.join(', '), column, value }]
  })
}

const NAMES_TOO = /^(?:command|at once|number)$/

function partsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((part) => part.trim())
}
