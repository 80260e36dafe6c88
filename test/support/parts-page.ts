import { alikeRow, changeRow } from '../../src/console/changes/change-row.ts'
import { shownAt } from '../../src/console/changes/shown.ts'
import { filledWith, withProblems } from '../../src/console/form.ts'
import { SEES_ANYTHING } from '../../src/console/frame/areas.ts'
import { declarePage, type Visit } from '../../src/console/page.ts'
import { bars } from '../../src/console/parts/bars.ts'
import { block, code, empty, notice, pairs } from '../../src/console/parts/block.ts'
import {
  act,
  checkbox,
  checkboxes,
  fieldPart,
  form,
  selectField,
  send,
  textField,
} from '../../src/console/parts/fields.ts'
import { search } from '../../src/console/parts/search.ts'
import { secret } from '../../src/console/parts/secret.ts'
import { counts, sign, type Sign } from '../../src/console/parts/sign.ts'
import { statusText } from '../../src/console/parts/status.ts'
import { lengthText, pages, shortTable, table } from '../../src/console/parts/table.ts'
import { age, date } from '../../src/console/parts/time.ts'
import { withCode } from '../../src/console/parts/with-code.ts'
import type { ListedChange } from '../../src/platform/imports/history/change-list.ts'
import { DATA_TYPES } from '../../src/records/types/data-types.ts'
import { html, type Html } from '../../src/server/html.ts'

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

/** `/console/components`: each part that pages are made of, once. */
export const PARTS_PAGE = declarePage({
  path: '/console/components',
  area: 'home',
  ...SEES_ANYTHING,
  keepsWithin: true,
  show: (visit) =>
    Promise.resolve({
      title: 'Parts of the console',
      crumbs: [{ label: 'Home', href: '/' }],
      verdict: html`Each is shown once.`,
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

function changesExample(visit: Visit): Html {
  const shown = shownAt(visit, { isDone: false, place: () => html`<code>models/heating.yaml:8:5</code>` })
  return html`<table class="table changes">
    <tbody>
      ${changeRow(UPDATE, shown)} ${alikeRow(UPDATE, 11, shown)} ${changeRow(DELETE, shown)}
    </tbody>
  </table>`
}

const HOUR = 3_600_000

/** Parts of forms, in each of their states. */
function formExamples({ csrf }: Visit): Html {
  const filled = filledWith({
    plain: 'Lindenhof 1',
    wrong: 'Flow Temp',
    chosen: ['one'],
    kind: 'b',
    many: 'two\nlines',
  })
  const wrong = { name: 'wrong', label: 'Code', isCode: true, isRequired: true }
  return html`${block({
    title: 'Form',
    body: form(
      csrf,
      html`${textField(filled, { name: 'plain', label: 'Name', hint: 'As people know it.', isRequired: true })}
      ${textField(withProblems(filled, [{ field: 'wrong', message: 'A code has small letters, digits and hyphens.' }]), wrong)}
      ${textField(filled, { name: 'many', label: 'Addresses', hint: 'One a line.', rows: 3, isRequired: false })}
      ${selectField(filled, { name: 'kind', label: 'Kind' }, [
        { value: 'a', label: 'One kind' },
        { value: 'b', label: 'Another kind' },
      ])}
      ${checkboxes(filled, { name: 'chosen', label: 'Some of' }, [
        { value: 'one', label: 'This', hint: 'What follows from it.' },
        { value: 'two', label: 'That' },
      ])}
      ${checkbox(filled, { name: 'is-prototype', label: 'Prototype', hint: 'Or not.' })}
      ${fieldPart(
        { id: 'own', label: 'A field of another kind', hint: 'With its label and hint.' },
        (common) => html`<input class="field" type="number" name="own" value="48" ${common} />`,
      )}
      ${send('Create system', '#')} ${send('Delete 412,908 datapoints', '#', 'danger')}`,
      '#',
    ),
  })}
  ${block({ title: 'Buttons that do one thing', body: html`<div>${act(csrf, 'Activate', {})} ${act(csrf, 'End all sessions', {}, 'danger')}</div>` })}
  ${block({
    title: 'Secret',
    note: 'shown once',
    body: secret({
      label: 'The secret of an application',
      text: 'not-a-secret',
      done: '#',
      next: html`<p class="soft">A command to check it, and YAML to paste.</p>`,
    }),
  })}`
}

/** Parts that show times and numbers. */
function numberExamples({ now, zone }: Visit): Html {
  const counts = Array.from({ length: 96 }, (_, index) => (index > 70 ? 0 : 20 + ((index * 7) % 11)))
  const earlier = new Date(now.getTime() - 6 * HOUR)
  return html`${block({ title: 'Bars', note: 'with silence at the end', body: bars(counts, 'An example of arrivals') })}
  ${block({
    title: 'Short table',
    body: shortTable([
      { sign: 'failed', cells: [html`<code>out-of-bounds</code>`, 428] },
      { sign: 'done', cells: ['Applied', 31] },
    ]),
  })}
  ${block({ title: 'Times', body: html`<p>${age(earlier, now, zone)} ago, on ${date(earlier, now, zone)} ${sign('done')}</p>` })}`
}
