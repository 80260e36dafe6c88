/** Months of which the chunks lie in one partition, as numbers of months since 1970. */
export interface ChunkPartition {
  readonly first: number
  /** The month after the last one. */
  readonly next: number
}

const MONTHS_FROM = (2020 - 1970) * 12
const YEARS_FROM = (2010 - 1970) * 12
const YEAR = 12
const DECADE = 10 * YEAR

/**
 * The partition of a month. There are few points from years ago, and any sender may send a point of each month since 1970,
 * so these months have partitions in common: a statement names all partitions, and there are a hundred rather than seven
 * hundred.
 */
export function partitionOf(month: number): ChunkPartition {
  const size = month >= MONTHS_FROM ? 1 : month >= YEARS_FROM ? YEAR : DECADE
  const first = month - (month % size)
  return { first, next: first + size }
}

/** The end of the name of its table, such as 2026_11, 2015 or 1980s. */
export function partitionName({ first, next }: ChunkPartition): string {
  const [year = '', month = ''] = new Date(beginOfMonth(first) / 1_000).toISOString().split('-')
  if (next - first === 1) return `${year}_${month}`
  return next - first === YEAR ? year : `${year}s`
}

const NAME = /_(\d{4})(?:s|_(\d\d))?$/

/** The partition of that name; undefined where it is none of ours. */
export function partitionNamed(name: string): ChunkPartition | undefined {
  const [, year, month = '01'] = NAME.exec(name) ?? []
  return year === undefined ? undefined : partitionOf((Number(year) - 1970) * YEAR + Number(month) - 1)
}

/** The month (UTC) of a time in microseconds since 1970, as the number of months since 1970. */
export function monthOf(at: number): number {
  const date = new Date(at / 1_000)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

export function beginOfMonth(month: number): number {
  return Date.UTC(1970, month) * 1_000
}
