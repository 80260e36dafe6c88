import type { Cell } from '../chunks/columns.ts'

/** A time in which a state held. */
export interface Run {
  readonly from: number
  /** Where the next one begins, or the range ends. */
  readonly to: number
  readonly value: Exclude<Cell, null>
  /** How many points say so. None: it was reported before the range. */
  readonly count: number
}
