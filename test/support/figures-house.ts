import type { DomainContext } from '../../src/platform/domain-context.ts'
import { Datapoints } from '../../src/platform/datapoints/datapoints.ts'
import { applyAll } from './domain.ts'
import { HOUR, MINUTE } from './analyse-house.ts'
import { makeSystem } from './site.ts'

// A system with numbers that are hard to show: very small, very large, with many digits, and one short peak.

const CHARACTERISTICS = {
  tiny: { name: 'Tiny concentration', dataType: 'FLOAT', symbol: 'mol/s' },
  counter: { name: 'Counter', dataType: 'INTEGER', symbol: 'Wh' },
  fraction: { name: 'Fraction', dataType: 'FLOAT', symbol: 'm' },
  peak: { name: 'Power', dataType: 'FLOAT', symbol: 'kW', precision: 0 },
  lock: { name: 'Locked', dataType: 'BOOLEAN' },
  alarms: {
    name: 'Alarms',
    dataType: 'SELECT',
    multiple: true,
    options: [
      { key: 'high', label: 'High', meta: [] },
      { key: 'low', label: 'Low', meta: [] },
    ],
  },
}

export type FigureCode = keyof typeof CHARACTERISTICS

export const COUNTER = 9_007_199_254_741_591n

/** Each value lasts a quarter of an hour, up to now. */
export const ALARMS = [['high'], [], ['low'], ['high', 'low']] as const

export interface FiguresHouse {
  readonly systemUuid: string
  /** The minute in which it was made. */
  readonly now: number
  /** The time of the only value of the power that is 251. */
  readonly peakAt: number
  path(...codes: readonly FigureCode[]): string
}

export async function makeFiguresHouse(context: DomainContext): Promise<FiguresHouse> {
  const characteristics = Object.entries(CHARACTERISTICS).map(([code, fields]) => ({
    code,
    characteristicType: 'MEASUREMENT',
    ...fields,
  }))
  await applyAll(context, {
    characteristics,
    services: [{ code: 'values', name: 'Values', characteristics: characteristics.map(({ code }) => ({ code })) }],
    componentModels: [{ code: 'probe', name: 'Probe', componentType: 'DEVICE', services: [{ code: 'values' }] }],
  })
  const site = await makeSystem<FigureCode>(context, { model: 'probe', name: 'Probe' }, 1)
  const now = Math.floor(Date.now() / MINUTE) * MINUTE
  const peakAt = now - 3 * HOUR + 15_000
  const ofMinute = (minute: number) => [
    site.point('tiny', 1.2e-12 + minute * 1e-15, now - minute * MINUTE),
    site.point('counter', String(COUNTER - BigInt(minute)), now - minute * MINUTE),
    site.point('fraction', minute === 0 ? 0.123456789 : 0.123456, now - minute * MINUTE),
    site.point('lock', minute % 40 < 20, now - minute * MINUTE),
  ]
  const powers = Array.from({ length: 5_760 }, (_, index) =>
    site.point('peak', 120 + (index % 11), now - index * 15_000),
  )
  const datapoints = new Datapoints({ ...context, isAlone: true })
  const who = { domainId: context.domain.id, actor: 'gateway', systemUuid: null, units: null }
  await datapoints.ingest.add(who, [
    ...Array.from({ length: 60 }, (_, minute) => ofMinute(minute)).flat(),
    ...powers,
    site.point('peak', 251, peakAt),
    ...ALARMS.map((alarms, index) => site.point('alarms', alarms, now - (ALARMS.length - index) * 15 * MINUTE)),
  ])
  const [component = ''] = site.componentUuids
  return {
    systemUuid: site.systemUuid,
    now,
    peakAt,
    path: (...codes) =>
      `/systems/${site.systemUuid}/analyse?${new URLSearchParams([...codes.map((code) => ['show', `${component}/values/${code}`]), ['states', 'below']]).toString()}`,
  }
}
