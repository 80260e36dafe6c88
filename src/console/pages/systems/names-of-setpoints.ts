import type { Setpoint } from '../../../platform/setpoints/setpoint.ts'
import { listSupport } from '../../../platform/systems/components.ts'
import type { RecordBody } from '../../../records/record-type.ts'
import type { Visit } from '../../page.ts'
import { componentsOf } from './system-view.ts'

export interface NamedSetpoint {
  readonly setpoint: Setpoint
  readonly component: string
  /** The present characteristic; null if the model no longer links it. */
  readonly characteristic: RecordBody | null
}

/** Reads the names of the series of setpoints, and the data that is needed to show their values. */
export async function namesOfSetpoints(
  visit: Visit,
  systemUuid: string,
  setpoints: readonly Setpoint[],
): Promise<readonly NamedSetpoint[]> {
  const { components } = await componentsOf(visit, systemUuid)
  const names = new Map(components.map(({ uuid, name }) => [uuid, name]))
  const support = await listSupport(visit.context, [...new Set(setpoints.map(({ componentUuid }) => componentUuid))])
  const bodies = new Map(
    support.flatMap(({ componentUuid, pairs }) =>
      pairs.map(({ serviceUuid, characteristicUuid, characteristicBody }) => {
        const series = { componentUuid, serviceUuid, characteristicUuid }
        return [seriesKey(series), characteristicBody] as const
      }),
    ),
  )
  return setpoints.map((setpoint) => ({
    setpoint,
    component: names.get(setpoint.componentUuid) ?? setpoint.componentUuid,
    characteristic: bodies.get(seriesKey(setpoint)) ?? null,
  }))
}

type Series = Pick<Setpoint, 'componentUuid' | 'serviceUuid' | 'characteristicUuid'>

function seriesKey({ componentUuid, serviceUuid, characteristicUuid }: Series): string {
  return `${componentUuid} ${serviceUuid} ${characteristicUuid}`
}
