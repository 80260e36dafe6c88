import type { NewComponent, NewSystem } from '../../../generated/entities.ts'
import { createComponents, type Component } from '../../../src/platform/systems/components.ts'
import { createSystem, type System } from '../../../src/platform/systems/systems.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import type { Actor } from '../../../src/platform/access/grants/actor.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { applyAll } from '../../support/domain.ts'

/** The model of a small heating site. */
export const MODEL = {
  characteristics: [
    { code: 'temperature', name: 'Temperature', characteristicType: 'MEASUREMENT', dataType: 'FLOAT' },
    { code: 'valve', name: 'Valve', characteristicType: 'SETTING', dataType: 'BOOLEAN' },
    { code: 'power', name: 'Power', characteristicType: 'MEASUREMENT', dataType: 'FLOAT' },
  ],
  services: [
    { code: 'climate', name: 'Climate', characteristics: [{ code: 'temperature' }, { code: 'valve' }] },
    { code: 'metering', name: 'Metering', characteristics: [{ code: 'power' }, { code: 'temperature' }] },
  ],
  componentModels: [
    {
      code: 'heat-pump',
      name: 'Heat pump',
      componentType: 'DEVICE',
      services: [
        { code: 'metering', index: 1 },
        { code: 'climate', index: 0 },
      ],
    },
    { code: 'sensor', name: 'Sensor', componentType: 'DEVICE', services: [{ code: 'climate' }] },
  ],
  eventModels: [
    { code: 'alarm', eventType: 'RANGED', entityType: 'COMPONENT', eventLevel: 'ERROR', message: 'Too hot' },
    { code: 'restart', eventType: 'SINGLE_POINT', entityType: 'SYSTEM' },
  ],
  metadataTypes: [
    { entityType: 'SYSTEM', key: 'installed', dataType: 'TIMESTAMP' },
    { entityType: 'SYSTEM', key: 'floors', dataType: 'INTEGER', default: 1 },
    { entityType: 'COMPONENT', key: 'serial', dataType: 'STRING', unique: true },
    { entityType: 'COMPONENT', key: 'power', dataType: 'FLOAT' },
    { entityType: 'EVENT', key: 'ticket', dataType: 'STRING', unique: true },
  ],
  organizations: [{ name: 'Acme', alias: 'acme', organizationUnits: [{ name: 'Ground floor', alias: 'eg' }] }],
} as const

export const ANYBODY: Pick<Actor, 'systemUuid' | 'units'> = { systemUuid: null, units: null }

export function makeSystem(context: DomainContext, input: Partial<NewSystem> = {}): Promise<System> {
  return createSystem(context, EVERYWHERE, { name: 'House', ...input })
}

export async function makeComponent(
  context: DomainContext,
  system: string,
  input: Partial<NewComponent> = {},
): Promise<Component> {
  const [component] = await createComponents(context, EVERYWHERE, [
    { system, componentModel: 'heat-pump', name: 'Pump', ...input },
  ])
  if (component === undefined) throw new Error('no component was made')
  return component
}

export interface Site {
  readonly system: System
  readonly pump: Component
  readonly sensor: Component
}

/** The model, and one system with a heat pump and a sensor. */
export async function makeSite(context: DomainContext): Promise<Site> {
  await applyAll(context, MODEL)
  const system = await makeSystem(context, { organizationUnit: 'acme/eg' })
  const [pump, sensor] = await createComponents(context, EVERYWHERE, [
    { system: system.uuid, componentModel: 'heat-pump', name: 'Pump' },
    { system: system.uuid, componentModel: 'sensor', name: 'Sensor' },
  ])
  if (pump === undefined || sensor === undefined) throw new Error('no components were made')
  return { system, pump, sensor }
}
