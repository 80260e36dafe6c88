/** Random numbers that depend only on their arguments, so that a site can be made again at any time. */
export interface Noise {
  /** A number from 0 to below 1, independent of its neighbours. */
  at(index: number): number
  /**
   * A number from -1 to 1 that changes continuously, with about one turn in each `period` (in the unit of `time`).
   */
  smooth(time: number, period: number): number
}

export function noise(seed: number, name: string): Noise {
  const key = mix(textHash(name) ^ Math.imul(seed, 0x9e3779b1))
  const at = (index: number) => (mix(key ^ Math.imul(index | 0, 0x85ebca6b)) >>> 0) / 0x1_0000_0000
  return {
    at,
    smooth(time, period) {
      const phase = time / period
      const index = Math.floor(phase)
      const way = phase - index
      // Perlin's curve avoids a kink between two random values.
      const share = way * way * way * (way * (way * 6 - 15) + 10)
      return (at(index) * (1 - share) + at(index + 1) * share) * 2 - 1
    },
  }
}

/** The end of MurmurHash3: every bit of the input changes about half of the bits of the output. */
function mix(value: number): number {
  let hash = value ^ (value >>> 16)
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

/** The hash FNV-1a. */
function textHash(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash
}
