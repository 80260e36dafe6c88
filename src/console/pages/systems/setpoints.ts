import { listSetpoints } from '../../../platform/setpoints/list-setpoints.ts'
import type { Setpoint } from '../../../platform/setpoints/setpoint.ts'
import { html, type Html } from '../../../server/html.ts'
import { declarePage, type Visit } from '../../page.ts'
import { hasRightAt } from '../../visit-right.ts'
import { cursorAfter } from '../../row-after.ts'
import { block, empty } from '../../parts/block.ts'
import { pagesOf } from '../../pages-of.ts'
import type { Sign } from '../../parts/sign.ts'
import { MOST_COUNTED_ROWS, table, totalText, type Row } from '../../parts/table.ts'
import { age, date } from '../../parts/time.ts'
import { unitOf, wholeNameOf } from './analyse/shape.ts'
import { valueText } from './analyse/values/value-text.ts'
import { namesOfSetpoints, type NamedSetpoint } from './names-of-setpoints.ts'
import { requireSystem, systemView } from './system-view.ts'

const ON_A_PAGE = 50

/** `/systems/:uuid/setpoints`: the setpoints of a system and their states. */
export const SETPOINTS_PAGE = declarePage({
  path: '/systems/:uuid/setpoints',
  area: 'systems',
  right: 'data:read',
  keepsWithin: true,
  async show(visit) {
    const system = await requireSystem(visit)
    const set = html`<a class="button main" href="/systems/${system.uuid}/analyse/set">Set a value …</a>`
    return {
      ...systemView(visit, system, 'setpoints', await body(visit, system.uuid)),
      actions: hasRightAt(visit, 'setpoints:write', system) ? [set] : [],
    }
  },
})

async function body(visit: Visit, system: string): Promise<Html> {
  const { context, actor, url } = visit
  const counted = { mostCounted: MOST_COUNTED_ROWS, isOldestFirst: false, hasBeginnings: true }
  const page = { first: ON_A_PAGE, after: cursorAfter(url), ...counted }
  const found = await listSetpoints(context, actor, { systems: [system] }, page)
  const named = await namesOfSetpoints(visit, system, found.items)
  return block({
    title: 'Setpoints',
    note: totalText(found.total, MOST_COUNTED_ROWS),
    body:
      named.length === 0
        ? empty('Nothing has been set yet.')
        : html`${table(
            COLUMNS,
            named.map((one) => rowOf(visit, one)),
          )}
          ${pagesOf(url, found)}`,
  })
}

const COLUMNS = [
  { label: 'Setting' },
  { label: 'Value' },
  { label: 'State' },
  { label: 'By', isName: true },
  { label: 'Set', isNumber: true },
  { label: 'Since', isNumber: true },
]

function rowOf({ now, zone }: Visit, { setpoint, component, characteristic }: NamedSetpoint): Row {
  const { state, reason, actor, createdAt, changedAt } = setpoint
  const series = { characteristic: characteristic ?? {}, characteristicKey: setpoint.characteristic }
  return {
    sign: SIGNS[state],
    cells: [
      html`${wholeNameOf(series)}<span class="under">${component}</span>`,
      html`${valueText(setpoint.value, series)} <span class="unit">${unitOf(series)}</span>`,
      html`${state.toLowerCase()}${reason === null ? null : html`<span class="under">${reason}</span>`}`,
      actor,
      date(createdAt, now, zone),
      age(changedAt, now, zone),
    ],
  }
}

const SIGNS: { readonly [state in Setpoint['state']]: Sign } = {
  PENDING: 'move',
  SENT: 'move',
  ACKNOWLEDGED: 'move',
  APPLIED: 'done',
  REJECTED: 'failed',
  SUPERSEDED: 'none',
  EXPIRED: 'none',
}
