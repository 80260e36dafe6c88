import { requireRight } from '../../../auth/require-right.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { counted } from '../../../lib/counted.ts'
import type { DeletionCounts } from '../../../../generated/entities.ts'
import { readRange } from '../../../platform/datapoints/reading/reading-query.ts'
import type { Wanted } from '../../../platform/deletions/deletion-target.ts'
import { carryOutDeletion, previewDeletion } from '../../../platform/deletions/deletions.ts'
import { findComponent, updateComponent, type Component } from '../../../platform/systems/components.ts'
import { findEvent } from '../../../platform/systems/events.ts'
import type { System } from '../../../platform/systems/systems.ts'
import { checkText, checkUuid } from '../../../server/checked-arguments.ts'
import { html, type Html } from '../../../server/html.ts'
import type { Act } from '../../declared/thing-page.ts'
import { filledWith, type Filled } from '../../form.ts'
import type { Redirect, Visit } from '../../page.ts'
import { hasRightAt, withRight } from '../../visit-right.ts'
import { block } from '../../parts/block.ts'
import { act, form, selectField, send, textField } from '../../parts/fields.ts'

// The acts of the pages of a system that delete or archive something. Each asks first, and shows the cost.

interface Doomed {
  readonly wanted: Wanted
  readonly title: string
  readonly button: string
  /** Hidden fields that name the object to delete. */
  readonly of: { readonly [field: string]: string }
}

/** The visit with the right to delete. */
function deleting(visit: Visit): Visit {
  requireRight('Deleting', 'data:delete', visit.caller, true)
  return withRight(visit, 'data:delete') ?? visit
}

/** An act that deletes for ever. Its confirmation has the token of the preview. */
function deletion(
  find: (visit: Visit, system: System, filled: Filled) => Doomed | Promise<Doomed>,
  after?: Redirect,
): Act<System> {
  return {
    async ask(visit, system, filled) {
      const { context, actor } = deleting(visit)
      const { wanted, of, ...shown } = await find(visit, system, filled)
      const { counts, token } = await previewDeletion(context, actor, wanted)
      return { ...shown, crumbs: crumbsOf(system), cost: costOf(counts), of: { ...of, token } }
    },
    async carryOut(visit, system, filled) {
      const { context, actor } = deleting(visit)
      const { wanted } = await find(visit, system, filled)
      const { counts } = await carryOutDeletion(context, actor, wanted, filled.text('token'))
      if (counts.credentials > 0) visit.noteAccessChange('system with credentials deleted', { target: system.uuid })
      return after
    },
  }
}

function crumbsOf({ uuid, name }: System) {
  return [
    { label: 'Systems', href: '/systems' },
    { label: name, href: `/systems/${uuid}` },
  ]
}

const WORDS = [
  ['systems', 'system'],
  ['components', 'component'],
  ['datapoints', 'datapoint'],
  ['events', 'event'],
  ['setpoints', 'setpoint'],
  ['credentials', 'credential'],
  ['idempotencyKeys', 'Idempotency-Key'],
] as const satisfies readonly (readonly [keyof DeletionCounts, string])[]

function costOf(counts: DeletionCounts): Html {
  const parts = WORDS.flatMap(([name, word]) => (counts[name] === 0 ? [] : [counted(counts[name], word)]))
  if (parts.length === 0) return html`<strong>Nothing is stored</strong> that this deletes.`
  return html`This deletes <strong>${parts.join(', ')}</strong> for ever. Nobody can restore them. Everything that is
    stored from now on stays.`
}

export const DELETE_SYSTEM = deletion(
  (_, { uuid, name }) => ({
    wanted: { kind: 'SYSTEM', uuid },
    title: `Delete ${name}?`,
    button: 'Delete the system',
    of: {},
  }),
  { to: '/systems' },
)

const DELETE_COMPONENT = deletion(async (visit, _, filled) => {
  const { uuid, name } = await componentOf(visit, filled.text('component'))
  return {
    wanted: { kind: 'COMPONENT', uuid },
    title: `Delete ${name}?`,
    button: 'Delete the component',
    of: { component: uuid },
  }
})

async function componentOf({ context, actor }: Visit, named: string): Promise<Component> {
  const uuid = checkUuid(named, 'component')
  const component = await findComponent(context, actor, uuid)
  if (component === null) throw new HoldfastError('NOT_FOUND', `there is no component ${uuid}`)
  return component
}

export const DELETE_EVENT = deletion(async ({ context, actor }, _, filled) => {
  const uuid = checkUuid(filled.text('event'), 'event')
  const event = await findEvent(context, actor, uuid)
  const name = event?.message ?? event?.eventModel ?? uuid
  return { wanted: { kind: 'EVENT', uuid }, title: `Delete ${name}?`, button: 'Delete the event', of: { event: uuid } }
})

const DELETE_DATAPOINTS = deletion(async (visit, { uuid, name }, filled) => {
  const [of, characteristic] = [filled.text('of'), filled.text('characteristic')]
  const [from, to] = [filled.text('from'), filled.text('to')]
  const range = readRange({ from: from === '' ? null : from, to: to === '' ? null : to }, visit.now)
  const owner = of === '' ? name : (await componentOf(visit, of)).name
  const times = `${from === '' ? '' : ` from ${from}`}${to === '' ? '' : ` before ${to}`}`
  return {
    wanted: {
      kind: 'DATAPOINTS',
      series: {
        systems: [uuid],
        components: of === '' ? null : [checkUuid(of, 'of')],
        services: null,
        characteristics: characteristic === '' ? null : [checkText(characteristic, 'characteristic')],
      },
      from: from === '' ? null : range.from,
      to: to === '' ? null : range.to,
    },
    title: `Delete ${characteristic === '' ? 'all datapoints' : `the datapoints of ${characteristic}`} of ${owner}${times}?`,
    button: 'Delete the datapoints',
    of: { of, characteristic, from, to },
  }
})

function setStatus(status: Component['status']) {
  return async (visit: Visit, _: System, filled: Filled): Promise<void> => {
    const { uuid } = await componentOf(visit, filled.text('component'))
    await updateComponent(visit.context, visit.actor, uuid, { status })
  }
}

export const COMPONENT_ACTS: { readonly [name: string]: Act<System> } = {
  'archive-component': {
    async ask(visit, system, filled) {
      const { uuid, name } = await componentOf(visit, filled.text('component'))
      return {
        title: `Archive ${name}?`,
        crumbs: crumbsOf(system),
        cost: html`From then on Holdfast <strong>rejects every datapoint</strong> of this component. All stored data
          stays readable, and you can activate the component again.`,
        of: { component: uuid },
        button: 'Archive the component',
      }
    },
    carryOut: setStatus('ARCHIVED'),
  },
  'activate-component': { carryOut: setStatus('ACTIVATED') },
  'delete-component': DELETE_COMPONENT,
  'delete-datapoints': DELETE_DATAPOINTS,
}

/** The buttons of a component, as far as the person may use them. */
export function componentButtons(visit: Visit, system: System, { uuid, status }: Component): Html | null {
  const button = (label: string, name: string, kind = '') =>
    act(visit.csrf, label, { act: name, component: uuid }, kind)
  if (status === 'ACTIVATED') return button('Archive…', 'ask-archive-component')
  if (status !== 'ARCHIVED' || !hasRightAt(visit, 'data:delete', system))
    return button('Activate', 'activate-component')
  return html`${button('Activate', 'activate-component')} ${button('Delete…', 'ask-delete-component', 'danger')}`
}

/** The form that deletes datapoints of the system; null if the person may not. */
export function datapointsForm(
  visit: Visit,
  system: System,
  components: readonly Component[],
  sent: Filled | null,
): Html | null {
  if (!hasRightAt(visit, 'data:delete', system)) return null
  const filled = sent ?? filledWith({})
  const choices = components.map(({ uuid, name }) => ({ value: uuid, label: name }))
  const hint = 'RFC 3339, such as 2026-01-31T00:00:00Z'
  return block({
    title: 'Delete datapoints',
    body: form(
      visit.csrf,
      html`<input type="hidden" name="act" value="ask-delete-datapoints" />
        ${selectField(filled, { name: 'of', label: 'Of' }, [{ value: '', label: 'all components' }, ...choices])}
        ${textField(filled, { name: 'characteristic', label: 'Characteristic', hint: 'Its key. Empty: all', isCode: true })}
        ${textField(filled, { name: 'from', label: 'From', hint: `${hint}. Empty: the first`, isCode: true })}
        ${textField(filled, { name: 'to', label: 'Before', hint: `${hint}. Empty: the last`, isCode: true })}
        ${send('Delete…', undefined, 'danger')}`,
    ),
  })
}
