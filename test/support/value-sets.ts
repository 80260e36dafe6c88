// Columns like those of real devices. They are the same in every run, for tests and measurements of the codec.

/** Draws numbers from 0 to 1 (Numerical Recipes' generator, its upper bits). */
export function newNoise(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Draws numbers of the normal distribution around 0 (as the sum of twelve, less 6). */
function newNormal(seed: number): () => number {
  const noise = newNoise(seed)
  return () => {
    let sum = -6
    for (let index = 0; index < 12; index++) sum += noise()
    return sum
  }
}

export interface ValueSet {
  readonly name: string
  readonly digits: number
  /** Whether the previous value predicts the next one, so that the differences are encoded. */
  readonly isSmooth: boolean
  make(count: number): Float64Array
}

function rounded(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits
}

/** Each value follows from its index and from the state after the previous value. */
function series(count: number, next: (index: number) => number): Float64Array {
  const values = new Float64Array(count)
  for (let index = 0; index < count; index++) values[index] = next(index)
  return values
}

export const VALUE_SETS: readonly ValueSet[] = [
  {
    name: 'room temperature, 1 decimal',
    digits: 1,
    isSmooth: true,
    make(count) {
      const normal = newNormal(1)
      return series(count, (index) => rounded(21 + 2 * Math.sin((index / 1_440) * 2 * Math.PI) + 0.022 * normal(), 1))
    },
  },
  {
    name: 'sine and noise, 2 decimals',
    digits: 2,
    isSmooth: true,
    make(count) {
      const normal = newNormal(2)
      return series(count, (index) => rounded(50 + 20 * Math.sin(index / 200) + 0.3 * normal(), 2))
    },
  },
  {
    name: 'random walk, 3 decimals',
    digits: 3,
    isSmooth: true,
    make(count) {
      const normal = newNormal(3)
      let value = 100
      return series(count, () => (value = rounded(value + 0.05 * normal(), 3)))
    },
  },
  {
    name: 'prices, no smoothness',
    digits: 2,
    isSmooth: false,
    make(count) {
      const noise = newNoise(4)
      return series(count, () => Math.floor(noise() * 70_000) / 100)
    },
  },
  {
    name: 'energy counter, 3 decimals',
    digits: 3,
    isSmooth: true,
    make(count) {
      const noise = newNoise(5)
      let value = 1_234.567
      return series(count, () => (value = rounded(value + 0.004 + Math.floor(noise() * 5) / 1_000, 3)))
    },
  },
  {
    name: 'steps every 500',
    digits: 1,
    isSmooth: true,
    make: (count) => series(count, (index) => [18, 21.5, 20][Math.floor(index / 500) % 3]!),
  },
  {
    name: 'true doubles',
    digits: Number.NaN,
    isSmooth: false,
    make: (count) => series(count, (index) => 20 + 5 * Math.sin(index * 1.1)),
  },
]

/** Bytes per value of the order-0 entropy of the differences, or of the values if they are not smooth. */
export function entropyBound({ digits, isSmooth, make }: ValueSet): number {
  if (Number.isNaN(digits)) return Number.NaN
  const values = make(2 ** 20)
  const counts = new Map<number, number>()
  for (let index = 1; index < values.length; index++) {
    const before = isSmooth ? values[index - 1]! : 0
    const rest = Math.round(values[index]! * 10 ** digits) - Math.round(before * 10 ** digits)
    counts.set(rest, (counts.get(rest) ?? 0) + 1)
  }
  let bits = 0
  for (const count of counts.values()) bits += (count / values.length) * Math.log2(values.length / count)
  return bits / 8
}

export interface Points {
  readonly at: Float64Array
  readonly generation: Float64Array | number
  readonly values: Float64Array
}

const BEGINNING = 1_760_000_000_000_000
export const MINUTE = 60_000_000

/** Values at regular times that arrived at once. A chunk of them has almost nothing but its values. */
export function regularPoints(values: Float64Array): Points {
  return { at: Float64Array.from(values, (_, index) => BEGINNING + index * MINUTE), generation: 1, values }
}

/**
 * The points of one series of a fleet. Each is up to 20 ms late and in a different flush; there are ten flushes a
 * second.
 */
export function fleetPoints(count: number, step: number): Points {
  const noise = newNoise(7)
  const at = Float64Array.from({ length: count }, (_, i) => BEGINNING + i * step + Math.floor(20 * noise()) * 1_000)
  const flushes = step / 100_000
  const generation = Float64Array.from(at, (_, index) => 5_000_000 + index * flushes + Math.floor(20 * noise()))
  return { at, generation, values: VALUE_SETS[0]!.make(count) }
}
