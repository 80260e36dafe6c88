import type { RefusedDatapoint } from '../../../platform/datapoints/refused/list-refused.ts'
import { listComponents, listSupport } from '../../../platform/systems/components.ts'
import type { Visit } from '../../page.ts'

/** What a refused datapoint was meant for, by the names that people know; as far as it was told. */
export async function listSeriesOfSystem(
  { context, actor }: Visit,
  systemUuid: string,
): Promise<(refused: RefusedDatapoint) => string> {
  const components = await listComponents(context, actor, { systems: [systemUuid] }, { first: 200, after: null })
  const names = new Map(components.items.map(({ uuid, name }) => [uuid, name]))
  const support = await listSupport(context, [...names.keys()])
  const characteristics = new Map(
    support.flatMap(({ pairs }) =>
      pairs.map(({ characteristicUuid, characteristicKey }) => [characteristicUuid, characteristicKey] as const),
    ),
  )
  return ({ componentUuid, characteristicUuid }) =>
    [
      componentUuid === null ? null : (names.get(componentUuid) ?? componentUuid),
      characteristicUuid === null ? null : (characteristics.get(characteristicUuid) ?? characteristicUuid),
    ]
      .filter((part) => part !== null)
      .join(', ')
}
