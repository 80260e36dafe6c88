import type { Arrivals, SystemArrival } from '../../../platform/systems/list-arrivals.ts'
import { html, type Html } from '../../../server/html.ts'
import type { Visit } from '../../page.ts'
import { block } from '../../parts/block.ts'
import { bars } from '../../parts/bars.ts'
import { table } from '../../parts/table.ts'
import { age, clockText } from '../../parts/time.ts'

const DAY_MS = 86_400_000
const LABELS = 4

/** Shows the arrivals of the last day as one bar per quarter hour, so that a reader sees when arrivals stopped. */
export function arrivalsBlock(
  { now, zone }: Visit,
  arrivals: Arrivals,
  refusedOf: ReadonlyMap<string, number>,
): Html | null {
  const { systems, isAll } = arrivals
  if (systems.length === 0) return null
  const columns = [
    { label: 'System' },
    { label: 'Arrivals', shown: clock(now, zone) },
    { label: 'Stored', isNumber: true },
    { label: 'Refused', isNumber: true },
    { label: 'Last', isNumber: true },
  ]
  return block({
    title: 'Arrivals',
    note: `24 hours by time of arrival, a bar for each quarter of an hour${isAll ? '' : whichOf(systems)}`,
    more: { label: 'All systems', href: '/systems' },
    body: table(
      columns,
      systems.map(({ systemUuid, name, lastAt, isSilent, quarters }) => ({
        sign: isSilent ? ('needs' as const) : ('quiet' as const),
        cells: [
          html`<a href="/systems/${systemUuid}/analyse">${name}</a>`,
          bars(quarters, spoken(quarters)),
          quarters.reduce((sum, count) => sum + count, 0),
          refusedOf.get(systemUuid) ?? 0,
          html`<span class="${isSilent ? 'needs' : ''}">${age(lastAt, now, zone)}</span>`,
        ],
      })),
    ),
  })
}

/** Says whether the listed systems are those that fell silent last or those that sent last. */
function whichOf(systems: Arrivals['systems']): string {
  const count = systems.length === 1 ? 'the system' : `the ${systems.length} systems`
  return systems.some(({ isSilent }) => isSilent) ? `; ${count} that fell silent last` : `; ${count} that sent last`
}

function clock(now: Date, zone: string): Html {
  const times = Array.from({ length: LABELS }, (_, index) =>
    clockText(new Date(now.getTime() - DAY_MS + (index * DAY_MS) / LABELS), zone),
  )
  return html`<span class="clock">${[...times, 'now'].map((time) => html`<span>${time}</span>`)}</span>`
}

function spoken(quarters: SystemArrival['quarters']): string {
  const filled = quarters.filter((count) => count > 0).length
  const last = quarters.findLastIndex((count) => count > 0)
  const since = quarters.length - 1 - last
  const silence = last === -1 || since < 2 ? '' : `, none in the last ${since} of them`
  return `Datapoints arrived in ${filled} of ${quarters.length} quarters of an hour${silence}`
}
