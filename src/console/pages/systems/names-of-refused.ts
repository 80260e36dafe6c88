import type { RefusedDatapoint } from '../../../platform/datapoints/refused/list-refused.ts'
import { listSupport } from '../../../platform/systems/components.ts'
import { html, type Html } from '../../../server/html.ts'
import type { Visit } from '../../page.ts'
import { seriesAddress } from './analyse/seen.ts'
import { wholeNameOf } from './analyse/shape.ts'
import { componentsOf } from './system-view.ts'

/** The chart begins and ends this long before and after the rejected datapoints. */
const AROUND_MS = 1_800_000

/** Returns a function that names a rejected datapoint's series, as far as the sender did, with a link to the chart. */
export async function namesOfRefused(
  visit: Visit,
  systemUuid: string,
  shown: readonly RefusedDatapoint[],
): Promise<(refused: RefusedDatapoint) => Html> {
  const { components } = await componentsOf(visit, systemUuid)
  const names = new Map(components.map(({ uuid, name }) => [uuid, name]))
  // A sender may have named a component of another system, whose names this page must not show.
  const meant = new Set(shown.flatMap(({ componentUuid: uuid }) => (uuid !== null && names.has(uuid) ? [uuid] : [])))
  const support = await listSupport(visit.context, [...meant])
  const pairs = new Map(
    support.flatMap(({ componentUuid, pairs: own }) =>
      own.map((pair) => [
        `${componentUuid} ${pair.serviceUuid} ${pair.characteristicUuid}`,
        { ...pair, componentUuid },
      ]),
    ),
  )
  return (refused) => {
    const { componentUuid, serviceUuid, characteristicUuid } = refused
    const pair = pairs.get(`${componentUuid} ${serviceUuid} ${characteristicUuid}`)
    const component = componentUuid === null ? null : (names.get(componentUuid) ?? componentUuid)
    if (pair === undefined) return html`${[characteristicUuid, component].filter((part) => part !== null).join(', ')}`
    const { characteristicBody, characteristicKey } = pair
    const name = wholeNameOf({ characteristic: characteristicBody, characteristicKey })
    const query = new URLSearchParams({ show: seriesAddress(pair), ...windowOf(refused, visit.now) })
    return html`<a href="/systems/${systemUuid}/analyse?${query.toString()}">${name}</a>
      <span class="under">${component}</span>`
  }
}

function windowOf({ firstAt, lastAt }: RefusedDatapoint, now: Date) {
  const [from, to] = [firstAt.getTime() - AROUND_MS, Math.min(lastAt.getTime() + AROUND_MS, now.getTime())]
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}
