import type { Cell } from '../chunks/columns.ts'

/** A time in which a state held. */
export interface Run {
  readonly from: number
  /** The time when the next run begins, or the end of the range. */
  readonly to: number
  readonly value: Exclude<Cell, null>
  /** The number of points with this state; 0 where the state was only reported before the range. */
  readonly count: number
}
