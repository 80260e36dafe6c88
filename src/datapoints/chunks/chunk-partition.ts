/** The months of a partition of the chunks, as numbers of months since 1970. */
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
 * Returns the partition of a month. Old months share partitions, because they have few points, but any sender may send
 * a point for each month since 1970. A statement names all partitions, so there should be a hundred rather than seven
 * hundred.
 */
export function partitionOf(month: number): ChunkPartition {
  const size = month >= MONTHS_FROM ? 1 : month >= YEARS_FROM ? YEAR : DECADE
  const first = month - (month % size)
  return { first, next: first + size }
}

/** Returns the end of the partition's table name, such as 2026_11, 2015 or 1980s. */
export function partitionName({ first, next }: ChunkPartition): string {
  const [year = '', month = ''] = new Date(beginOfMonth(first) / 1_000).toISOString().split('-')
  if (next - first === 1) return `${year}_${month}`
  return next - first === YEAR ? year : `${year}s`
}

const NAME = /_(\d{4})(?:s|_(\d\d))?$/

/** Finds a partition by the name of its table; undefined if the table is not a partition. */
export function partitionNamed(name: string): ChunkPartition | undefined {
  const [, year, month = '01'] = NAME.exec(name) ?? []
  return year === undefined ? undefined : partitionOf((Number(year) - 1970) * YEAR + Number(month) - 1)
}

/** Converts microseconds since 1970 to months since 1970 (UTC). */
export function monthOf(at: number): number {
  const date = new Date(at / 1_000)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

export function beginOfMonth(month: number): number {
  return Date.UTC(1970, month) * 1_000
}
