import type { DomainContext } from '../../src/platform/domain-context.ts'
import { createComponents } from '../../src/platform/systems/components.ts'
import { createSystem } from '../../src/platform/systems/systems.ts'
import { fetchSupport } from '../../src/store/systems/component-support.ts'
import { readDomain } from '../../src/store/domains.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { applyAll } from './domain.ts'

/** A characteristic for each way in which values are stored. */
export const CHARACTERISTICS = {
  temperature: { dataType: 'FLOAT' },
  count: { dataType: 'INTEGER' },
  open: { dataType: 'BOOLEAN' },
  note: { dataType: 'STRING' },
  percent: { dataType: 'FLOAT', boundaryMin: 0, boundaryMax: 100 },
} as const

export type CharacteristicCode = keyof typeof CHARACTERISTICS

export const SITE_MODEL = {
  characteristics: Object.entries(CHARACTERISTICS).map(([code, fields]) => ({
    code,
    name: code,
    characteristicType: 'MEASUREMENT',
    ...fields,
  })),
  services: [
    { code: 'room', name: 'Room', characteristics: Object.keys(CHARACTERISTICS).map((code) => ({ code })) },
    { code: 'unused', name: 'Unused', characteristics: [{ code: 'temperature' }] },
  ],
  componentModels: [{ code: 'sensor', name: 'Sensor', componentType: 'DEVICE', services: [{ code: 'room' }] }],
}

export interface Site<Code extends string = CharacteristicCode> {
  readonly systemUuid: string
  readonly componentUuids: readonly string[]
  /** A datapoint as it is sent. */
  point(code: Code, value: unknown, timestamp?: unknown, component?: number): SentPoint
}

export interface SentPoint {
  readonly system_uuid: string
  readonly component_uuid: string
  readonly service_uuid: string
  readonly characteristic_uuid: string
  readonly value: unknown
  readonly timestamp?: unknown
}

/** A system with some sensors, in a domain without a site. */
export async function makeSite(context: DomainContext, components = 2): Promise<Site> {
  await applyAll(context, SITE_MODEL)
  return makeSystem(context, { model: 'sensor', name: 'Sensor' }, components)
}

/** A system with some components of one existing model. */
export async function makeSystem<Code extends string>(
  context: DomainContext,
  { model, name }: { readonly model: string; readonly name: string },
  components: number,
): Promise<Site<Code>> {
  const { uuid: system } = await createSystem(context, EVERYWHERE, { name: 'Site' })
  const inputs = Array.from({ length: components }, (_, index) => ({
    system,
    componentModel: model,
    name: `${name} ${index}`,
  }))
  const componentUuids = (await createComponents(context, EVERYWHERE, inputs)).map(({ uuid }) => uuid)
  const { database, domain } = context
  const [support] = await readDomain(database, domain.id, (sql) =>
    fetchSupport(sql, domain.id, componentUuids.slice(0, 1)),
  )
  const pairs = new Map(support?.pairs.map((pair) => [pair.characteristicKey, pair]))
  return {
    systemUuid: system,
    componentUuids,
    point(code, value, timestamp, component = 0) {
      const pair = pairs.get(code)
      if (pair === undefined) throw new Error(`the model has no ${code}`)
      return {
        system_uuid: system,
        component_uuid: componentUuids[component] ?? '',
        service_uuid: pair.serviceUuid,
        characteristic_uuid: pair.characteristicUuid,
        value,
        ...(timestamp !== undefined && { timestamp }),
      }
    },
  }
}
