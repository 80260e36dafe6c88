import { html, type Html } from '../../server/html.ts'

const WIDTH = 6
const HEIGHT = 14

/** How much came in each stretch of time, as bars beside the largest of them; a line where nothing came. */
export function bars(counts: readonly number[], text: string): Html {
  const most = Math.max(1, ...counts)
  const filled = counts.map((count, index) => (count === 0 ? '' : bar(index, Math.max(2, (count / most) * HEIGHT))))
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

function bar(index: number, height: number): string {
  return `M${index * WIDTH} ${HEIGHT}v-${height.toFixed(1)}h${WIDTH - 1}V${HEIGHT}z`
}
