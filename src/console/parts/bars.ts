import { html, type Html } from '../../server/html.ts'

const WIDTH = 6
const HEIGHT = 14
/** The least height of a bar, which distinguishes it from a line. */
const LEAST = 4

/**
 * A bar chart of counts per interval, scaled to the usual count. An interval without arrivals is a line. Late data sent
 * all at once can be many times the usual count, and would otherwise flatten all other bars.
 */
export function bars(counts: readonly number[], text: string): Html {
  const usual = Math.max(1, usualOf(counts))
  const filled = counts.map((count, index) =>
    count === 0 ? '' : bar(index, Math.max(LEAST, Math.min(1, count / usual) * HEIGHT)),
  )
  const empty = counts.map((count, index) => (count === 0 ? `M${index * WIDTH} ${HEIGHT - 1}h${WIDTH - 2}v1h-4z` : ''))
  return html`<svg
    class="bars"
    viewBox="0 0 ${counts.length * WIDTH} ${HEIGHT}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${text}"
  >
    <path class="filled" d="${filled.join('')}" />
    <path class="empty-bar" d="${empty.join('')}" />
  </svg>`
}

/** The usual count: the median of the non-empty intervals, plus a quarter. */
function usualOf(counts: readonly number[]): number {
  const filled = counts.filter((count) => count > 0).toSorted((one, other) => one - other)
  return (filled[Math.floor(filled.length / 2)] ?? 0) * 1.25
}

function bar(index: number, height: number): string {
  return `M${index * WIDTH} ${HEIGHT}v-${height.toFixed(1)}h${WIDTH - 1}V${HEIGHT}z`
}
