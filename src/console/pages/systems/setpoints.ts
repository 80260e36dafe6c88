import { missingRight } from '../../../auth/require-right.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { listSetpoints } from '../../../platform/setpoints/list-setpoints.ts'
import { setSetpoints } from '../../../platform/setpoints/set-setpoints.ts'
import type { Setpoint } from '../../../platform/setpoints/setpoint.ts'
import { listSupport } from '../../../platform/systems/components.ts'
import type { System } from '../../../platform/systems/systems.ts'
import { html, type Html } from '../../../server/html.ts'
import { filledWith, type Filled } from '../../form.ts'
import { declarePage, type Visit } from '../../page.ts'
import { block, empty } from '../../parts/block.ts'
import { form, selectField, send, textField } from '../../parts/fields.ts'
import { orRefused } from '../../parts/refused.ts'
import type { Sign } from '../../parts/sign.ts'
import { lengthText, table } from '../../parts/table.ts'
import { age, date } from '../../parts/time.ts'
import { componentsOf, requireSystem, systemView } from './system-view.ts'

const PAGE = { first: 100, after: null } as const

/** `/systems/:uuid/setpoints`: what devices shall do, and what became of it. */
export const SETPOINTS_PAGE = declarePage({
  path: '/systems/:uuid/setpoints',
  area: 'systems',
  right: 'data:read',
  rightToChange: 'setpoints:write',
  keepsWithin: true,
  async show(visit) {
    const system = await requireSystem(visit)
    return systemView(visit, system, 'setpoints', await body(visit, system, filledWith({})))
  },
  receive: (visit, filled) =>
    orRefused(
      async () => {
        const system = await requireSystem(visit)
        await set(visit, system, filled)
        return { to: `/systems/${system.uuid}/setpoints` }
      },
      async (problem) => {
        const system = await requireSystem(visit)
        return systemView(visit, system, 'setpoints', await body(visit, system, filled, problem))
      },
    ),
})

async function set(visit: Visit, system: System, filled: Filled): Promise<void> {
  const { context, actor } = visit
  const { settings } = await settable(visit, system)
  const chosen = settings.find(({ value }) => value === filled.text('what'))
  if (chosen === undefined)
    throw new HoldfastError('BAD_USER_INPUT', 'this cannot be set any more: the model has changed; reload the page')
  const expiresIn = filled.text('expiresIn')
  await setSetpoints(context, actor, {
    components: [{ ...chosen.of, value: valueOf(filled.text('value'), chosen.isText) }],
    models: [],
    ...(expiresIn !== '' && { expiresIn }),
  })
}

/** Texts are written as they are, all else as JSON: 21.5, true, {"mode": 1}. */
function valueOf(text: string, isText: boolean): unknown {
  if (isText) return text
  try {
    return JSON.parse(text)
  } catch {
    throw new HoldfastError(
      'BAD_USER_INPUT',
      `the value must be a number, true, false or other JSON, not ${JSON.stringify(text)}`,
    )
  }
}

async function body(visit: Visit, system: System, filled: Filled, problem: Html | null = null): Promise<Html> {
  const { context, actor, caller, csrf, now, zone } = visit
  const mayChange = missingRight('', 'setpoints:write', caller, true) === null
  const found = await listSetpoints(context, actor, { systems: [system.uuid] }, { ...PAGE, isOldestFirst: false })
  const { settings, left } = mayChange ? await settable(visit, system) : NOTHING
  return html`${problem}
    <div class="blocks">
      ${block({
        title: 'Setpoints',
        note: lengthText(found.items.length, found.total, 'latest'),
        body:
          found.items.length === 0
            ? empty('Nothing has been set yet.')
            : table(
                COLUMNS,
                found.items.map((setpoint) => ({
                  sign: SIGNS[setpoint.state],
                  cells: [
                    html`${setpoint.characteristic}<span class="under">${setpoint.service}</span>`,
                    html`<span class="mono">${JSON.stringify(setpoint.value)}</span>`,
                    html`${setpoint.state.toLowerCase()}${
                      setpoint.reason === null ? null : html`<span class="under">${setpoint.reason}</span>`
                    }`,
                    setpoint.actor,
                    date(setpoint.createdAt, now, zone),
                    age(setpoint.changedAt, now, zone),
                  ],
                })),
              ),
      })}
      ${
        settings.length === 0
          ? null
          : block({
              title: 'Set a value',
              note: left ?? 'the device asks for it, and says what became of it',
              body: form(
                csrf,
                html`${selectField(filled, { name: 'what', label: 'Setting' }, settings)}
                ${textField(filled, { name: 'value', label: 'Value', isRequired: true, isCode: true })}
                ${textField(filled, {
                  name: 'expiresIn',
                  label: 'Given up after',
                  hint: 'A duration such as PT15M or P1D. Empty: never.',
                  isCode: true,
                })}
                ${send('Set')}`,
              ),
            })
      }
    </div>`
}

const COLUMNS = [
  { label: 'Setting' },
  { label: 'Value' },
  { label: 'State' },
  { label: 'By' },
  { label: 'Set', isNumber: true },
  { label: 'Since', isNumber: true },
]

const SIGNS: { readonly [state in Setpoint['state']]: Sign } = {
  PENDING: 'move',
  SENT: 'move',
  ACKNOWLEDGED: 'move',
  APPLIED: 'done',
  REJECTED: 'failed',
  SUPERSEDED: 'none',
  EXPIRED: 'none',
}

/** For who may only look. */
const NOTHING = { settings: [], left: null } as const

interface Settable {
  readonly value: string
  readonly label: string
  readonly isText: boolean
  readonly of: { readonly component: string; readonly service: string; readonly characteristic: string }
}

/** The settings of the components of a system. */
async function settable(visit: Visit, { uuid }: System) {
  const { components, left } = await componentsOf(visit, uuid)
  const names = new Map(components.map((component) => [component.uuid, component.name]))
  const support = await listSupport(visit.context, [...names.keys()])
  const settings = support.flatMap(({ componentUuid, pairs }): Settable[] =>
    pairs
      .filter(({ characteristicBody: { characteristicType } }) => characteristicType === 'SETTING')
      .map(({ serviceKey, characteristicKey, characteristicBody: { name, dataType, symbol } }) => ({
        value: `${componentUuid} ${serviceKey} ${characteristicKey}`,
        label: `${names.get(componentUuid) ?? componentUuid}: ${String(name ?? characteristicKey)}${typeof symbol === 'string' ? `, ${symbol}` : ''}`,
        isText: dataType === 'STRING' || dataType === 'SELECT',
        of: { component: componentUuid, service: serviceKey, characteristic: characteristicKey },
      })),
  )
  return { settings, left }
}
