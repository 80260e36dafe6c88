import { counted } from '../../../lib/counted.ts'
import { listSetpoints } from '../../../platform/setpoints/list-setpoints.ts'
import { createComponents, listComponents, type Component } from '../../../platform/systems/components.ts'
import { updateSystem, type System } from '../../../platform/systems/systems.ts'
import { listRecords } from '../../../platform/records/read-records.ts'
import { COMPONENT, SYSTEM } from '../../../records/entities.ts'
import { DATA_TYPES } from '../../../records/types/data-types.ts'
import { html, type Html } from '../../../server/html.ts'
import { entityPatchForm, newEntityForm } from '../../declared/declared-fields.ts'
import { changeForm, newlyFilled, readFields, showFields } from '../../declared/form.ts'
import { thingPage, type Refused } from '../../declared/thing-page.ts'
import { entityBlock } from '../../declared/view.ts'
import type { Filled } from '../../form.ts'
import type { View, Visit } from '../../page.ts'
import { hasRightAt } from '../../visit-right.ts'
import { cursorAfter } from '../../row-after.ts'
import { fieldText, type StoredMetadata } from '../../metadata/metadata-fields.ts'
import { metadataBlock } from '../../metadata/metadata-page.ts'
import { block, empty, notice } from '../../parts/block.ts'
import { act, form, send } from '../../parts/fields.ts'
import { pagesOf } from '../../pages-of.ts'
import { shortText } from '../../parts/short-text.ts'
import { statusSign, statusText } from '../../parts/status.ts'
import { table, type Row } from '../../parts/table.ts'
import { date } from '../../parts/time.ts'
import { unchangedSince } from '../../shown-with.ts'
import { COMPONENT_ACTS, componentButtons, datapointsForm, DELETE_SYSTEM } from './deleting.ts'
import { latestValues } from './latest-values.ts'
import { requireSystem, systemView } from './system-view.ts'

const ON_A_PAGE = 100
const MOST_MODELS = 200

const FIELDS = entityPatchForm(SYSTEM)
const COMPONENT_WORDS = { own: { componentModel: {}, name: {} }, without: ['systemUuid'] }
const NEW_COMPONENT = newEntityForm(COMPONENT, COMPONENT_WORDS)

/** `/systems/:uuid`: a system and its components. */
export const SYSTEM_PAGE = thingPage<System>({
  path: '/systems/:uuid',
  area: 'systems',
  right: SYSTEM.rights.read,
  rightToChange: SYSTEM.rights.write,
  keepsWithin: true,
  crumbs: [{ label: 'Systems', href: '/systems' }],
  find: requireSystem,
  acts: {
    save: {
      async carryOut({ context, actor }, system, filled) {
        await updateSystem(context, actor, system.uuid, readFields(FIELDS, filled, system), unchangedSince(system))
      },
    },
    add: {
      async carryOut({ context, actor }, { uuid }, filled) {
        const component = { ...readFields(NEW_COMPONENT, filled, null), system: uuid }
        await createComponents(context, actor, [component])
      },
    },
    archive: { ask: askArchive, carryOut: setStatus('ARCHIVED') },
    activate: { carryOut: setStatus('ACTIVATED') },
    delete: DELETE_SYSTEM,
    ...COMPONENT_ACTS,
  },
  show: shown,
})

function setStatus(status: System['status']) {
  return async ({ context, actor }: Visit, { uuid }: System): Promise<void> => {
    await updateSystem(context, actor, uuid, { status })
  }
}

/** Explains what archiving ends, and that nothing is deleted. */
async function askArchive({ context, actor }: Visit, { uuid, name }: System) {
  const [one, of] = [{ first: 1, after: null }, { systems: [uuid] }]
  const components = await listComponents(context, actor, of, one)
  const waiting = await listSetpoints(
    context,
    actor,
    { ...of, states: WAITING },
    { ...one, isOldestFirst: true, hasBeginnings: true },
  )
  const setpoints =
    waiting.total === 0 ? null : html`<strong>${counted(waiting.total, 'setpoint')} not applied yet</strong> `
  return {
    title: `Archive ${name}?`,
    crumbs: [
      { label: 'Systems', href: '/systems' },
      { label: name, href: `/systems/${uuid}` },
    ],
    cost: html`From then on Holdfast <strong>rejects every datapoint</strong> of its
      ${counted(components.total, 'component')}${setpoints === null ? null : html` and keeps ${setpoints} waiting`}. All
      stored data stays readable, and you can activate the system again.`,
    button: 'Archive the system',
  }
}

const WAITING = ['PENDING', 'SENT', 'ACKNOWLEDGED'] as const

async function shown(visit: Visit, system: System, refused: Refused | null): Promise<View> {
  const mayChange = hasRightAt(visit, 'model:write', system)
  const { uuid, status, organizationUnit, updatedAt } = system
  return {
    ...systemView(visit, system, 'overview', await body(visit, system, refused, mayChange)),
    place: [
      html`<code>${uuid}</code>`,
      html`${status.toLowerCase()}`,
      ...(organizationUnit === null ? [] : [unitLink(organizationUnit)]),
      html`changed ${date(updatedAt, visit.now, visit.zone)}`,
    ],
    actions: mayChange ? statusButtons(visit, system) : [],
  }
}

function unitLink(key: string): Html {
  return html`of <a href="/organizations/${encodeURIComponent(key)}"><code>${key}</code></a>`
}

function statusButtons(visit: Visit, system: System): readonly Html[] {
  const { csrf } = visit
  if (system.status === 'ACTIVATED') return [act(csrf, 'Archive…', { act: 'ask-archive' })]
  const activate = act(csrf, 'Activate', { act: 'activate' })
  const mayDelete = system.status === 'ARCHIVED' && hasRightAt(visit, 'data:delete', system)
  return mayDelete ? [activate, act(csrf, 'Delete…', { act: 'ask-delete' }, 'danger')] : [activate]
}

async function body(visit: Visit, system: System, refused: Refused | null, mayChange: boolean): Promise<Html> {
  const { uuid, status, metadataKeyValueStore } = system
  const sent = (name: string) => (refused?.filled.text('act') === name ? refused.filled : null)
  const { context, actor, url } = visit
  const page = { first: ON_A_PAGE, after: cursorAfter(url) }
  const components = await listComponents(context, actor, { systems: [uuid] }, page)
  const rows = components.items.map((one) => rowOf(visit, system, one, mayChange))
  return html`${refused?.problem ?? (status === 'ACTIVATED' ? null : notInUse(status, mayChange))}
    <div class="blocks">
      ${page.after === null ? await latestValues(visit, uuid, components.items, components.total) : null}
      ${block({
        title: 'Components',
        note: components.total.toLocaleString('en-US'),
        body:
          rows.length === 0
            ? empty('This system has no components yet.')
            : html`${table(COLUMNS, rows)} ${pagesOf(url, components)}`,
      })}
      ${metadataBlock(metadataKeyValueStore, 'This system has no metadata yet.', mayChange ? `/systems/${uuid}/metadata` : null)}
      ${mayChange ? await newComponent(visit, sent('add') ?? newlyFilled(NEW_COMPONENT)) : null}
      ${entityBlock(visit, SYSTEM, system)}
      ${mayChange ? datapointsForm(visit, system, components.items, sent('ask-delete-datapoints')) : null}
      ${mayChange ? block({ title: 'Change the system', body: changeForm({ csrf: visit.csrf, fields: FIELDS, values: system, filled: sent('save') }) }) : null}
    </div>`
}

function rowOf(visit: Visit, system: System, component: Component, mayChange: boolean): Row {
  const { uuid, name, componentModel, status, updatedAt } = component
  const { now, zone } = visit
  return {
    sign: statusSign(status),
    cells: [
      html`<a href="/systems/${system.uuid}/analyse?${new URLSearchParams({ search: name }).toString()}">${name}</a>`,
      html`<a href="/model/${DATA_TYPES.componentModel}/${encodeURIComponent(componentModel)}"
        ><code>${componentModel}</code></a
      >`,
      metadataCell(uuid, component.metadataKeyValueStore, mayChange),
      statusText(status),
      date(updatedAt, now, zone),
      mayChange ? componentButtons(visit, system, component) : null,
    ],
  }
}

function notInUse(status: System['status'], mayChange: boolean): Html {
  const next = mayChange ? ' Activate it to accept datapoints again.' : ''
  return notice(
    'warn',
    `This system is ${status.toLowerCase()}`,
    `Holdfast rejects its datapoints. All stored data stays readable.${next}`,
  )
}

const COLUMNS = [
  { label: 'Component' },
  { label: 'Model' },
  { label: 'Metadata' },
  { label: 'Status' },
  { label: 'Changed', isNumber: true },
  { label: '' },
]

const MOST_NAMED = 3

function metadataCell(component: string, items: StoredMetadata, mayChange: boolean): Html {
  const shown = items
    .slice(0, MOST_NAMED)
    .map(({ key, value }) => html`<code>${key}</code> ${shortText(fieldText(value))} `)
  const more = items.length > MOST_NAMED ? html`<span class="soft">and ${items.length - MOST_NAMED} more</span> ` : null
  const edit = html`<a href="/components/${component}/metadata">${items.length === 0 ? 'Add' : 'Edit'}</a>`
  return html`${shown}${more}${mayChange ? edit : null}`
}

/** The form for a new component. The model is chosen from a list or, if there are too many models, typed. */
async function newComponent({ context, actor, csrf }: Visit, filled: Filled): Promise<Html> {
  const models = await listRecords(context, actor, DATA_TYPES.componentModel, {
    first: MOST_MODELS,
    after: null,
    filter: { status: ['ACTIVATED'] },
    order: { by: 'KEY', direction: 'ASC' },
  })
  const choices = models.items.map(({ key, body: { name } }) => ({
    value: key,
    label: typeof name === 'string' ? `${name} (${key})` : key,
  }))
  const componentModel = models.hasNext ? {} : { hint: '', choices }
  const fields = newEntityForm(COMPONENT, { ...COMPONENT_WORDS, own: { ...COMPONENT_WORDS.own, componentModel } })
  return block({
    title: 'Add a component',
    body: form(
      csrf,
      html`<input type="hidden" name="act" value="add" /> ${showFields(fields, filled)} ${send('Add component')}`,
    ),
  })
}
