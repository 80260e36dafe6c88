import { listApplies } from '../../../platform/imports/applies.ts'
import { counted } from '../../../lib/counted.ts'
import { html } from '../../../server/login/html.ts'
import { declarePage } from '../../page.ts'
import { block, empty } from '../../parts/block.ts'
import { table } from '../../parts/table.ts'
import { age } from '../../parts/time.ts'
import { applyTable } from '../applies/apply-table.ts'
import { listNeeds } from './needs.ts'

const MOST_SHOWN = 50
const LAST_APPLIES = 5

/** `/`: what an operator looks at first. */
export const HOME_PAGE = declarePage({
  path: '/',
  area: 'home',
  right: 'domain:read',
  keepsWithin: true,
  async show(visit) {
    const { context, caller, now, zone } = visit
    const { needs, hasMore } = await listNeeds(visit)
    const applies = caller.rights.has('model:read') ? await listApplies(context, LAST_APPLIES, null) : []
    const rows = needs.slice(0, MOST_SHOWN).map(({ sign, what, where, since }) => ({
      sign,
      cells: [what, where, age(since, now, zone)],
    }))
    return {
      title:
        needs.length === 0
          ? 'Nothing needs somebody'
          : `${hasMore ? 'More than ' : ''}${counted(needs.length, 'thing')} to look at`,
      verdict: html`Open events, what was refused in the last 24 hours, setpoints that wait, and what differs from Git.`,
      body: html`<div class="blocks">
        ${block({
          title: 'To look at',
          note: rows.length < needs.length ? `the worst ${rows.length} of ${needs.length}` : 'worst first',
          body:
            rows.length === 0
              ? empty('All is as it should be, as far as this platform knows.')
              : table([{ label: 'What' }, { label: 'Where' }, { label: 'Since', isNumber: true }], rows),
        })}
        ${
          applies.length === 0
            ? null
            : block({
                title: 'Last applies',
                more: { label: 'All', href: '/applies' },
                body: applyTable(visit, applies),
              })
        }
      </div>`,
    }
  },
})
