import { Datapoints } from '../../src/platform/datapoints/datapoints.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { setSetpoints } from '../../src/platform/setpoints/set-setpoints.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { applyAll } from './domain.ts'
import { makeSystem, type SentPoint, type Site } from './site.ts'

// A house with characteristics of every shape that Analyse draws.

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
    {
      code: 'target',
      name: 'Target',
      characteristicType: 'SETTING',
      dataType: 'FLOAT',
      symbol: '°C',
      precision: 1,
      boundaryMin: 5,
      boundaryMax: 60,
    },
  ]
  const characteristics = [...measured, ...set].map((one) => ({ ...one, ...changes[one.code] }))
  return {
    characteristics,
    services: [{ code: 'heating', name: 'Heating', characteristics: characteristics.map(({ code }) => ({ code })) }],
    componentModels: [{ code: 'pump', name: 'Pump', componentType: 'DEVICE', services: [{ code: 'heating' }] }],
  }
}

export interface House extends Site<HouseCode> {
  /**
   * The minute in which the house was made. It has sent data up to then. Test files share modules and run one after
   * the other.
   */
  readonly now: number
  /** The parameter by which an address of Analyse names a characteristic. */
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
    now: Math.floor(Date.now() / MINUTE) * MINUTE,
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

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The points of the flow temperature that were sent: one every half minute for two days, except for one hour. */
export function flowOf({ now }: House): { readonly at: number; readonly value: number }[] {
  const whole = Array.from({ length: 5_760 }, (_, index) => ({
    at: now - 2 * DAY + index * 30_000,
    value: Math.round(400 + 200 * Math.sin(index / 70) + ((index * 7_919) % 101)) / 10,
  }))
  return whole.filter(({ at }) => at < now - 6 * HOUR || at >= now - 5 * HOUR)
}

/** The data that the script of Analyse gets. */
export interface Drawn {
  readonly from: number
  readonly series: readonly DrawnSeries[]
  readonly applies: readonly { readonly at: number; readonly label: string }[]
}

export interface DrawnSeries {
  readonly id: string
  readonly form: string
  readonly caption: string
  readonly at: readonly number[]
  readonly min: readonly number[]
  readonly max: readonly number[]
  readonly values: readonly number[]
  readonly whole: { readonly min: number; readonly max: number; readonly count: number } | null
  readonly gaps: readonly (readonly [number, number])[]
  readonly runs: readonly (readonly [number, number, unknown])[]
  readonly bounds: readonly { readonly name: string; readonly value: number; readonly from: number }[]
  readonly setpoints: readonly { readonly state: string; readonly value: number }[]
  readonly refused: readonly { readonly code: string; readonly count: number }[]
}

export async function fillHouse(context: DomainContext, house: House): Promise<void> {
  const { now } = house
  await house.send(flowOf(house).map(({ at, value }) => house.point('flow', value, at)))
  await house.send([
    ...Array.from({ length: 60 }, (_, index) => house.point('return', 30 + index / 10, now - HOUR + index * MINUTE)),
    ...Array.from({ length: 60 }, (_, index) => house.point('power', index * 100, now - HOUR + index * MINUTE)),
    house.point('lock', true, now - 30 * HOUR),
    house.point('mode', 'auto', now - 30 * HOUR),
    house.point('mode', 'water', now - 3 * HOUR),
    house.point('target', 42, now - 30 * HOUR),
    house.point('note', '<b>not bold</b>', now - HOUR),
  ])
  await house.set(48)
  // From here on, values above 55 °C are refused. The commit says so.
  const origin = { commit: 'a3f9c21b00000000000000000000000000000000', repository: 'acme/house' }
  await applyAll(context, houseModel({ flow: { boundaryMax: 55 } }), undefined, origin)
  await house.send([house.point('flow', 63.8, now)])
}
