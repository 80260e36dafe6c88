import { html, type Html } from '../../server/html.ts'
import type { ListedChange } from '../../platform/imports/history/change-list.ts'
import { CHART_EXAMPLE_SCRIPT } from '../assets.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'
import { alikeRow, changeRow } from '../changes/change-row.ts'
import { shownAt } from '../changes/shown.ts'
import { SEES_ANYTHING } from '../frame/areas.ts'
import { declarePage, type Visit } from '../page.ts'
import { block, code, empty, notice, pairs } from '../parts/block.ts'
import { search } from '../parts/search.ts'
import { counts, sign, type Sign } from '../parts/sign.ts'
import { statusText } from '../parts/status.ts'
import { lengthText, pages, table } from '../parts/table.ts'
import { withCode } from '../parts/with-code.ts'
import { formExamples, numberExamples } from './form-examples.ts'

const SIGNS: readonly Sign[] = [
  'create',
  'update',
  'delete',
  'move',
  'needs',
  'failed',
  'done',
  'apply',
  'inactive',
  'none',
]

/** `/console/components`: each part that pages are made of, once, for those who build pages. */
export const COMPONENTS_PAGE = declarePage({
  path: '/console/components',
  area: 'home',
  ...SEES_ANYTHING,
  keepsWithin: true,
  show: (visit) =>
    Promise.resolve({
      title: 'Parts of the console',
      crumbs: [{ label: 'Home', href: '/' }],
      verdict: html`Each is shown once.`,
      script: CHART_EXAMPLE_SCRIPT,
      place: [html`<code>models/heating.yaml:8:5</code>`, html`today 09:40`],
      actions: [html`<button class="button">Edit</button>`, html`<button class="button main">Apply</button>`],
      tabs: [
        { label: 'Overview', href: '#', isCurrent: true },
        { label: 'Setpoints', href: '#', isCurrent: false, count: 1 },
      ],
      body: html`<div class="blocks">
        ${notice('info', 'Something to know', 'What follows from it.')} ${notice('good', 'Something is done')}
        ${notice('warn', 'Something needs a look')} ${notice('bad', 'Something failed', 'What to do about it.')}
        ${block({
          title: 'Signs',
          note: 'the first column of every list',
          body: table(
            [{ label: 'Meaning' }],
            SIGNS.map((one) => ({ sign: one, cells: [one] })),
          ),
        })}
        ${block({ title: 'Counts', body: html`<p>${counts({ create: 3, update: 14, move: 1, delete: 3 })} ${sign('done')}</p>` })}
        ${block({
          title: 'Table',
          note: lengthText(2, 1_204),
          more: { label: 'All', href: '#' },
          body: html`${table(
            [{ label: 'Name' }, { label: 'Points', isNumber: true }],
            [
              {
                cells: [
                  html`<a href="#">battery-temperature</a><span class="under">Battery temperature</span>`,
                  1_806_001,
                ],
              },
              { sign: 'failed', cells: ['flue-gas-temperature', 412_908] },
            ],
          )}
          ${pages({ from: 50, count: 2, total: 1_204, next: '#' })}`,
        })}
        ${block({
          title: 'Pairs',
          body: pairs([
            ['dataType', 'FLOAT'],
            ['boundaryMax', 70],
            ['status', html`${statusText('ACTIVATED')}, ${statusText('ARCHIVED')}`],
          ]),
        })}
        ${block({ title: 'Changes', note: 'of an apply, a plan, or drift', body: changesExample(visit) })}
        ${block({ title: 'Search', body: html`<div class="filters">${search('Search 214 characteristics', '')}</div>` })}
        ${formExamples(visit)} ${numberExamples(visit)}
        ${block({ title: 'Chart', note: 'of Analyse', body: chartExample(visit) })}
        ${block({
          title: 'Code',
          body: html`${code('example', 'npm run plan')}
            <p>${withCode('Write `access: []` instead.')}</p>`,
        })}
        ${block({ title: 'Empty', body: empty('There is no system yet.', html`<button class="button">Create a system</button>`) })}
      </div>`,
    }),
})

const UPDATE: ListedChange = {
  index: 0,
  type: DATA_TYPES.characteristic,
  key: 'flow-temperature',
  uuid: '',
  from: null,
  action: 'update',
  cause: 'you',
  before: { boundaryMax: 70 },
  after: { boundaryMax: 75 },
}

const DELETE: ListedChange = {
  ...UPDATE,
  action: 'delete',
  after: null,
  guards: [{ code: 'deletes-data', acknowledged: false, message: '412,908 datapoints belong to it' }],
}

/** A chart of Analyse, with its fallback without a script. */
function chartExample({ now, zone }: Visit): Html {
  return html`<div class="scripted" id="example-chart" data-now="${now.getTime()}" data-zone="${zone}"></div>
    <p class="unscripted hint soft">Charts need a script.</p>`
}

function changesExample(visit: Visit): Html {
  const shown = shownAt(visit, { isDone: false, place: () => html`<code>models/heating.yaml:8:5</code>` })
  return html`<table class="table changes">
    <tbody>
      ${changeRow(UPDATE, shown)} ${alikeRow(UPDATE, 11, shown)} ${changeRow(DELETE, shown)}
    </tbody>
  </table>`
}
