import { missingRight } from '../../../auth/require-right.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { createComponents, listComponents } from '../../../platform/systems/components.ts'
import { updateSystem, type System } from '../../../platform/systems/systems.ts'
import { listRecords } from '../../../platform/records/read-records.ts'
import { DATA_TYPES } from '../../../records/types/data-types.ts'
import { html, type Html } from '../../../server/login/html.ts'
import { filledWith, type Filled } from '../../form.ts'
import { declarePage, type View, type Visit } from '../../page.ts'
import { block, empty, pairs } from '../../parts/block.ts'
import { act, form, selectField, send, textField } from '../../parts/fields.ts'
import { orRefused } from '../../parts/refused.ts'
import { lengthText, table } from '../../parts/table.ts'
import { date } from '../../parts/time.ts'
import { requireSystem, systemView } from './system-view.ts'

const MOST_COMPONENTS = 200
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
        const { uuid } = await requireSystem(visit)
        await carryOut(visit, uuid, filled)
        return { to: `/systems/${uuid}` }
      },
      async (problem) => shown(visit, await requireSystem(visit), filled, problem),
    ),
})

async function carryOut({ context, actor }: Visit, uuid: string, filled: Filled): Promise<void> {
  const wanted = filled.text('act')
  if (wanted === 'add') {
    const component = { system: uuid, componentModel: filled.text('componentModel'), name: filled.text('name') }
    await createComponents(context, actor, [component])
  } else if (wanted === 'archive') await updateSystem(context, actor, uuid, { status: 'ARCHIVED' })
  else if (wanted === 'activate') await updateSystem(context, actor, uuid, { status: 'ACTIVATED' })
  else throw new HoldfastError('BAD_USER_INPUT', 'the form does not say what to do; reload the page')
}

async function shown(visit: Visit, system: System, filled: Filled, problem: Html | null = null): Promise<View> {
  const mayChange = missingRight('', 'model:write', visit.caller, true) === null
  const { uuid, status, organizationUnit, metadataKeyValueStore, updatedAt } = system
  return {
    ...systemView(visit, system, 'overview', await body(visit, system, filled, problem, mayChange)),
    place: [
      html`<code>${uuid}</code>`,
      html`${status.toLowerCase()}`,
      ...(organizationUnit === null ? [] : [html`of <code>${organizationUnit}</code>`]),
      html`changed ${date(updatedAt, visit.now, visit.zone)}`,
      ...(metadataKeyValueStore.length === 0 ? [] : [html`${metadataKeyValueStore.length} metadata`]),
    ],
    actions: mayChange ? [statusButton(visit, system)] : [],
  }
}

function statusButton({ csrf }: Visit, { status }: System): Html {
  return status === 'ACTIVATED' ? act(csrf, 'Archive', { act: 'archive' }) : act(csrf, 'Activate', { act: 'activate' })
}

async function body(
  visit: Visit,
  { uuid, metadataKeyValueStore }: System,
  filled: Filled,
  problem: Html | null,
  mayChange: boolean,
): Promise<Html> {
  const { context, actor, now, zone } = visit
  const page = { first: MOST_COMPONENTS, after: null }
  const components = await listComponents(context, actor, { systems: [uuid] }, page)
  const rows = components.items.map(({ name, componentModel, status, updatedAt }) => ({
    sign: status === 'ACTIVATED' ? ('none' as const) : ('failed' as const),
    cells: [
      name,
      html`<a href="/model/${DATA_TYPES.componentModel}/${encodeURIComponent(componentModel)}"
        ><code>${componentModel}</code></a
      >`,
      status.toLowerCase(),
      date(updatedAt, now, zone),
    ],
  }))
  return html`${problem}
    <div class="blocks">
      ${block({
        title: 'Components',
        note: lengthText(rows.length, components.total),
        body: rows.length === 0 ? empty('This system has no components yet.') : table(COLUMNS, rows),
      })}
      ${mayChange ? await newComponent(visit, filled) : null}
      ${
        metadataKeyValueStore.length === 0
          ? null
          : block({
              title: 'Metadata',
              body: pairs(metadataKeyValueStore.map(({ key, value }) => [html`<code>${key}</code>`, String(value)])),
            })
      }
    </div>`
}

const COLUMNS = [{ label: 'Component' }, { label: 'Model' }, { label: 'Status' }, { label: 'Changed', isNumber: true }]

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
