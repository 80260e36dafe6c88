import { formatCount } from '../lib/counted.ts'
import type { Impact } from './plan.ts'

/**
 * `about 1,204 datapoints, 3 components`, or an empty text. The number of datapoints is an estimate from statistics:
 * it lacks the newest points, and may count a point twice if it was sent again.
 */
export function countsOf(impact: Impact): string {
  return Object.entries(impact)
    .filter(([, count]) => count > 0)
    .map(([counted, count]) => {
      const about = counted === 'datapoints' ? 'about ' : ''
      return `${about}${formatCount(count)} ${count === 1 ? counted.slice(0, -1) : counted}`
    })
    .join(', ')
}

/** Tells whether a text of `countsOf` counts exactly one thing. */
export function isOfOne(counts: string): boolean {
  return /^(about )?1 [a-z]+$/.test(counts)
}
