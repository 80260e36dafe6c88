import { Datapoints } from '../../src/platform/datapoints/datapoints.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { setSetpoints } from '../../src/platform/setpoints/set-setpoints.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { applyAll } from './domain.ts'
import { makeSystem, type SentPoint, type Site } from './site.ts'

// A house whose characteristics have every shape that Analyse draws.

export type HouseCode = 'flow' | 'return' | 'power' | 'lock' | 'mode' | 'target' | 'note' | 'never'

const MEASUREMENTS = {
  flow: { name: 'Flow temperature', dataType: 'FLOAT', symbol: '°C', precision: 1, boundaryMin: -20, boundaryMax: 110 },
  return: { name: 'Return temperature', dataType: 'FLOAT', symbol: '°C', precision: 1 },
  power: { name: 'Thermal power', dataType: 'INTEGER', symbol: 'W' },
  lock: { name: 'Locked', dataType: 'BOOLEAN' },
  note: { name: 'Note', dataType: 'STRING' },
  never: { name: 'Never sent', dataType: 'FLOAT', symbol: '°C' },
}

const OPTIONS = [
  { key: 'auto', label: 'Automatic', meta: [{ key: 'colour', value: 'blue' }] },
  { key: 'water', label: 'Hot water only', meta: [] },
]

export function houseModel(changes: { readonly [code: string]: object } = {}): object {
  const measured = Object.entries(MEASUREMENTS).map(([code, fields]) => ({
    code,
    characteristicType: 'MEASUREMENT',
    ...fields,
  }))
  const set = [
    { code: 'mode', name: 'Operating mode', characteristicType: 'SETTING', dataType: 'SELECT', options: OPTIONS },
    { code: 'target', name: 'Target', characteristicType: 'SETTING', dataType: 'FLOAT', symbol: '°C', precision: 1 },
  ]
  const characteristics = [...measured, ...set].map((one) => ({ ...one, ...changes[one.code] }))
  return {
    characteristics,
    services: [{ code: 'heating', name: 'Heating', characteristics: characteristics.map(({ code }) => ({ code })) }],
    componentModels: [{ code: 'pump', name: 'Pump', componentType: 'DEVICE', services: [{ code: 'heating' }] }],
  }
}

export interface House extends Site<HouseCode> {
  /** How an address of Analyse names a characteristic. */
  show(code: HouseCode): string
  path(...codes: readonly HouseCode[]): string
  send(points: readonly SentPoint[]): Promise<{ readonly stored: number }>
  set(value: number): Promise<void>
}

/** A house in a domain that has no data model yet, or only users. */
export async function makeHouse(context: DomainContext, more: object = {}): Promise<House> {
  await applyAll(context, { ...houseModel(), ...more })
  const site = await makeSystem<HouseCode>(context, { model: 'pump', name: 'Heat pump' }, 1)
  const [component = ''] = site.componentUuids
  const datapoints = new Datapoints({ ...context, isAlone: true })
  const who = { domainId: context.domain.id, actor: 'gateway', systemUuid: null, units: null }
  const show = (code: HouseCode) => `${component}/heating/${code}`
  return {
    ...site,
    show,
    path: (...codes) =>
      `/systems/${site.systemUuid}/analyse?${new URLSearchParams(codes.map((code) => ['show', show(code)])).toString()}`,
    async send(points) {
      const answer = await datapoints.ingest.add(who, [...points])
      await datapoints.refused.flush()
      return answer
    },
    async set(value) {
      const setting = { component, service: 'heating', characteristic: 'target', value }
      await setSetpoints(context, EVERYWHERE, { components: [setting], models: [] })
    },
  }
}
