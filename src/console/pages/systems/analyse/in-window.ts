import type { RecordBody } from '../../../../records/record-type.ts'
import type { CharacteristicChange } from '../../../../platform/imports/history/characteristic-changes.ts'
import type { RefusedDatapoint } from '../../../../platform/datapoints/refused/list-refused.ts'
import type { Setpoint } from '../../../../platform/setpoints/setpoint.ts'
import type { Event } from '../../../../platform/systems/events.ts'
import type { SystemSeries } from '../../../../platform/datapoints/reading/series/system-series.ts'
import { html, type Html } from '../../../../server/html.ts'
import type { Json } from '../../../../lib/json.ts'
import type { Visit } from '../../../page.ts'
import { block, empty } from '../../../parts/block.ts'
import type { Sign } from '../../../parts/sign.ts'
import { table, type Row } from '../../../parts/table.ts'
import { ageText, date } from '../../../parts/time.ts'
import { originOf } from '../../applies/origin.ts'
import { isOf, MOST_MARKS, type Marks } from './marks.ts'
import { nameOf, unitOf } from './shape.ts'
import { shortText } from '../../../parts/short-text.ts'
import type { Window } from './span.ts'
import { valueText } from './values/value-text.ts'

interface Line extends Row {
  readonly at: number
}

interface Shown {
  readonly visit: Pick<Visit, 'now' | 'zone'>
  readonly chosen: readonly SystemSeries[]
  readonly components: ReadonlyMap<string, string>
  readonly systemName: string
}

const COLUMNS = [{ label: 'Time' }, { label: 'What' }, { label: 'Of' }, { label: 'By', isName: true }]

/** Lists everything in the window besides the values. For print, screen readers and browsers without scripts. */
export function inWindow(shown: Shown, marks: Marks, window: Window): Html {
  const lines = [
    ...marks.setpoints.map((one) => setpointLine(shown, one)),
    ...marks.events.map((one) => eventLine(shown, one)),
    ...marks.refused.map((one) => refusedLine(shown, one)),
    ...changeLines(shown, marks.changes, window),
  ].sort((one, other) => other.at - one.at)
  const more = marks.hasMore ? `, and more: of each kind the last ${MOST_MARKS} are shown` : ''
  return html`<div id="in-window">
    ${block({
      title: 'In this window',
      note: `${lines.length} ${lines.length === 1 ? 'thing' : 'things'} beside the values${more}`,
      body:
        lines.length === 0 ? empty('No setpoint, no event, no apply, and nothing was refused.') : table(COLUMNS, lines),
    })}
  </div>`
}

function setpointLine({ visit, chosen }: Shown, setpoint: Setpoint): Line {
  const series = chosen.find((one) => isOf(one, setpoint))
  const at = setpoint.setAt / 1_000
  const value = series === undefined ? '' : `${valueText(setpoint.value, series)} ${unitOf(series)}`.trim()
  const state = setpoint.state.toLowerCase()
  const reason = setpoint.reason === null ? '' : `: “${setpoint.reason}”`
  const [begin, end] = [new Date(at), setpoint.changedAt]
  const isSoon = end.getTime() - at < 86_400_000
  const since = isSoon ? ` after ${ageText(begin, end, visit.zone)}` : html` ${date(end, visit.now, visit.zone)}`
  return {
    at,
    sign: signOfSetpoint(setpoint),
    cells: [
      moment(at, visit),
      html`Setpoint <strong>${value}</strong> ${state}${reason}${setpoint.state === 'PENDING' ? null : since}`,
      series === undefined ? setpoint.characteristic : nameOf(series),
      setpoint.actor,
    ],
  }
}

function signOfSetpoint({ state }: Setpoint): Sign {
  if (state === 'APPLIED') return 'done'
  return state === 'REJECTED' || state === 'EXPIRED' ? 'failed' : 'move'
}

const SIGN_OF_LEVEL: { readonly [level in Event['eventLevel']]: Sign } = {
  ERROR: 'needs',
  WARNING: 'needs',
  SUCCESS: 'done',
  INFO: 'none',
}

function eventLine({ visit, components, systemName }: Shown, event: Event): Line {
  const at = event.at / 1_000
  const end = event.endAt === null ? null : html` – ${moment(event.endAt / 1_000, visit)}`
  const isOpen = event.endAt === null && event.eventType !== 'SINGLE_POINT'
  return {
    at,
    sign: SIGN_OF_LEVEL[event.eventLevel],
    cells: [
      html`${moment(at, visit)}${end}${isOpen ? ' – still open' : null}`,
      html`<code>${event.eventModel}</code>${event.message === null ? null : html`: ${shortText(event.message)}`}`,
      (event.componentUuid === null ? undefined : components.get(event.componentUuid)) ?? systemName,
      event.actor,
    ],
  }
}

function refusedLine({ visit, chosen }: Shown, refused: RefusedDatapoint): Line {
  const series = chosen.find((one) => isOf(one, refused))
  const [first, last] = [refused.firstAt.getTime(), refused.lastAt.getTime()]
  const count = refused.count.toLocaleString('en-US')
  return {
    at: last,
    sign: 'failed',
    cells: [
      html`${moment(first, visit)}${last - first < 60_000 ? null : html` – ${moment(last, visit)}`}`,
      html`${count} ${refused.count === 1 ? 'datapoint' : 'datapoints'} refused: <code>${refused.code}</code>`,
      series === undefined ? '' : nameOf(series),
      '',
    ],
  }
}

/** Joins equal changes that one apply made to several characteristics into one line. */
function changeLines(shown: Shown, changes: Marks['changes'], { to }: Window): Line[] {
  const seen = changes.filter(({ apply }) => apply.at.getTime() < to)
  const alike = Map.groupBy(seen, ({ apply, before, after }) => `${apply.uuid} ${String(changedText(before, after))}`)
  return [...alike.values()].flatMap(([first, ...rest]) => (first === undefined ? [] : changeLine(shown, first, rest)))
}

function changeLine(
  { visit, chosen }: Shown,
  first: CharacteristicChange,
  rest: readonly CharacteristicChange[],
): Line {
  const { apply, before, after } = first
  const uuids = new Set([first, ...rest].map(({ characteristicUuid }) => characteristicUuid))
  const names = new Set(chosen.filter((one) => uuids.has(one.characteristicUuid)).map(nameOf))
  const origin = originOf(apply.origin)
  const at = apply.at.getTime()
  return {
    at,
    sign: 'apply',
    cells: [
      moment(at, visit),
      html`Apply
        <a href="/applies/${apply.uuid}"><code>${origin.commit?.slice(0, 7) ?? origin.label}</code></a>
        ${changedText(before, after, uuids.size)}`,
      someOf([...names]),
      apply.actor,
    ],
  }
}

const MOST_NAMES = 3

function someOf(names: readonly string[]): Html {
  const rest = names.length - MOST_NAMES
  const shown = names.slice(0, MOST_NAMES).map((name, index) => html`${index === 0 ? null : ', '}<bdi>${name}</bdi>`)
  return html`${shown}${rest > 0 ? ` and ${rest} more` : null}`
}

const MOST_FIELDS = 4
const LONGEST_FIELD = 60

function changedText(before: RecordBody | null, after: RecordBody | null, count = 1): Html {
  if (before === null) return html`created ${count === 1 ? 'it' : 'them'}`
  if (after === null) return html`deleted ${count === 1 ? 'it' : 'them'}`
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const shown = fields.slice(0, MOST_FIELDS)
  const rest = fields.length - shown.length
  return html`${shown.map(
    (name) =>
      html`<code>${name}</code> <bdi>${fieldText(before[name])}</bdi> → <bdi>${fieldText(after[name])}</bdi>${' '}`,
  )}${rest > 0 ? `and ${rest} more fields` : null}`
}

function fieldText(value: Json | undefined): string {
  if (value === undefined || value === null) return '(none)'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return shortText(text, LONGEST_FIELD)
}

function moment(at: number, { now, zone }: Pick<Visit, 'now' | 'zone'>): Html {
  return date(new Date(at), now, zone)
}
