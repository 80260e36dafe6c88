import type { RefusedDatapoint } from '../../../platform/datapoints/refused/list-refused.ts'
import { listSupport } from '../../../platform/systems/components.ts'
import type { Visit } from '../../page.ts'
import { componentsOf } from './system-view.ts'

/** What a refused datapoint was meant for, by the names that people know; as far as it was told. */
export async function namesOfRefused(visit: Visit, systemUuid: string): Promise<(refused: RefusedDatapoint) => string> {
  const { components } = await componentsOf(visit, systemUuid)
  const names = new Map(components.map(({ uuid, name }) => [uuid, name]))
  const support = await listSupport(visit.context, [...names.keys()])
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
