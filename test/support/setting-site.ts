import type { DomainContext } from '../../src/platform/domain-context.ts'
import { createComponents } from '../../src/platform/systems/components.ts'
import { createSystem } from '../../src/platform/systems/systems.ts'
import { fetchSupport } from '../../src/store/systems/component-support.ts'
import { readDomain } from '../../src/store/domains.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { applyAll } from './domain.ts'
import type { SentPoint } from './site.ts'

/** Settings for each way in which values are stored, and one characteristic that cannot be set. */
const CHARACTERISTICS = {
  target: { dataType: 'FLOAT', boundaryMin: 5, boundaryMax: 30, boundaryStep: 0.5 },
  pump: { dataType: 'BOOLEAN' },
  limit: { dataType: 'INTEGER' },
  mode: { dataType: 'SELECT', options: ['auto', 'away'].map((key) => ({ key, label: key, meta: [] })) },
  schedule: { dataType: 'JSON' },
  temperature: { dataType: 'FLOAT', characteristicType: 'MEASUREMENT' },
} as const

export type SettingCode = keyof typeof CHARACTERISTICS

export const SETTING_MODEL = {
  characteristics: Object.entries(CHARACTERISTICS).map(([code, fields]) => ({
    code,
    name: code,
    characteristicType: 'SETTING',
    ...fields,
  })),
  services: [
    { code: 'heating', name: 'Heating', characteristics: Object.keys(CHARACTERISTICS).map((code) => ({ code })) },
  ],
  componentModels: ['thermostat', 'boiler'].map((code) => ({
    code,
    name: code,
    componentType: 'DEVICE',
    services: [{ code: 'heating' }],
  })),
  organizations: [{ name: 'Acme', alias: 'acme', organizationUnits: [{ name: 'Ground floor', alias: 'eg' }] }],
}

export interface SettingSite {
  /** The system `home` of acme/eg, and another one that belongs to nobody. */
  readonly systems: readonly [home: string, other: string]
  /** Two thermostats at home, one in the other system. */
  readonly thermostats: readonly [string, string, string]
  /** A boiler at home. */
  readonly boiler: string
  readonly serviceUuid: string
  readonly characteristics: ReadonlyMap<string, string>
  /** An element of a request, of a component at home by default. */
  element(code: SettingCode, value: unknown, more?: ElementOptions): SentPoint
}

export interface ElementOptions {
  readonly timestamp?: unknown
  readonly component?: string
  readonly system?: string
}

export async function makeSettingSite(context: DomainContext): Promise<SettingSite> {
  await applyAll(context, SETTING_MODEL)
  const { uuid: home } = await createSystem(context, EVERYWHERE, { name: 'Home', organizationUnit: 'acme/eg' })
  const { uuid: other } = await createSystem(context, EVERYWHERE, { name: 'Other' })
  const make = async (systemUuid: string, model: string, name: string): Promise<string> => {
    const [made] = await createComponents(context, EVERYWHERE, [{ system: systemUuid, componentModel: model, name }])
    return made?.uuid ?? ''
  }
  const one = await make(home, 'thermostat', 'Kitchen')
  const boiler = await make(home, 'boiler', 'Boiler')
  const thermostats = [one, await make(home, 'thermostat', 'Hall'), await make(other, 'thermostat', 'Far')] as const
  const { database, domain } = context
  const [support] = await readDomain(database, domain.id, (sql) => fetchSupport(sql, domain.id, [one]))
  const pairs = support?.pairs ?? []
  const characteristics = new Map(pairs.map((pair) => [pair.characteristicKey, pair.characteristicUuid]))
  const serviceUuid = pairs[0]?.serviceUuid ?? ''
  return {
    systems: [home, other],
    thermostats,
    boiler,
    serviceUuid,
    characteristics,
    element: (code, value, { timestamp, component = one, system = home } = {}) => ({
      system_uuid: system,
      component_uuid: component,
      service_uuid: serviceUuid,
      characteristic_uuid: characteristics.get(code) ?? '',
      value,
      ...(timestamp !== undefined && { timestamp }),
    }),
  }
}
