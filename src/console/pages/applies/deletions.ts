import { timestampText } from '../../../datapoints/wire/timestamp-text.ts'
import { isWhole, listDeletions } from '../../../platform/deletions/deletions.ts'
import type { Deletion } from '../../../platform/deletions/deletion-target.ts'
import { DELETION } from '../../../records/entities.ts'
import { html, type Html } from '../../../server/html.ts'
import { declarePage } from '../../page.ts'
import { pagesOf } from '../../pages-of.ts'
import { empty } from '../../parts/block.ts'
import { shortText } from '../../parts/short-text.ts'
import { MOST_COUNTED_ROWS, table } from '../../parts/table.ts'
import { date } from '../../parts/time.ts'
import { cursorAfter } from '../../row-after.ts'
import { appliesTabs } from './applies-tabs.ts'

const ON_A_PAGE = 50

/** `/deletions`: what people deleted. */
export const DELETIONS_PAGE = declarePage({
  path: '/deletions',
  area: 'applies',
  right: DELETION.rights.read,
  keepsWithin: false,
  async show(visit) {
    const asked = { first: ON_A_PAGE, after: cursorAfter(visit.url), mostCounted: MOST_COUNTED_ROWS }
    const page = await listDeletions(visit.context, visit.actor, asked)
    const rows = page.items.map((one) => ({
      cells: [
        subjectOf(one),
        one.counts.datapoints.toLocaleString('en-US'),
        one.deletedBy,
        date(one.deletedAt, visit.now, visit.zone),
      ],
    }))
    return {
      title: 'Deletions',
      crumbs: [{ label: 'Applies', href: '/applies' }],
      tabs: appliesTabs(visit, 'deletions'),
      body:
        rows.length === 0
          ? empty('Nobody has deleted anything.')
          : html`${table(COLUMNS, rows)} ${pagesOf(visit.url, page)}`,
    }
  },
})

const COLUMNS = [
  { label: 'Deleted' },
  { label: 'Datapoints', isNumber: true },
  { label: 'By', isName: true },
  { label: 'When', isNumber: true },
]

function subjectOf(deletion: Deletion): Html {
  const { kind, name, subject, series, from, to } = deletion
  const what = isWhole(deletion) ? kind.toLowerCase() : `only events and setpoints of the ${kind.toLowerCase()}`
  if (series === null) return html`${what} ${shortText(name ?? '')}<code class="under">${subject}</code>`
  const names = Object.values(series).flatMap((list) => list ?? [])
  const since = from === null ? '' : ` from ${timestampText(from)}`
  const until = to === null ? '' : ` before ${timestampText(to)}`
  return html`datapoints${since}${until}<span class="under">${shortText(names.join(', '))}</span>`
}
