import { fetchSupport } from '../../src/store/systems/component-support.ts'
import { readDomain } from '../../src/store/domains.ts'
import { ANYBODY } from '../platform/setpoints/support.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import type { Datapoints } from '../../src/platform/datapoints/datapoints.ts'
import { setSetpoints } from '../../src/platform/setpoints/set-setpoints.ts'
import { createComponents } from '../../src/platform/systems/components.ts'
import { createEvent } from '../../src/platform/systems/events.ts'
import { createSystem } from '../../src/platform/systems/systems.ts'
import { applyAll } from './domain.ts'
import type { SentPoint } from './site.ts'

// Two customers on one platform, and a system that belongs to neither. Everything of an organization has its name in
// it.

const user = (email: string, alias?: string) => ({
  email,
  name: `Somebody of ${email}`,
  organization: alias === undefined ? null : { alias },
})

const MODEL = {
  characteristics: [
    { code: 'temperature', name: 'Temperature', characteristicType: 'MEASUREMENT', dataType: 'FLOAT' },
    { code: 'target', name: 'Target', characteristicType: 'SETTING', dataType: 'FLOAT' },
    { code: 'note', name: 'Note', characteristicType: 'MEASUREMENT', dataType: 'STRING' },
  ],
  services: [
    { code: 'heating', name: 'Heating', characteristics: ['temperature', 'target', 'note'].map((code) => ({ code })) },
  ],
  componentModels: [{ code: 'boiler', name: 'Boiler', componentType: 'DEVICE', services: [{ code: 'heating' }] }],
  eventModels: [
    { code: 'alarm', eventType: 'RANGED', entityType: 'COMPONENT', eventLevel: 'ERROR', message: 'Too hot' },
    { code: 'restart', eventType: 'SINGLE_POINT', entityType: 'SYSTEM' },
  ],
  metadataTypes: [{ entityType: 'SYSTEM', key: 'contract', dataType: 'STRING', unique: true }],
  organizations: ['amber', 'basalt'].map((alias) => ({
    name: `The ${alias} company`,
    alias,
    organizationUnits: [
      { name: `East of ${alias}`, alias: 'east' },
      { name: `West of ${alias}`, alias: 'west' },
    ],
  })),
  users: [user('ann@amber.example', 'amber'), user('ben@basalt.example', 'basalt'), user('nel@nobody-basalt.example')],
}

/** A system with everything that can belong to it. */
export interface Customer {
  readonly system: string
  readonly component: string
  /** An open event of the component, and one of the system. */
  readonly alarm: string
  readonly restart: string
  readonly setpoint: string
  point(code: 'temperature' | 'target' | 'note', value: unknown, timestamp?: string): SentPoint
}

export interface TwoOrganizations {
  readonly amber: Customer
  readonly basalt: Customer
  /** The things of a system that belongs to no organization. */
  readonly nobody: Customer
}

/** `more` is added to the model. */
export async function makeTwoOrganizations(
  context: DomainContext,
  datapoints: Datapoints,
  more: object = {},
): Promise<TwoOrganizations> {
  await applyAll(context, { ...MODEL, ...more })
  const amber = await makeCustomer(context, 'amber', 'amber/east')
  const basalt = await makeCustomer(context, 'basalt', 'basalt/east')
  const nobody = await makeCustomer(context, 'nobody-basalt', null)
  const sender = { domainId: context.domain.id, ...ANYBODY, actor: 'tester' }
  const times = ['2026-01-10T08:00:00Z', '2026-01-10T09:00:00Z']
  for (const [name, { point }] of Object.entries({ amber, basalt, nobody })) {
    const values = times.flatMap((time, hour) => [
      point('temperature', name === 'amber' ? 20 + hour : 77_777 + hour, time),
      point('note', `noted by ${name === 'amber' ? name : `${name} basalt`}`, time),
    ])
    const { errorCount } = await datapoints.ingest.add(sender, values)
    if (errorCount > 0) throw new Error('the points of a customer are not good')
  }
  return { amber, basalt, nobody }
}

/** The texts of Basalt and of nobody all contain `basalt`. */
async function makeCustomer(context: DomainContext, name: string, unit: string | null): Promise<Customer> {
  const named = {
    name: `House of ${name}`,
    organizationUnit: unit,
    metadataKeyValueStore: [{ key: 'contract', value: `${name}-1` }],
  }
  const { uuid: system } = await createSystem(context, ANYBODY, named)
  const part = { system, componentModel: 'boiler', name: `Boiler of ${name}` }
  const component = (await createComponents(context, ANYBODY, [part]))[0]?.uuid ?? ''
  const message = `told of ${name}`
  const alarm = await createEvent(context, ANYBODY, { eventModel: 'alarm', component, message })
  const restart = await createEvent(context, ANYBODY, { eventModel: 'restart', system, message })
  const value = name === 'amber' ? 21 : 77_777
  const setting = { component, service: 'heating', characteristic: 'target', value }
  const [setpoint] = await setSetpoints(context, ANYBODY, { components: [setting], models: [] })
  const { database, domain } = context
  const [support] = await readDomain(database, domain.id, (sql) => fetchSupport(sql, domain.id, [component]))
  const pairs = new Map(support?.pairs.map((pair) => [pair.characteristicKey, pair]))
  return {
    system,
    component,
    alarm: alarm.uuid,
    restart: restart.uuid,
    setpoint: setpoint?.uuid ?? '',
    point: (code, given, timestamp) => ({
      system_uuid: system,
      component_uuid: component,
      service_uuid: pairs.get(code)?.serviceUuid ?? '',
      characteristic_uuid: pairs.get(code)?.characteristicUuid ?? '',
      value: given,
      ...(timestamp !== undefined && { timestamp }),
    }),
  }
}
