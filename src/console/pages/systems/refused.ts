import { listRefusedDatapoints, senderNames } from '../../../platform/datapoints/refused/list-refused.ts'
import { namesOfRefused } from './names-of-refused.ts'
import { html } from '../../../server/html.ts'
import { declarePage } from '../../page.ts'
import { block, empty } from '../../parts/block.ts'
import { cursorAfter } from '../../row-after.ts'
import { pagesOf } from '../../pages-of.ts'
import { MOST_COUNTED_ROWS, table } from '../../parts/table.ts'
import { date } from '../../parts/time.ts'
import { requireSystem, systemView } from './system-view.ts'

const ON_A_PAGE = 50

/** `/systems/:uuid/refused`: the rejected datapoints and the reasons. Their values are not stored. */
export const REFUSED_PAGE = declarePage({
  path: '/systems/:uuid/refused',
  area: 'systems',
  right: 'data:read',
  keepsWithin: true,
  async show(visit) {
    const system = await requireSystem(visit)
    const { context, actor, now, zone, url } = visit
    const page = { first: ON_A_PAGE, after: cursorAfter(url), mostCounted: MOST_COUNTED_ROWS }
    const found = await listRefusedDatapoints(context, actor, { systems: [system.uuid] }, page)
    const nameOf = await namesOfRefused(visit, system.uuid, found.items)
    const senderOf = await senderNames(
      context,
      system.uuid,
      found.items.map(({ sender }) => sender),
    )
    const rows = found.items.map((refused) => ({
      sign: 'failed' as const,
      cells: [
        html`<code>${refused.code}</code>`,
        nameOf(refused),
        senderOf(refused.sender),
        refused.count,
        date(refused.firstAt, now, zone),
        date(refused.lastAt, now, zone),
      ],
    }))
    return systemView(
      visit,
      system,
      'refused',
      block({
        title: 'Refused datapoints',
        note: 'counted by series, sender, reason and day; values are not kept',
        body:
          rows.length === 0
            ? empty('No datapoint of this system was refused.')
            : html`${table(COLUMNS, rows)} ${pagesOf(url, found)}`,
      }),
    )
  },
})

const COLUMNS = [
  { label: 'Reason' },
  { label: 'Of' },
  { label: 'Sender', isName: true },
  { label: 'Datapoints', isNumber: true },
  { label: 'First', isNumber: true },
  { label: 'Last', isNumber: true },
]
