import { listApplies } from '../../../platform/imports/history/applies.ts'
import { html } from '../../../server/html.ts'
import { declarePage } from '../../page.ts'
import { rowAfter } from '../../row-after.ts'
import { code, empty } from '../../parts/block.ts'
import { appliesTabs } from './applies-tabs.ts'
import { applyTable } from './apply-table.ts'

const ON_A_PAGE = 50

/** `/applies`: every change of the data model by import, the latest first. */
export const APPLIES_PAGE = declarePage({
  path: '/applies',
  area: 'applies',
  right: 'model:read',
  keepsWithin: false,
  async show(visit) {
    const found = await listApplies(visit.context, ON_A_PAGE + 1, rowAfter(visit.url))
    const shown = found.slice(0, ON_A_PAGE)
    const last = shown.at(-1)
    const next = found.length > ON_A_PAGE && last !== undefined ? `?after=${last.uuid}` : null
    return {
      title: 'Applies',
      verdict: html`Each is a reviewed plan that was carried out as a whole.`,
      tabs: appliesTabs(visit, 'applies'),
      actions: visit.caller.rights.has('model:plan')
        ? [html`<a class="button" href="/plans/new">Plan a document</a>`]
        : [],
      body:
        shown.length === 0
          ? empty('Nothing has been applied yet.', code('first-apply', 'npm run apply'))
          : html`${applyTable(visit, shown)}
            ${
              next === null
                ? null
                : html`<div class="pages">
                    <span></span>
                    <nav><a class="button" href="${next}">Next</a></nav>
                  </div>`
            }`,
    }
  },
})
