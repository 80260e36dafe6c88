import { createEvent, endEvent, listEvents, type Event } from '../../../platform/systems/events.ts'
import { listRecords } from '../../../platform/records/read-records.ts'
import type { System } from '../../../platform/systems/systems.ts'
import { EVENT } from '../../../records/entities.ts'
import { DATA_TYPES } from '../../../records/types/data-types.ts'
import { checkUuid } from '../../../server/checked-arguments.ts'
import { html, type Html } from '../../../server/html.ts'
import { newEntityForm } from '../../declared/declared-fields.ts'
import { newlyFilled, readFields, showFields } from '../../declared/form.ts'
import { thingPage, type Refused } from '../../declared/thing-page.ts'
import type { Filled } from '../../form.ts'
import type { Visit } from '../../page.ts'
import { hasRightAt } from '../../visit-right.ts'
import { cursorAfter } from '../../row-after.ts'
import { block, empty } from '../../parts/block.ts'
import { act, form, send } from '../../parts/fields.ts'
import { shortText } from '../../parts/short-text.ts'
import type { Sign } from '../../parts/sign.ts'
import { pagesOf } from '../../pages-of.ts'
import { lengthText, MOST_COUNTED_ROWS, rowsBefore, table, totalText, type Row } from '../../parts/table.ts'
import { date } from '../../parts/time.ts'
import { DELETE_EVENT } from './deleting.ts'
import { componentsOf, requireSystem, systemView, type ChosenFrom } from './system-view.ts'

const ON_A_PAGE = 50
/** The maximum number of open events on the page. */
const MOST_OPEN = 100
const COUNTED = { mostCounted: MOST_COUNTED_ROWS }

const WORDS = { own: { eventModel: {}, component: {}, message: {} }, without: ['systemUuid'] }
const NEW_EVENT = newEntityForm(EVENT, WORDS)

/** `/systems/:uuid/events`: the events of a system, the open ones first. */
export const EVENTS_PAGE = thingPage<System>({
  path: '/systems/:uuid/events',
  area: 'systems',
  right: EVENT.rights.read,
  rightToChange: EVENT.rights.write,
  keepsWithin: true,
  find: requireSystem,
  acts: {
    end: {
      async carryOut({ context, actor }, _, filled) {
        await endEvent(context, actor, checkUuid(filled.text('event'), 'event'), null)
      },
    },
    delete: DELETE_EVENT,
    add: {
      async carryOut({ context, actor }, { uuid: system }, filled) {
        const event = readFields(NEW_EVENT, filled, null)
        await createEvent(context, actor, { ...event, ...(event.component == null && { system }) })
      },
    },
  },
  show: async (visit, system, refused) => systemView(visit, system, 'events', await body(visit, system, refused)),
})

async function body(visit: Visit, system: System, refused: Refused | null): Promise<Html> {
  const { context, actor, url } = visit
  const { uuid } = system
  const mayChange = hasRightAt(visit, 'datapoints:write', system)
  const of = { systems: [uuid] }
  const open = await listEvents(context, actor, { ...of, isOpen: true }, { first: MOST_OPEN, after: null, ...COUNTED })
  const others = await listEvents(
    context,
    actor,
    { ...of, isOpen: false },
    { first: ON_A_PAGE, after: cursorAfter(url), ...COUNTED },
  )
  // Open events are only on the first page.
  const shown = rowsBefore(url.searchParams) === 0 ? [...open.items, ...others.items] : others.items
  const chosenFrom = await componentsOf(visit, uuid)
  const names = new Map(chosenFrom.components.map((component) => [component.uuid, component.name]))
  const may = { change: mayChange, delete: hasRightAt(visit, 'data:delete', system) }
  const rows = shown.map((event) => rowOf(visit, event, names, may))
  const total = totalText(open.total + others.total, MOST_COUNTED_ROWS)
  return html`${refused?.problem ?? null}
    <div class="blocks">
      ${block({
        title: 'Events',
        note: `${total}, ${lengthText(open.items.length, open.total, 'latest', MOST_COUNTED_ROWS)} open`,
        body:
          rows.length === 0
            ? empty('This system has no events yet.')
            : html`${table(COLUMNS, rows)} ${pagesOf(url, others)}`,
      })}
      ${mayChange ? await newEvent(visit, chosenFrom, refused?.filled ?? newlyFilled(NEW_EVENT)) : null}
    </div>`
}

const COLUMNS = [
  { label: 'Event' },
  { label: 'Of' },
  { label: 'By', isName: true },
  { label: 'Began', isNumber: true },
  { label: 'Ended', isNumber: true },
  { label: '' },
]

function isOpen({ endAt, eventType }: Event): boolean {
  return endAt === null && eventType !== 'SINGLE_POINT'
}

interface May {
  readonly change: boolean
  readonly delete: boolean
}

function rowOf({ csrf, now, zone }: Visit, event: Event, names: ReadonlyMap<string, string>, may: May): Row {
  const { uuid, eventModel, message, eventLevel, componentUuid, at, endAt, actor } = event
  return {
    sign: isOpen(event) ? signOf(eventLevel) : ('none' as const),
    cells: [
      html`${shortText(message ?? eventModel)}<code class="under">${eventModel}</code>`,
      componentUuid === null ? 'the system' : (names.get(componentUuid) ?? componentUuid),
      actor,
      date(new Date(at / 1_000), now, zone),
      endAt === null ? (isOpen(event) ? 'open' : null) : date(new Date(endAt / 1_000), now, zone),
      html`${may.change && isOpen(event) ? act(csrf, 'End', { act: 'end', event: uuid }) : null}
      ${may.delete ? act(csrf, 'Delete…', { act: 'ask-delete', event: uuid }, 'danger') : null}`,
    ],
  }
}

const SIGNS: { readonly [level in Event['eventLevel']]: Sign } = {
  ERROR: 'needs',
  WARNING: 'needs',
  SUCCESS: 'done',
  INFO: 'none',
}

/** The sign of an open event. */
export function signOf(level: Event['eventLevel']): Sign {
  return SIGNS[level]
}

async function newEvent(visit: Visit, { components, left }: ChosenFrom, filled: Filled): Promise<Html | null> {
  const { context, actor, csrf } = visit
  const models = await listRecords(context, actor, DATA_TYPES.eventModel, {
    first: 200,
    after: null,
    filter: { status: ['ACTIVATED'] },
    order: { by: 'KEY', direction: 'ASC' },
  })
  if (models.items.length === 0) return null
  const choices = models.items.map(({ key, body: { entityType } }) => ({
    value: key,
    label: entityType === 'SYSTEM' ? `${key}, of a system` : `${key}, of a component`,
  }))
  const subjects = components.map(({ uuid, name }) => ({ value: uuid, label: name }))
  const component = { label: 'Of', hint: '', choices: [{ value: '', label: 'the system' }, ...subjects] }
  const eventModel = models.hasNext ? {} : { hint: '', choices }
  const fields = newEntityForm(EVENT, { ...WORDS, own: { ...WORDS.own, eventModel, component } })
  return block({
    title: 'Record an event',
    ...(left !== null && { note: left }),
    body: form(
      csrf,
      html`<input type="hidden" name="act" value="add" /> ${showFields(fields, filled)} ${send('Record event')}`,
    ),
  })
}
