import { counted } from '../../../lib/counted.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { listSetpoints } from '../../../platform/setpoints/list-setpoints.ts'
import { createComponents, listComponents } from '../../../platform/systems/components.ts'
import { updateSystem, type System } from '../../../platform/systems/systems.ts'
import { listRecords } from '../../../platform/records/read-records.ts'
import { DATA_TYPES } from '../../../records/types/data-types.ts'
import { html, type Html } from '../../../server/html.ts'
import { filledWith, withProblems, type Filled } from '../../form.ts'
import { declarePage, type Redirect, type View, type Visit } from '../../page.ts'
import { hasRightAt } from '../../visit-right.ts'
import { cursorAfter } from '../../row-after.ts'
import { metadataPairs } from '../../metadata/metadata-view.ts'
import { fieldText, type StoredMetadata } from '../../metadata/metadata-form.ts'
import { block, empty, notice } from '../../parts/block.ts'
import { act, form, selectField, send, textField } from '../../parts/fields.ts'
import { confirmation } from '../../parts/confirm.ts'
import { orRefused } from '../../parts/refused.ts'
import { pagesOf } from '../../pages-of.ts'
import { statusSign, statusText } from '../../parts/status.ts'
import { table } from '../../parts/table.ts'
import { date } from '../../parts/time.ts'
import { latestValues } from './latest-values.ts'
import { requireSystem, systemView } from './system-view.ts'

const ON_A_PAGE = 100
const MOST_MODELS = 200

/** `/systems/:uuid`: what a system consists of. */
export const SYSTEM_PAGE = declarePage({
  path: '/systems/:uuid',
  area: 'systems',
  right: 'data:read',
  rightToChange: 'model:write',
  keepsWithin: true,
  show: async (visit) => shown(visit, await requireSystem(visit), filledWith({})),
  receive: (visit, filled) =>
    orRefused(
      async () => {
        return carryOut(visit, await requireSystem(visit), filled)
      },
      async (problem, details) => shown(visit, await requireSystem(visit), withProblems(filled, details), problem),
    ),
})

async function carryOut(visit: Visit, system: System, filled: Filled): Promise<View | Redirect> {
  const { context, actor } = visit
  const { uuid } = system
  const wanted = filled.text('act')
  if (wanted === 'ask-archive') return askArchive(visit, system)
  if (wanted === 'add') {
    const component = { system: uuid, componentModel: filled.text('componentModel'), name: filled.text('name') }
    await createComponents(context, actor, [component])
  } else if (wanted === 'archive') await updateSystem(context, actor, uuid, { status: 'ARCHIVED' })
  else if (wanted === 'activate') await updateSystem(context, actor, uuid, { status: 'ACTIVATED' })
  else throw new HoldfastError('BAD_USER_INPUT', 'the form does not say what to do; reload the page')
  return { to: `/systems/${uuid}` }
}

/** Says what archiving ends, and that it deletes nothing. */
async function askArchive({ csrf, context, actor }: Visit, { uuid, name }: System): Promise<View> {
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
  return confirmation(
    { csrf },
    {
      title: `Archive ${name}?`,
      crumbs: [
        { label: 'Systems', href: '/systems' },
        { label: name, href: `/systems/${uuid}` },
      ],
      cost: html`From then on Holdfast <strong>rejects every datapoint</strong> of its
        ${counted(components.total, 'component')}${setpoints === null ? null : html` and keeps ${setpoints} waiting`}.
        All stored data stays readable, and you can activate the system again.`,
      act: 'archive',
      button: 'Archive the system',
      back: `/systems/${uuid}`,
    },
  )
}

const WAITING = ['PENDING', 'SENT', 'ACKNOWLEDGED'] as const

async function shown(visit: Visit, system: System, filled: Filled, problem: Html | null = null): Promise<View> {
  const mayChange = hasRightAt(visit, 'model:write', system)
  const { uuid, status, organizationUnit, updatedAt } = system
  return {
    ...systemView(visit, system, 'overview', await body(visit, system, filled, problem, mayChange)),
    place: [
      html`<code>${uuid}</code>`,
      html`${status.toLowerCase()}`,
      ...(organizationUnit === null ? [] : [unitLink(organizationUnit)]),
      html`changed ${date(updatedAt, visit.now, visit.zone)}`,
    ],
    actions: mayChange ? [statusButton(visit, system)] : [],
  }
}

function unitLink(key: string): Html {
  return html`of <a href="/organizations/${encodeURIComponent(key)}"><code>${key}</code></a>`
}

function statusButton({ csrf }: Visit, { status }: System): Html {
  return status === 'ACTIVATED'
    ? act(csrf, 'Archive…', { act: 'ask-archive' })
    : act(csrf, 'Activate', { act: 'activate' })
}

async function body(
  visit: Visit,
  { uuid, status, metadataKeyValueStore }: System,
  filled: Filled,
  problem: Html | null,
  mayChange: boolean,
): Promise<Html> {
  const { context, actor, now, zone, url } = visit
  const page = { first: ON_A_PAGE, after: cursorAfter(url) }
  const components = await listComponents(context, actor, { systems: [uuid] }, page)
  const rows = components.items.map(({ uuid: component, name, componentModel, status: own, updatedAt, ...other }) => ({
    sign: statusSign(own),
    cells: [
      html`<a href="/systems/${uuid}/analyse?${new URLSearchParams({ search: name }).toString()}">${name}</a>`,
      html`<a href="/model/${DATA_TYPES.componentModel}/${encodeURIComponent(componentModel)}"
        ><code>${componentModel}</code></a
      >`,
      metadataCell(component, other.metadataKeyValueStore, mayChange),
      statusText(own),
      date(updatedAt, now, zone),
    ],
  }))
  return html`${problem ?? (status === 'ACTIVATED' ? null : notInUse(status, mayChange))}
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
      ${metadataBlock(uuid, metadataKeyValueStore, mayChange)} ${mayChange ? await newComponent(visit, filled) : null}
    </div>`
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
]

const MOST_NAMED = 3

function metadataCell(component: string, items: StoredMetadata, mayChange: boolean): Html {
  const shown = items.slice(0, MOST_NAMED).map(({ key, value }) => html`<code>${key}</code> ${fieldText(value)} `)
  const more = items.length > MOST_NAMED ? html`<span class="soft">and ${items.length - MOST_NAMED} more</span> ` : null
  const edit = html`<a href="/components/${component}/metadata">${items.length === 0 ? 'Add' : 'Edit'}</a>`
  return html`${shown}${more}${mayChange ? edit : null}`
}

function metadataBlock(uuid: string, items: StoredMetadata, mayChange: boolean): Html | null {
  if (items.length === 0 && !mayChange) return null
  return block({
    title: 'Metadata',
    ...(mayChange && { more: { label: 'Edit', href: `/systems/${uuid}/metadata` } }),
    body: items.length === 0 ? empty('This system has no metadata yet.') : metadataPairs(items),
  })
}

/** Models are chosen from a list as long as that can be looked through, and written otherwise. */
async function newComponent({ context, actor, csrf }: Visit, filled: Filled): Promise<Html> {
  const models = await listRecords(context, actor, DATA_TYPES.componentModel, {
    first: MOST_MODELS,
    after: null,
    filter: { status: ['ACTIVATED'] },
    order: { by: 'KEY', direction: 'ASC' },
  })
  const field = { name: 'componentModel', label: 'Component model' }
  const choices = models.items.map(({ key, body: { name } }) => ({
    value: key,
    label: typeof name === 'string' ? `${name} (${key})` : key,
  }))
  const chooser = models.hasNext
    ? textField(filled, { ...field, hint: 'Its key.', isCode: true, isRequired: true })
    : selectField(filled, field, choices)
  return block({
    title: 'Add a component',
    body: form(
      csrf,
      html`<input type="hidden" name="act" value="add" /> ${chooser}
        ${textField(filled, { name: 'name', label: 'Name', isRequired: true })} ${send('Add component')}`,
    ),
  })
}
