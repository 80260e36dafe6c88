const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The length of a bucket. */
export interface Interval {
  /** An ISO 8601 duration. */
  readonly duration: string
  readonly label: string
  readonly ms: number
}

// From an hour on, the store has summaries for buckets, so a year is read as fast as a week.
const INTERVALS: readonly Interval[] = [
  { duration: 'PT1S', label: '1 s', ms: SECOND },
  { duration: 'PT5S', label: '5 s', ms: 5 * SECOND },
  { duration: 'PT10S', label: '10 s', ms: 10 * SECOND },
  { duration: 'PT30S', label: '30 s', ms: 30 * SECOND },
  { duration: 'PT1M', label: '1 min', ms: MINUTE },
  { duration: 'PT5M', label: '5 min', ms: 5 * MINUTE },
  { duration: 'PT10M', label: '10 min', ms: 10 * MINUTE },
  { duration: 'PT1H', label: '1 h', ms: HOUR },
  { duration: 'PT6H', label: '6 h', ms: 6 * HOUR },
  { duration: 'P1D', label: '1 day', ms: DAY },
  { duration: 'P7D', label: '7 days', ms: 7 * DAY },
]

/** The maximum number of buckets, about one per pixel of a wide screen. */
const MOST_BUCKETS = 1_500

/** The shortest interval that needs at most this many buckets. */
export function intervalFor(windowMs: number): Interval {
  const fitting = INTERVALS.find(({ ms }) => windowMs / ms <= MOST_BUCKETS) ?? INTERVALS.at(-1)
  if (fitting === undefined) throw new Error('there are no intervals')
  return fitting
}
