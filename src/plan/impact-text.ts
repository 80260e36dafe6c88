import { formatCount } from '../lib/counted.ts'
import type { Impact } from './plan.ts'

/**
 * `about 1,204 datapoints, 3 components`, or an empty text. The number of datapoints is a statistic: points of the last
 * moments are not in it, and a point that was sent again may count again.
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

/** Tells whether a text of `countsOf` is about one thing only. */
export function isOfOne(counts: string): boolean {
  return /^(about )?1 [a-z]+$/.test(counts)
}
