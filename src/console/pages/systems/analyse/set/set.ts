import { HoldfastError } from '../../../../../lib/errors.ts'
import { setSetpoints } from '../../../../../platform/setpoints/set-setpoints.ts'
import type { SystemSeries } from '../../../../../platform/datapoints/reading/series/system-series.ts'
import { html, type Html } from '../../../../../server/html.ts'
import { filledWith, type Filled } from '../../../../form.ts'
import { declarePage, type View, type Visit } from '../../../../page.ts'
import { empty } from '../../../../parts/block.ts'
import { form, selectField, send } from '../../../../parts/fields.ts'
import { orRefused } from '../../../../parts/refused.ts'
import { lookAt, type Look } from '../look.ts'
import { seriesAddress } from '../seen.ts'
import { nameOf } from '../shape.ts'
import { settableOf, WHAT } from './settable.ts'
import { readValue } from './read-value.ts'
import { valueField } from './value-field.ts'

/**
 * `/systems/:uuid/analyse/set`: sets one value of a system. In Analyse, a script shows it as a dialog over the chart,
 * and the chart then shows the result. Without a script, the list of setpoints shows the result.
 */
export const SET_PAGE = declarePage({
  path: '/systems/:uuid/analyse/set',
  area: 'systems',
  right: 'setpoints:write',
  keepsWithin: true,
  async show(visit) {
    const look = await lookAt(visit)
    return view(visit, look, filledWith({}))
  },
  async receive(visit, filled) {
    const look = await lookAt(visit)
    return orRefused(
      async () => {
        await set(visit, look, filled)
        return { to: `/systems/${look.system.uuid}/setpoints` }
      },
      (problem) => view(visit, look, filled, problem),
    )
  },
})

async function set({ context, actor, url, zone }: Visit, look: Look, filled: Filled): Promise<void> {
  const series = meantOf(url, look)
  if (series === null)
    throw new HoldfastError('BAD_USER_INPUT', 'this cannot be set any more: the model has changed; reload the page')
  const value = readValue(filled, series, zone)
  const { componentUuid: component, serviceUuid: service, characteristicUuid: characteristic } = series
  const expiresIn = filled.text('expiresIn')
  await setSetpoints(context, actor, {
    components: [{ component, service, characteristic, value }],
    models: [],
    ...(expiresIn !== '' && { expiresIn }),
  })
}

/** The series in the address, or else the first one. */
function meantOf(url: URL, look: Look): SystemSeries | null {
  const wanted = url.searchParams.get(WHAT)
  const all = settableOf(look)
  if (wanted === null) return all[0] ?? null
  return all.find((series) => seriesAddress(series) === wanted) ?? null
}

function view(visit: Visit, look: Look, filled: Filled, problem: Html | null = null): View {
  const { system } = look
  const series = meantOf(visit.url, look)
  const back = new URLSearchParams(visit.url.searchParams)
  back.delete(WHAT)
  const analyse = `/systems/${system.uuid}/analyse?${back.toString()}`
  const crumbs = [
    { label: 'Systems', href: '/systems' },
    { label: system.name, href: analyse },
  ]
  if (series === null)
    return {
      title: 'Set a value',
      crumbs,
      body: empty('This system has no settings, or this one cannot be set any more.'),
    }
  return {
    title: `Set ${nameOf(series)}`,
    crumbs,
    body: html`<div class="set" id="set" data-series="${seriesAddress(series)}">
      <p class="soft"><bdi>${series.componentName}</bdi>, <bdi>${system.name}</bdi><span id="reported"></span></p>
      ${problem} ${chooser(visit, look, series)}
      ${form(
        visit.csrf,
        html`${valueField(filled, series)}
        ${selectField(filled, { name: 'expiresIn', label: 'Given up after' }, EXPIRIES)} ${send('Set', analyse)}`,
      )}
    </div>`,
  }
}

const EXPIRIES = [
  { value: '', label: 'Never' },
  { value: 'PT15M', label: '15 minutes' },
  { value: 'PT1H', label: '1 hour' },
  { value: 'P1D', label: '1 day' },
]

/** The maximum number of series in the list. If the person chose another one in Analyse, it comes first. */
const MOST_OFFERED = 200

/** The choice of the series. It comes first, because the form of the value depends on it. */
function chooser({ url }: Visit, look: Look, series: SystemSeries): Html | null {
  const all = settableOf(look)
  if (all.length === 1) return null
  const offered = new Set([...all.slice(0, MOST_OFFERED), series])
  const rest = [...url.searchParams].filter(([name]) => name !== WHAT)
  const choices = [...offered].map((one) => ({
    value: seriesAddress(one),
    label: `${one.componentName}: ${nameOf(one)}`,
  }))
  const hint = all.length > offered.size ? { hint: 'Others can be chosen in Analyse, and then set.' } : {}
  const filled = filledWith({ [WHAT]: seriesAddress(series) })
  return html`<form class="form what" method="get">
    ${rest.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    ${selectField(filled, { name: WHAT, label: 'Setting', ...hint }, choices)}
    <p class="sends"><button class="button">Choose</button></p>
  </form>`
}
