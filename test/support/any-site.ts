import type { DomainContext } from '../../src/platform/domain-context.ts'
import { createComponents } from '../../src/platform/systems/components.ts'
import { createSystem } from '../../src/platform/systems/systems.ts'
import { fetchSupport } from '../../src/store/component-support.ts'
import { readDomain } from '../../src/store/domains.ts'
import { applyAll } from './domain.ts'
import type { SentPoint } from './site.ts'

export interface AnySite {
  readonly systemUuid: string
  readonly componentUuids: readonly string[]
  /** A datapoint as it is sent. */
  point(code: string, value: unknown, timestamp?: unknown, component?: number): SentPoint
}

/** A system whose components support these characteristics, in a domain that had none. */
export async function makeAnySite(
  context: DomainContext,
  characteristics: { readonly [code: string]: object },
  components = 1,
): Promise<AnySite> {
  await applyAll(context, modelOf(characteristics))
  const { uuid: systemUuid } = await createSystem(context, { name: 'Site' })
  const inputs = Array.from({ length: components }, (_, index) => ({
    systemUuid,
    model: 'device',
    name: `Device ${index}`,
  }))
  const componentUuids = (await createComponents(context, inputs)).map(({ uuid }) => uuid)
  const { database, domain } = context
  const [support] = await readDomain(database, domain.id, (sql) =>
    fetchSupport(sql, domain.id, componentUuids.slice(0, 1)),
  )
  const pairs = new Map(support?.pairs.map((pair) => [pair.characteristicKey, pair]))
  return {
    systemUuid,
    componentUuids,
    point(code, value, timestamp, component = 0) {
      const pair = pairs.get(code)
      if (pair === undefined) throw new Error(`the model has no ${code}`)
      return {
        system_uuid: systemUuid,
        component_uuid: componentUuids[component] ?? '',
        service_uuid: pair.serviceUuid,
        characteristic_uuid: pair.characteristicUuid,
        value,
        ...(timestamp !== undefined && { timestamp }),
      }
    },
  }
}

/** Each may be reported and set, so that one site serves both. */
function modelOf(characteristics: { readonly [code: string]: object }): object {
  const codes = Object.keys(characteristics)
  return {
    characteristics: codes.map((code) => ({
      code,
      name: code,
      characteristicType: 'SETTING',
      ...characteristics[code],
    })),
    services: [{ code: 'all', name: 'All', characteristics: codes.map((code) => ({ code })) }],
    componentModels: [{ code: 'device', name: 'Device', componentType: 'DEVICE', services: [{ code: 'all' }] }],
  }
}
