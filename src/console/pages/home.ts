import { listApplies } from '../../platform/imports/applies.ts'
import { html } from '../../server/login/html.ts'
import { declarePage } from '../page.ts'
import { block } from '../parts/block.ts'
import { applyTable } from './applies/apply-table.ts'

/** `/`: what an operator looks at first. */
export const HOME_PAGE = declarePage({
  path: '/',
  area: 'home',
  right: 'domain:read',
  keepsWithin: true,
  async show(visit) {
    const { context, caller } = visit
    const applies = caller.rights.has('model:read') ? await listApplies(context, 5, null) : []
    return {
      title: context.domain.name,
      body: html`<div class="blocks">
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
