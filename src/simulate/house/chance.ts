/** Returns a random number from 0 to below 1 that depends only on its arguments, so houses can be recreated. */
export function random(seed: number, name: string, index: number): number {
  return at(keyOf(seed, name), index)
}

/** Returns a number from -1 to 1 that changes smoothly, with about a cycle per `period` (in the unit of `time`). */
export function wave(seed: number, name: string, time: number, period: number): number {
  const key = keyOf(seed, name)
  const index = Math.floor(time / period)
  const way = time / period - index
  // Perlin's curve avoids a kink between two random values.
  const share = way * way * way * (way * (way * 6 - 15) + 10)
  return (at(key, index) * (1 - share) + at(key, index + 1) * share) * 2 - 1
}

/** Returns the FNV-1a hash of the name, with the seed. */
function keyOf(seed: number, name: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < name.length; index++) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193)
  return mix(hash ^ Math.imul(seed, 0x9e3779b1))
}

function at(key: number, index: number): number {
  return (mix(key ^ Math.imul(index | 0, 0x85ebca6b)) >>> 0) / 0x1_0000_0000
}

/** The final step of MurmurHash3: each bit of the input changes about half of the bits of the output. */
function mix(value: number): number {
  let hash = value ^ (value >>> 16)
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

export function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
