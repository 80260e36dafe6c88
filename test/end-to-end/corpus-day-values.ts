import type { Characteristic, Plain } from '../corpus/document.ts'

// One day of a device that was never there: what it says is plausible by its description, and the same every time.

export interface DayPoint {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly value: Plain
}

export const DAY_MS = 86_400_000

/** Numbers from 0 to 1 that follow from a text (mulberry32 over FNV-1a). */
export function seeded(text: string): () => number {
  let state = 0x811c9dc5
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** How often a value is said: a curve every few minutes, a state when it becomes another one. */
const POINTS_A_DAY: { readonly [dataType in Characteristic['dataType']]: number } = {
  FLOAT: 144,
  INTEGER: 96,
  BOOLEAN: 24,
  SELECT: 24,
  STRING: 6,
  JSON: 6,
}

export function dayOf(characteristic: Characteristic, start: number, random: () => number): DayPoint[] {
  const count = POINTS_A_DAY[characteristic.dataType]
  return Array.from({ length: count }, (_, index) => {
    const at = start + Math.floor(((index + random()) / count) * DAY_MS)
    return { at, value: valueOf(characteristic, (at - start) / DAY_MS, random) }
  })
}

function valueOf(characteristic: Characteristic, hour: number, random: () => number): Plain {
  const { dataType, options = [], schema } = characteristic
  switch (dataType) {
    case 'BOOLEAN':
      return random() < 0.5
    case 'SELECT':
      return oneOf(
        options.map(({ key }) => key),
        random,
      )
    case 'STRING':
      return random() < 0.1 ? '' : `${characteristic.name} ${Math.floor(random() * 1_000)} °é☀`
    case 'JSON':
      return fitting(typeof schema === 'string' ? (JSON.parse(schema) as Plain) : (schema ?? {}), random)
    default:
      return numberOf(characteristic, hour, random)
  }
}

/** A curve over the day with some noise, on a step and within its boundaries. */
function numberOf(characteristic: Characteristic, hour: number, random: () => number): number {
  const { dataType, boundaryMin, boundaryMax, precision } = characteristic
  const step = characteristic.boundaryStep ?? (dataType === 'INTEGER' ? 1 : 10 ** -(precision ?? 2))
  const low = boundaryMin ?? (boundaryMax ?? 100) - 100 * Math.max(step, 1)
  const high = boundaryMax ?? low + 100 * Math.max(step, 1)
  const steps = Math.floor((high - low) / step + 1e-9)
  const height = 0.5 - 0.4 * Math.cos(2 * Math.PI * hour) + 0.1 * (random() - 0.5)
  const edge = random()
  const place = edge < 0.02 ? 0 : edge > 0.98 ? steps : Math.round(steps * Math.min(Math.max(height, 0), 1))
  // The nearest double of the decimal that is meant.
  return Number((low + place * step).toFixed(Math.max(decimalsOf(step), decimalsOf(low))))
}

function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e')
  return Math.max((digits.split('.')[1]?.length ?? 0) - Number(exponent), 0)
}

/** A value that meets a schema of the corpus. */
function fitting(schema: Plain, random: () => number): Plain {
  const {
    enum: choices,
    type,
    properties,
    items,
    minItems,
    maxItems,
    ...bounds
  } = schema as {
    readonly enum?: readonly Plain[]
    readonly type?: string
    readonly properties?: { readonly [name: string]: Plain }
    readonly items?: Plain
    readonly minItems?: number
    readonly maxItems?: number
    readonly minimum?: number
    readonly maximum?: number
  }
  if (choices !== undefined) return oneOf(choices, random)
  switch (type) {
    case 'object': {
      const members = Object.entries(properties ?? {}).map(([name, inside]) => [name, fitting(inside, random)])
      return Object.fromEntries(members) as Plain
    }
    case 'array':
      return Array.from({ length: Math.min(minItems ?? 2, maxItems ?? 2) }, () => fitting(items ?? {}, random))
    case 'integer':
    case 'number':
      return bounds.minimum ?? bounds.maximum ?? Math.floor(random() * 100)
    default:
      return `text ${Math.floor(random() * 1_000)}`
  }
}

function oneOf<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)] as Item
}
