import type { SitePlan } from './site-plan.ts'
import { random } from './chance.ts'

/** The highest meter readings of a house that is new on the platform. */
const COUNTED: { readonly [key: string]: number } = {
  'heat-pump/compressor-starts': 900,
  'heat-pump/compressor-runtime': 1_800,
  'grid-meter/energy-imported': 12_000,
  'grid-meter/energy-exported': 9_000,
  'heat-meter/heat-energy': 30_000,
  'solar/yield-total': 16_000,
  'charger/energy-imported': 4_000,
  'water-meter/water-volume': 700,
  'battery/battery-cycles': 40,
}

/** The initial values of the other characteristics. */
const FIRST: { readonly [characteristic: string]: number } = {
  'battery-state-of-charge': 40,
  'battery-temperature': 20,
  'buffer-temperature-top': 36,
  'co2-concentration': 600,
  'hot-water-temperature': 57,
  'room-humidity': 45,
  'room-temperature': 20.5,
}

/**
 * The values of a house that depend on earlier ones. Reported values have the keys of their series
 * (`component/characteristic`), so that a house continues from its last datapoints.
 */
export class Memory {
  readonly #values = new Map<string, number>()

  constructor({ seed, id, size }: SitePlan) {
    for (const [key, most] of Object.entries(COUNTED))
      this.set(key, Math.round(most * size * (0.3 + 0.7 * random(seed, `age of ${id} ${key}`, 0))))
  }

  get(key: string): number {
    return this.#values.get(key) ?? FIRST[key.slice(key.indexOf('/') + 1)] ?? 0
  }

  set(key: string, value: number): number {
    this.#values.set(key, value)
    return value
  }

  add(key: string, amount: number): number {
    return this.set(key, this.get(key) + amount)
  }

  /** Approaches a target: it moves two thirds of the way in `pace` hours. */
  follow(key: string, target: number, hours: number, pace: number): number {
    const before = this.get(key)
    return this.set(key, target + (before - target) * Math.exp(-hours / pace))
  }
}
