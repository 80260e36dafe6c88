import { formatCount } from '../lib/counted.ts'
import type { Impact } from './plan.ts'

/**
 * `1,204 datapoints, 3 components`, or an empty text. `isArriving` says that more datapoints may have arrived by the
 * time the text is read.
 */
export function countsOf(impact: Impact, isArriving = false): string {
  return Object.entries(impact)
    .filter(([, count]) => count > 0)
    .map(([counted, count]) => {
      const least = isArriving && counted === 'datapoints' ? 'at least ' : ''
      return `${least}${formatCount(count)} ${count === 1 ? counted.slice(0, -1) : counted}`
    })
    .join(', ')
}
