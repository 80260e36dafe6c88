import { html } from '../../server/html.ts'
import { AREAS, areasOf, SEES_ANYTHING } from '../frame/areas.ts'
import { keysAreOff } from '../frame/keys.ts'
import { declarePage } from '../page.ts'
import { block, pairs } from '../parts/block.ts'
import { csrfField } from '../../server/login/csrf.ts'

const EVERYWHERE = [
  ['/', 'to the search'],
  ['j', 'to the next row of a list'],
  ['k', 'to the row before'],
  ['Enter', 'open the row'],
  ['?', 'this list'],
] as const

const ON_CHARTS = [
  ['← →', 'a point back or on; with Shift ten'],
  ['Home End', 'to the first or last point'],
  ['+ −', 'zoom, around the crosshair'],
  ['[ ]', 'to the mark before or after'],
  ['Esc', 'hide the crosshair'],
] as const

const IN_ANALYSE = [
  ['t', 'table or chart'],
  ['l', 'live, or pause'],
  ['s', 'set a value'],
] as const

/** `/keys`: the keyboard shortcuts. A script shows this page as a dialog. */
export const KEYS_PAGE = declarePage({
  path: '/keys',
  area: 'home',
  ...SEES_ANYTHING,
  keepsWithin: true,
  show({ request, csrf, caller }) {
    const areOff = keysAreOff(request)
    return Promise.resolve({
      title: 'Keys',
      crumbs: [{ label: 'Home', href: '/' }],
      verdict: areOff
        ? html`Single keys are switched off in this browser. The keys of a chart work while it has the focus.`
        : html`They work outside of fields. If you control the browser by speech, switch them off.`,
      body: html`<div id="keys" class="blocks">
        ${block({ title: 'Everywhere', body: keyPairs(EVERYWHERE) })}
        ${block({
          title: 'To an area',
          note: 'one after the other',
          body: keyPairs(areasOf(caller).map((name) => [`g ${AREAS[name].key}`, AREAS[name].label] as const)),
        })}
        ${block({ title: 'In Analyse', body: keyPairs(IN_ANALYSE) })}
        ${block({ title: 'On a chart that has the focus', body: keyPairs(ON_CHARTS) })}
        <form method="post" action="/console/keys">
          ${csrfField(csrf)}
          <button class="button" name="keys" value="${areOff ? 'on' : 'off'}">
            ${areOff ? 'Switch on' : 'Switch off'} keys that act alone
          </button>
        </form>
      </div>`,
    })
  },
})

function keyPairs(keys: readonly (readonly [key: string, does: string])[]) {
  return pairs(
    keys.map(([key, does]) => [html`${key.split(' ').map((one) => html`<kbd>${one}</kbd> `)}`, does] as const),
  )
}
