import { parseArgs } from 'node:util'

const PARTS = ['shapes', 'hour', 'hourly', 'year', 'large', 'soak'] as const
export type Part = (typeof PARTS)[number]

/** How large a run is. */
export interface Sizes {
  readonly isQuick: boolean
  readonly parts: ReadonlySet<Part>
  /** Of the fleet. */
  readonly series: number
  /** How often each shape is measured, in turns. */
  readonly turns: number
  /** How many points of each series the wide shape sends. */
  readonly rounds: number
  /** Of which an hour is kept. */
  readonly hourSeries: number
  readonly hourlySeries: number
  readonly hourlyDays: number
  /** Between two points of the year, in milliseconds. */
  readonly yearStep: number
  /** How long folding and merging are waited for, in seconds. */
  readonly patience: number
  readonly soakMinutes: number
}

export interface FleetOptions {
  readonly sizes: Sizes
  /** Whether the figures are kept as those of before. */
  readonly isBefore: boolean
  readonly date: string
}

export function fleetOptions(): FleetOptions {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      soak: { type: 'boolean', default: false },
      before: { type: 'boolean', default: false },
      series: { type: 'string', default: '100000' },
      minutes: { type: 'string', default: '30' },
      parts: { type: 'string' },
      date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    },
  })
  const sizes = sizesOf(values.quick, wholeOf('series', values.series), partsOf(values))
  return {
    sizes: { ...sizes, soakMinutes: wholeOf('minutes', values.minutes) },
    isBefore: values.before,
    date: values.date,
  }
}

function sizesOf(isQuick: boolean, series: number, parts: ReadonlySet<Part>): Omit<Sizes, 'soakMinutes'> {
  const quick = { turns: 1, rounds: 4, hourSeries: series / 10, hourlySeries: 100, hourlyDays: 30, patience: 20 }
  const whole = { turns: 3, rounds: 10, hourSeries: series, hourlySeries: 400, hourlyDays: 90, patience: 90 }
  return { isQuick, parts, series, yearStep: isQuick ? 10_000 : 1_000, ...(isQuick ? quick : whole) }
}

/** A soak stands for itself, and a quick run leaves out what takes minutes. */
function partsOf({ parts, quick, soak }: { parts?: string | undefined; quick: boolean; soak: boolean }): Set<Part> {
  if (soak) return new Set(['soak'])
  if (parts === undefined) return new Set(PARTS.filter((part) => part !== 'soak' && !(quick && part === 'large')))
  return new Set(parts.split(',').map(partOf))
}

function partOf(word: string): Part {
  const part = PARTS.find((one) => one === word)
  if (part === undefined) throw new Error(`there is no part ${word}; possible are ${PARTS.join(', ')}`)
  return part
}

function wholeOf(name: string, text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new Error(`--${name} must be a whole number above 0, but is ${text}`)
}
