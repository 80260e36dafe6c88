import type { HouseHabits, HouseState } from '../physics/house.ts'
import type { Habit, Span } from '../physics/habits.ts'
import { MINUTE } from '../physics/local-time.ts'
import { restartBefore } from './electricity-readings.ts'
import { batteryWentLow } from './room-readings.ts'
import type { SitePlan } from './site-plan.ts'

/** Something that began or ended. A single point in time has no end. */
export interface Occurrence {
  /** The code of its event model. */
  readonly model: string
  readonly component: string
  /** The time when it began, which identifies it. */
  readonly from: number
  /** The time when it ended; null where it has not, or is a single point in time. */
  readonly to: number | null
  readonly isSinglePoint: boolean
}

interface Watch {
  readonly model: string
  readonly component: string
  /** The span that is under way at a time. */
  readonly during?: (time: number) => Span | null
  /** The time when it last happened; null where it never did. */
  readonly latest?: (time: number) => number | null
}

/** Watches a house over time, and reports what has happened since the last look. */
export class Occurrences {
  readonly #watches: readonly (Watch & { open: Span | null; last: number | null })[]

  /** Spans that are under way at the beginning count as reported. */
  constructor(plan: SitePlan, habits: HouseHabits, state: HouseState, batteries: (component: string) => number) {
    const { time } = state
    this.#watches = watchesOf(plan, habits, state, batteries).map((watch) => ({
      ...watch,
      open: watch.during?.(time) ?? null,
      last: watch.latest?.(time) ?? null,
    }))
  }

  until(time: number): Occurrence[] {
    return this.#watches.flatMap((watch): Occurrence[] => {
      const { model, component } = watch
      if (watch.latest !== undefined) {
        const last = watch.latest(time)
        if (last === null || last === watch.last) return []
        watch.last = last
        return [{ model, component, from: last, to: null, isSinglePoint: true }]
      }
      const span = watch.during?.(time) ?? null
      const before = watch.open
      if (span?.from === before?.from) return []
      watch.open = span
      const ended = before === null ? [] : [{ ...before }]
      const begun = span === null ? [] : [{ from: span.from, to: null }]
      return [...ended, ...begun].map((one) => ({ model, component, ...one, isSinglePoint: false }))
    })
  }
}

/** A window counts as forgotten when it was open for this long. */
const PATIENCE = 20 * MINUTE

function watchesOf(
  plan: SitePlan,
  { climate, rooms, lock, fault }: HouseHabits,
  state: HouseState,
  batteries: (component: string) => number,
): Watch[] {
  const whileHeating = (habit: Habit) => (time: number) => {
    const span = habit.during(time)
    const isLong = span !== null && time >= span.from + PATIENCE
    return isLong && climate.dailyMean(span.from) < 15 ? { ...span, from: span.from + PATIENCE } : null
  }
  return [
    { model: 'heat-pump-fault', component: 'heat-pump', during: fault.during },
    { model: 'high-pressure-trip', component: 'heat-pump', latest: (time) => fault.during(time)?.from ?? null },
    { model: 'grid-lock-active', component: 'heat-pump', during: lock.during },
    { model: 'legionella-cycle-done', component: 'hot-water', latest: () => state.legionella || null },
    { model: 'firmware-updated', component: 'gateway', latest: restartBefore },
    ...rooms.map(({ forgotten }, room) => ({
      model: 'window-left-open',
      component: `window-${room}`,
      during: whileHeating(forgotten),
    })),
    ...plan.components
      .filter(({ room, id }) => room !== null || id === 'weather')
      .map(({ id }) => ({
        model: 'sensor-battery-low',
        component: id,
        latest: (time: number) => Math.round(batteryWentLow(batteries(id), time) / MINUTE) * MINUTE,
      })),
  ]
}
