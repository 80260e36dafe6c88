import { median } from '../measure.ts'
import type { Figures } from './cpu-figures.ts'

/** What the benches of one night have measured. */
export interface Night {
  readonly commit: string
  readonly at: string
  readonly figures: Figures
}

export interface Slower {
  readonly name: string
  /** The median of the nights before, and the two last nights. */
  readonly before: number
  readonly last: readonly [number, number]
}

/** So much more is slower. */
const MOST = 1.15
/** With fewer nights before the two last, nothing is compared. */
const FEWEST_BEFORE = 3
/** Nights that are kept. What becomes slower bit by bit is so within a month. */
const MOST_KEPT = 30

export function withNight(nights: readonly Night[], night: Night): readonly Night[] {
  return [...nights, night].slice(-MOST_KEPT)
}

/** The figures that are higher on both of the two last nights than the median of those before, the worst first. */
export function slowerFigures(nights: readonly Night[]): readonly Slower[] {
  const [last, next] = nights.slice(-2)
  if (last === undefined || next === undefined) return []
  const earlier = nights.slice(0, -2)
  return Object.keys(next.figures)
    .flatMap((name) => slowerOf(name, [last, next], earlier))
    .toSorted((one, other) => timesOf(other) - timesOf(one))
}

function slowerOf(name: string, nights: readonly [Night, Night], earlier: readonly Night[]): Slower[] {
  const before = earlier.flatMap(({ figures }) => figures[name] ?? [])
  const [one, other] = nights.map(({ figures }) => figures[name])
  if (one === undefined || other === undefined || before.length < FEWEST_BEFORE) return []
  const usual = median(before)
  return Math.min(one, other) > usual * MOST ? [{ name, before: usual, last: [one, other] }] : []
}

export function timesOf({ before, last }: Slower): number {
  return Math.min(...last) / before
}
