import { missingRight } from '../../../auth/require-right.ts'
import { nextAfter } from '../../../platform/paging.ts'
import { listSystems, type System } from '../../../platform/systems/systems.ts'
import { html, type Html } from '../../../server/html.ts'
import { declarePage, type Visit } from '../../page.ts'
import { cursorAfter } from '../../row-after.ts'
import { empty } from '../../parts/block.ts'
import { statusSign, statusText } from '../../parts/status.ts'
import { asFarAsSeen } from '../../parts/as-far-as-seen.ts'
import { search } from '../../parts/search.ts'
import { MOST_COUNTED_ROWS, pages, rowsBefore, table } from '../../parts/table.ts'
import { date } from '../../parts/time.ts'

const ON_A_PAGE = 50

/** `/systems`: the systems that the person may see, by name. */
export const SYSTEMS_PAGE = declarePage({
  path: '/systems',
  area: 'systems',
  right: 'data:read',
  keepsWithin: true,
  async show(visit) {
    const { searchParams } = visit.url
    const wanted = (searchParams.get('search') ?? '').trim()
    const from = rowsBefore(searchParams)
    const filter = wanted === '' ? {} : { search: wanted }
    const page = { first: ON_A_PAGE, after: cursorAfter(visit.url), mostCounted: MOST_COUNTED_ROWS }
    const found = await listSystems(visit.context, visit.actor, filter, page)
    const after = nextAfter(found)
    const next = after && new URLSearchParams({ ...filter, after, from: String(from + found.items.length) })
    return {
      title: 'Systems',
      ...(missingRight('', 'model:write', visit.caller, true) === null && {
        actions: [html`<a class="button main" href="/systems/new">New system</a>`],
      }),
      body: html`<div class="filters">${search('Search by name', wanted)}</div>
        ${
          found.items.length === 0
            ? empty(nothing(asFarAsSeen('system', visit), wanted))
            : html`${systemTable(visit, found.items)}
              ${pages({ from, count: found.items.length, total: found.total, next: next ? `?${next.toString()}` : null, mostCounted: MOST_COUNTED_ROWS })}`
        }`,
    }
  },
})

function nothing(system: string, wanted: string): string {
  return wanted === '' ? `There is no ${system} yet.` : `No ${system} has “${wanted}” in its name.`
}

const COLUMNS = [
  { label: 'System' },
  { label: 'Organization' },
  { label: 'Status' },
  { label: 'Changed', isNumber: true },
]

function systemTable({ now, zone }: Visit, systems: readonly System[]): Html {
  return table(
    COLUMNS,
    systems.map(({ uuid, name, organizationUnit, status, isPrototype, updatedAt }) => ({
      sign: statusSign(status),
      cells: [
        html`<a href="/systems/${uuid}">${name}</a>${isPrototype ? html` <span class="soft">prototype</span>` : null}`,
        organizationUnit === null ? null : html`<code>${organizationUnit}</code>`,
        statusText(status),
        date(updatedAt, now, zone),
      ],
    })),
  )
}
