export function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}

/** 0 up to `from`, 1 from `to` on, and linear in between. */
export function ramp(value: number, from: number, to: number): number {
  return clamp((value - from) / (to - from), 0, 1)
}
